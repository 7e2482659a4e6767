package io.menuboard.pricing.chunks;

import static io.menuboard.pricing.StoredPrices.priceOf;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.chunks.ChangeChunk.Line;
import io.menuboard.pricing.chunks.ChangeChunk.State;
import io.menuboard.pricing.revisions.PriceLogEntry;
import io.menuboard.pricing.revisions.PriceRevisions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans of chunks whose changes are in effect at once. Writes nothing itself. */
public final class DynamoAtOncePlans {
    static final String MOVED = "the price is not what it was when it was previewed";

    private final PriceBook book;
    private final PriceRevisions revisions;
    private final Clock clock;

    DynamoAtOncePlans(PriceBook book, PriceRevisions revisions, Clock clock) {
        this.book = book;
        this.revisions = revisions;
        this.clock = clock;
    }

    /**
     * Plans changes with their history and their entry in the log. A line whose price is not what the preview saw fails. Eight
     * write units a line, three for the audit record, two for each KB of the log, and two where a price is a product's first;
     * a read unit for the revision.
     */
    public DynamoChunkPlan plan(Attribution by, ChangeChunk chunk, Store store) {
        // Before the prices are read: what somebody changes meanwhile is then found out.
        var revision = revisions.since(store.id(), System.nanoTime()).of(chunk.channel());
        var now = early(clock.instant());
        return new Planning(
                        chunk,
                        store,
                        new Timing.AtOnce(
                                by,
                                revision,
                                now.isBefore(revision.passed()) ? revision.passed() : now,
                                new ArrayList<>()))
                .plan();
    }

    /** One plan, made line by line. */
    private final class Planning {
        private final Attribution by;
        private final ChangeChunk chunk;
        private final Store store;
        private final Timing.AtOnce timing;
        private final Instant now;
        private final EffectiveDate today;
        private final DynamoChunkPlan plan;
        private final Map<PriceSubject, StoredPrices> versions;
        private final List<PriceSubject> changed = new ArrayList<>();

        private boolean hasFirst;

        Planning(ChangeChunk chunk, Store store, Timing.AtOnce timing) {
            this.chunk = chunk;
            this.store = store;
            this.timing = timing;
            by = timing.by();
            now = timing.now();
            today = EffectiveDate.latestAt(now, store.timeZone());
            plan = DynamoChunkPlan.begin(chunk, State.APPLIED, timing, today);
            versions = new HashMap<>(book.versions().versions(chunk.store(), chunk.channel(), chunk.subjects()));
        }

        DynamoChunkPlan plan() {
            for (var line : inOrder(chunk.lines())) {
                var all = versions.getOrDefault(line.subject(), StoredPrices.NONE);
                if (hasMoved(line, all)) {
                    plan.fail(line, MOVED);
                } else {
                    write(line, all);
                }
            }
            if (!changed.isEmpty()) {
                plan.add(book.audit().changed(by, store.id(), chunk.channel(), today, changed));
            }
            if (hasFirst) {
                plan.add(DynamoPriceLoads.isNotBeingLoaded(chunk, by.changeSet()));
            }
            return plan;
        }

        private boolean hasMoved(Line line, StoredPrices all) {
            if (line.date() == null) {
                return !Objects.equals(priceOf(all.until(today)), line.before());
            }
            // Since a date of its own a price only counts where there is none.
            var other = all.until(today);
            return other != null && !by.changeSet().equals(other.changeSet());
        }

        private void write(Line line, StoredPrices all) {
            var date = line.date() == null ? today : line.date();
            var current = all.until(date);
            var replaced = current != null && current.effectiveDate().equals(date) ? current : null;
            var writtenAt = after(replaced, store, now);
            // Of several dates in one file the last one counts, whichever is written last.
            var at = line.date() == null ? writtenAt : date.startsAt(store.timeZone());
            var version = new StoredPrice(date, line.after(), by.changeSet(), false, writtenAt, List.of());
            plan.add(DynamoPriceVersions.put(store.id(), chunk.channel(), line.subject(), version, replaced));
            plan.add(book.history()
                    .write(by, store.id(), chunk.channel(), line.subject(), at, now, date, current, line.after()));
            if (current != null
                    && replaced == null
                    && !current.superseded()
                    && !by.changeSet().equals(current.changeSet())) {
                plan.add(book.versions().supersede(store.id(), chunk.channel(), line.subject(), current, now));
            }
            timing.lines().add(logged(line, date, all, replaced));
            hasFirst |= all.isEmpty();
            changed.add(line.subject());
            // A file may have further lines of the same price, with other dates.
            versions.put(line.subject(), all.with(version));
        }

        private PriceLogEntry.Line logged(
                Line line, EffectiveDate date, StoredPrices all, @Nullable StoredPrice replaced) {
            var inEffect = all.until(today);
            return new PriceLogEntry.Line(
                    line.subject(),
                    date,
                    inEffect == null || inEffect.effectiveDate().compareTo(date) <= 0,
                    priceOf(inEffect),
                    line.after(),
                    replaced == null || replaced.writtenAt() != null
                            ? null
                            : new PriceLogEntry.Replaced(replaced.changeSet(), priceOf(all.before(date))));
        }
    }

    /** Lines of the same price by their dates, so that the last of them is what history ends with. */
    private static List<Line> inOrder(List<Line> lines) {
        return lines.stream()
                .sorted(Comparator.comparing(Line::date, Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
    }

    /** Within the first nine tenths of its second, so that what comes {@link #after} it is not in the next one. */
    private static Instant early(Instant now) {
        var second = now.truncatedTo(ChronoUnit.SECONDS);
        return second.plusMillis(Duration.between(second, now).toMillis() * 9 / 10);
    }

    /** History sorts by it: what replaces a version that came or was written in the same second comes after that one. */
    private static Instant after(@Nullable StoredPrice replaced, Store store, Instant now) {
        if (replaced == null || replaced.changeSet() == null) {
            return now;
        }
        var before = Objects.requireNonNullElseGet(
                replaced.writtenAt(), () -> replaced.effectiveDate().startsAt(store.timeZone()));
        return before.isBefore(now) ? now : before.plusMillis(1);
    }
}
