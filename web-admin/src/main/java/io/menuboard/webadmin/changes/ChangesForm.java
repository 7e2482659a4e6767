package io.menuboard.webadmin.changes;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.micronaut.http.HttpRequest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fields of the form above the list of change sets, as they were sent; absent fields are empty.
 *
 * @param by name of who drafted a set
 * @param from first day of UTC on which it was drafted; the last one is {@code to}
 */
record ChangesForm(String status, String name, String by, String from, String to) {
    static final List<String> FIELDS = List.of("status", "name", "by", "from", "to");

    static ChangesForm of(HttpRequest<?> request) {
        return new ChangesForm(
                text(request, "status"),
                text(request, "name"),
                text(request, "by"),
                text(request, "from"),
                text(request, "to"));
    }

    /** @throws InvalidInput on the field that breaks a rule */
    ChangeSets.Filter filter() {
        var first = Moments.parseDay("from", from);
        var last = Moments.parseDay("to", to);
        if (first != null && last != null && last.isBefore(first)) {
            throw new InvalidInput("INVALID_FILTER", "to", "must not be before the first day, " + first);
        }
        return new ChangeSets.Filter(
                status.isEmpty() ? Set.of() : Set.of(askedStatus()),
                by.isEmpty() ? null : by,
                name.isEmpty() ? null : name,
                begin(first),
                begin(last == null ? null : last.plusDays(1)));
    }

    private ChangeSetStatus askedStatus() {
        return Stream.of(ChangeSetStatus.values())
                .filter(known -> known.name().equals(status))
                .findFirst()
                .orElseThrow(() -> new InvalidInput(
                        "INVALID_STATUS",
                        "status",
                        "must be one of "
                                + Stream.of(ChangeSetStatus.values())
                                        .map(ChangeSetStatus::name)
                                        .collect(joining(", "))));
    }

    /** Tells whether it asks for anything. */
    boolean narrows() {
        return !status.isEmpty() || !name.isEmpty() || asksForMore();
    }

    /** Tells whether it asks for what has no place beside the name. Public because templates call nothing else. */
    public boolean asksForMore() {
        return !Stream.of(by, from, to).allMatch(String::isEmpty);
    }

    /** The address with this filter. */
    Link on(Link list) {
        return list.with("status", status)
                .with("name", name)
                .with("by", by)
                .with("from", from)
                .with("to", to);
    }

    /** Statuses to choose from, with the one that was asked for. */
    List<Choice> statuses() {
        return Stream.concat(
                        Stream.of(new Choice("", "Every status", status.isEmpty())),
                        Stream.of(ChangeSetStatus.values())
                                .map(known -> new Choice(
                                        known.name(),
                                        ChangeWords.badge(known).label(),
                                        known.name().equals(status))))
                .toList();
    }

    private static @Nullable Instant begin(@Nullable LocalDate day) {
        return day == null ? null : day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static String text(HttpRequest<?> request, String field) {
        return request.getParameters().get(field, String.class, "").strip();
    }
}
