package io.menuboard.webadmin.changes;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.batches.ScheduledBatch;
import io.menuboard.pricing.batches.UpcomingChange;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.webadmin.ui.Actors;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Changes of prices as rows of files, in the order of their columns. */
final class ChangeCsv {
    static final List<String> SET_COLUMNS = List.of(
            "changeSet",
            "name",
            "reason",
            "status",
            "drafted",
            "by",
            "through",
            "effectiveDate",
            "lines",
            "willChange",
            "created",
            "deletions",
            "conflicts",
            "suspicious",
            "unknownProducts",
            "mixedCurrencies",
            "unchanged",
            "notFound",
            "invalid",
            "failed",
            "appliedAt",
            "undoes",
            "undoneBy",
            "retries");

    static final List<String> LINE_COLUMNS = List.of(
            "line",
            "store",
            "channel",
            "product",
            "combo",
            "option",
            "before",
            "after",
            "currency",
            "effectiveDate",
            "startsAt",
            "finding",
            "message",
            "outcome",
            "beforeCurrency");

    static final List<String> UPCOMING_COLUMNS = List.of(
            "store",
            "channel",
            "product",
            "combo",
            "option",
            "effectiveDate",
            "startsAt",
            "after",
            "currency",
            "changeSet");

    static final List<String> BATCH_COLUMNS =
            List.of("startsAt", "store", "channel", "effectiveDate", "changes", "changeSets");

    static final List<String> HISTORY_COLUMNS = List.of(
            "store",
            "channel",
            "product",
            "combo",
            "option",
            "effectiveDate",
            "startsAt",
            "before",
            "after",
            "currency",
            "by",
            "through",
            "reason",
            "changeSet",
            "beforeCurrency");

    private ChangeCsv() {}

    static List<String> row(ChangeSet set) {
        var summary = set.summary();
        var cells = new ArrayList<>(List.of(
                set.id().value(),
                set.name(),
                set.reason(),
                set.status().name(),
                set.createdAt().toString()));
        cells.addAll(Actors.cells(set.actor()));
        cells.add(text(set.effectiveDate()));
        cells.add(summary == null ? "" : Integer.toString(summary.lines()));
        Stream.of(
                        Finding.WILL_CHANGE,
                        Finding.NEW,
                        Finding.DELETION,
                        Finding.CONFLICT,
                        Finding.SUSPICIOUS,
                        Finding.UNKNOWN_PRODUCT,
                        Finding.MIXED_CURRENCIES,
                        Finding.NO_CHANGE,
                        Finding.NOT_FOUND,
                        Finding.INVALID)
                .map(finding -> count(summary, finding))
                .forEach(cells::add);
        cells.addAll(List.of(
                Integer.toString(set.failed()),
                text(set.appliedAt()),
                text(set.undoes()),
                text(set.undoneBy()),
                text(set.retries())));
        return cells;
    }

    private static String count(@Nullable ChangeSetSummary summary, Finding finding) {
        return summary == null ? "" : Integer.toString(summary.count(finding));
    }

    static List<String> row(ChangeLine line) {
        return cells(
                List.of(
                        Integer.toString(line.number()),
                        line.store().value(),
                        line.channel().value()),
                line.subject(),
                List.of(
                        amount(line.before()),
                        amount(line.after()),
                        currency(line.before(), line.after()),
                        text(line.effectiveDate()),
                        text(line.startsAt()),
                        line.finding().name(),
                        text(line.message()),
                        line.outcome().name(),
                        currency(line.before())));
    }

    static List<String> row(UpcomingChange change) {
        return cells(
                List.of(change.store().id().value(), change.channel().value()),
                change.subject(),
                List.of(
                        change.effectiveDate().toString(),
                        change.startsAt().toString(),
                        amount(change.after()),
                        currency(change.after()),
                        change.changeSet().value()));
    }

    static List<String> row(ScheduledBatch scheduled) {
        var batch = scheduled.batch();
        return List.of(
                scheduled.at().toString(),
                batch.store().value(),
                batch.channel().value(),
                batch.effectiveDate().toString(),
                Integer.toString(scheduled.size()),
                scheduled.changes().keySet().stream()
                        .sorted()
                        .map(Object::toString)
                        .collect(Collectors.joining(" ")));
    }

    static List<String> row(PriceHistoryEntry entry) {
        var by = Actors.cells(entry.actor());
        return cells(
                List.of(entry.store().value(), entry.channel().value()),
                entry.subject(),
                List.of(
                        entry.effectiveDate().toString(),
                        entry.at().toString(),
                        amount(entry.before()),
                        amount(entry.after()),
                        currency(entry.before(), entry.after()),
                        by.getFirst(),
                        by.getLast(),
                        entry.reason(),
                        entry.changeSet().value(),
                        currency(entry.before())));
    }

    private static List<String> cells(List<String> before, PriceSubject subject, List<String> after) {
        var names =
                switch (subject) {
                    case PriceSubject.Product(var product) -> List.of(product.value(), "", "");
                    case PriceSubject.Swap(var combo, var option) -> List.of("", combo.value(), option.value());
                };
        return Stream.of(before, names, after).flatMap(List::stream).toList();
    }

    private static String amount(@Nullable Money money) {
        return money == null ? "" : money.amount().toPlainString();
    }

    private static String currency(@Nullable Money before, @Nullable Money after) {
        return currency(after == null ? before : after);
    }

    private static String currency(@Nullable Money money) {
        return money == null ? "" : money.currency().getCurrencyCode();
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "");
    }
}
