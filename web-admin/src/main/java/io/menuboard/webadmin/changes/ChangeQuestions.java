package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks before something is done with a change set, and shows some of its lines. */
@Singleton
final class ChangeQuestions {
    private static final int SAMPLE = 10;

    private final ChangeSetUseCases changes;
    private final Stores stores;
    private final Views views;

    ChangeQuestions(ChangeSetUseCases changes, Stores stores, Views views) {
        this.changes = changes;
        this.stores = stores;
        this.views = views;
    }

    /** A request, and who made it. */
    record Visit(HttpRequest<?> request, Access access) {}

    /** @param problem what is wrong with what was sent, or null */
    MutableHttpResponse<?> ask(
            Visit visit, ChangeAction action, ChangeSet set, ChangeActionPage.Sent sent, @Nullable Problem problem) {
        return views.page("changes/action", page(visit, action, set, sent, problem));
    }

    /** Asks again, and says why it was not done. */
    MutableHttpResponse<?> refuse(
            Visit visit, ChangeAction action, ChangeSet set, ChangeActionPage.Sent sent, String why) {
        return views.page("changes/action", page(visit, action, set, sent, null).refused(why));
    }

    private ChangeActionPage page(
            Visit visit, ChangeAction action, ChangeSet set, ChangeActionPage.Sent sent, @Nullable Problem problem) {
        var lines = changes.lines()
                .lines(visit.access, set.id(), null, PageRequest.forward(SAMPLE, null))
                .nodes();
        var known = stores.findAll(
                visit.access, lines.stream().map(ChangeLine::store).collect(Collectors.toSet()));
        var amounts = Amounts.of(visit.request);
        var sample = lines.stream()
                .map(line -> ChangeLineRow.of(line, known, amounts))
                .toList();
        return ChangeActionPage.of(action, set, sent, problem, sample);
    }
}
