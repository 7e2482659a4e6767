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
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the first prices of stores that the page of a change set shows: they are not among its lines. */
@Singleton
final class ChangeFirstPrices {
    private static final int SHOWN = 50;

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
        var found = first(visit, set, finding);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        var shown = found.subList(0, Math.min(SHOWN, found.size()));
        var known = stores.findAll(
                visit.access(), shown.stream().map(ChangeLine::store).collect(Collectors.toSet()));
        var amounts = Amounts.of(visit.request());
        var summary = set.summary();
        return Optional.of(ChangePage.FirstPrices.of(
                shown.stream()
                        .map(line -> ChangeLineRow.of(line, known, amounts))
                        .toList(),
                found.size() > SHOWN,
                summary == null ? OptionalInt.empty() : summary.unlisted(finding),
                export));
    }

    /** One more than are shown, where there are more. */
    private List<ChangeLine> first(Visit visit, ChangeSet set, @Nullable Finding finding) {
        try (var all = changes.lines().firstPrices(visit.access(), set.id(), finding)) {
            return all.limit(SHOWN + 1L).toList();
        }
    }
}
