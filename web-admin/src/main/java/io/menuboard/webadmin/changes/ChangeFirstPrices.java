package io.menuboard.webadmin.changes;

import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.webadmin.changes.ChangeQuestions.Visit;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.Link;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the first prices of stores that the page of a change set shows: they are not among its lines. */
@Singleton
final class ChangeFirstPrices {
    private static final int SHOWN = 50;

    /** Some MB, which a page can wait for. There are more where a large file has other lines, too. */
    private static final int MOST_CHUNKS = 2_000;

    private final ChangeSetUseCases changes;
    private final Stores stores;

    ChangeFirstPrices(ChangeSetUseCases changes, Stores stores) {
        this.changes = changes;
        this.stores = stores;
    }

    /**
     * Some of them; empty where there are none.
     *
     * @param finding only those; null for all
     * @param export address of the file that has all
     */
    Optional<ChangePage.FirstPrices> of(Visit visit, ChangeSet set, @Nullable Finding finding, Link export) {
        var summary = set.summary();
        if (summary == null || (set.imported() == null && set.undoes() == null)) {
            return Optional.empty();
        }
        var found = first(visit, set, finding);
        var total = summary.unlisted(finding);
        if (found.isEmpty() && total.orElse(0) == 0) {
            return Optional.empty();
        }
        var shown = found.subList(0, Math.min(SHOWN, found.size()));
        var known = stores.findAll(
                visit.access(), shown.stream().map(ChangeLine::store).collect(Collectors.toSet()));
        var amounts = Amounts.of(visit.request());
        return Optional.of(ChangePage.FirstPrices.of(
                shown.stream()
                        .map(line -> ChangeLineRow.of(line, known, amounts))
                        .toList(),
                found.size() > SHOWN || total.isEmpty() || total.getAsInt() > found.size(),
                total,
                export));
    }

    /** One more than are shown, where so many are found. */
    private List<ChangeLine> first(Visit visit, ChangeSet set, @Nullable Finding finding) {
        try (var all = changes.lines().firstPrices(visit.access(), set.id(), finding, MOST_CHUNKS)) {
            return all.limit(SHOWN + 1L).toList();
        }
    }
}
