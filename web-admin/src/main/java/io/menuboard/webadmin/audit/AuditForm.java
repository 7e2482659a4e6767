package io.menuboard.webadmin.audit;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Fields of the form above the audit trail, as they were sent; absent fields are empty. */
record AuditForm(String from, String to, String subject, String person, String action) {
    static final List<String> FIELDS = List.of("from", "to", "subject", "person", "action");

    static AuditForm of(HttpRequest<?> request) {
        return new AuditForm(
                text(request, "from"),
                text(request, "to"),
                text(request, "subject"),
                text(request, "person"),
                text(request, "action"));
    }

    /** @throws InvalidInput on the field that breaks a rule */
    AuditFilter filter() {
        return new AuditFilter(
                Moments.parseDay("from", from),
                Moments.parseDay("to", to),
                emptyToNull(subject),
                emptyToNull(person),
                emptyToNull(action));
    }

    /** Whether it asks for anything. */
    boolean narrows() {
        return !Stream.of(from, to, subject, person, action).allMatch(String::isEmpty);
    }

    /** The address with this filter. */
    Link on(Link list) {
        return list.with("from", from)
                .with("to", to)
                .with("subject", subject)
                .with("person", person)
                .with("action", action);
    }

    /** Actions to choose from, with the one that was asked for. */
    List<Choice> actions() {
        return Stream.concat(
                        Stream.of(new Choice("", "Whatever was done", action.isEmpty())),
                        Stream.concat(AuditWords.ACTIONS.stream(), Stream.of(action))
                                .filter(known -> !known.isEmpty())
                                .distinct()
                                .sorted()
                                .map(known -> new Choice(known, known, known.equals(action))))
                .toList();
    }

    private static String text(HttpRequest<?> request, String field) {
        return request.getParameters().get(field, String.class, "").strip();
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
