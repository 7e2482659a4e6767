package io.menuboard.pricing.batches;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.batches.DynamoPendingChanges.PendingChange;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Gatherers;

/**
 * Applies batches whose time has come: gives each change its history, the version before it an end, and the batch its
 * end. Thread-safe.
 */
public final class DynamoBatchApplier {
    /** Lines of one transaction: at most three writes each, and three more, of the hundred that there may be. */
    private static final int LINES_AT_ONCE = 32;

    /** By then a transaction is seen as a whole of which anything was seen, as ADR 34 assumes. */
    private static final Duration SETTLE_AFTER = Duration.ofSeconds(10);

    private final QueryDb db;
    private final DynamoPriceBatches batches;
    private final DynamoPendingChanges pending;
    private final PriceBook book;
    private final PriceRevisions revisions;
    private final Clock clock;

    DynamoBatchApplier(
            QueryDb db,
            DynamoPriceBatches batches,
            DynamoPendingChanges pending,
            PriceBook book,
            PriceRevisions revisions,
            Clock clock) {
        this.db = db;
        this.batches = batches;
        this.pending = pending;
        this.book = book;
        this.revisions = revisions;
        this.clock = clock;
    }

    /**
     * Applies a batch. Safe to repeat, also concurrently: each change is applied in one transaction, by whoever
     * removes it. Its instant is taken for past first: nothing that is written later counts from before it, so that what
     * history says was before stays true. Seven write units a line, three for the audit record of each {@value #LINES_AT_ONCE},
     * three for the batch, and one for its instant. Where the store has got another clock since the batch was last changed, or
     * an attempt has failed, a read unit a line for its history.
     *
     * <p>Of a transaction that is being committed the batch may be seen before its changes are. So the batch is removed where as many
     * changes were applied here as it counts; where fewer were, as others have applied some, only some time after its instant, which
     * was taken for past before. Until then it is left, and the {@linkplain PriceReconciler reconciler} comes to it.
     *
     * @param attributions of change sets that have changes in the batch; changes of one without it have
     *     {@linkplain Attribution#notKept no author and no reason}
     * @return number of changes that this call applied
     */
    public int apply(PriceBatch batch, Store store, Function<ChangeSetId, Optional<Attribution>> attributions) {
        return new Run(batch, store, attributions).apply();
    }

    /** True once the time of a batch has come in its store; where that is depends on where the store is now. */
    public boolean isDue(PriceBatch batch, Store store) {
        return !clock.instant().isBefore(batch.effectiveDate().startsAt(store.timeZone()));
    }

    /** One application of a batch. */
    private final class Run {
        private final PriceBatch batch;
        private final ZoneId zone;
        private final Instant at;
        private final Function<ChangeSetId, Optional<Attribution>> attributions;
        private final Map<ChangeSetId, Attribution> known = new HashMap<>();
        private int applied;
        private boolean hasPassed;

        /** Whether the instant was not taken for past before: what was written until then may not be seen yet. */
        private boolean isFirst;

        /**
         * Whether history may have an earlier date at this instant or a later one: the store's clock is not the one that the batch
         * was written by, or an attempt has failed.
         */
        private boolean readsHistory;

        Run(PriceBatch batch, Store store, Function<ChangeSetId, Optional<Attribution>> attributions) {
            this.batch = batch;
            this.zone = store.timeZone();
            this.at = batch.effectiveDate().startsAt(zone);
            this.attributions = attributions;
        }

        int apply() {
            return Contention.retry(batch.toString(), () -> {
                var current = batches.current(batch);
                readsHistory |= current.filter(found -> !found.at().equals(at)).isPresent();
                if (current.isPresent()) {
                    pass(); // before the changes are read: what is not found then was written before it, or is refused
                }
                Contention.retryUntil("changes of " + batch, this::applyChanges);
                // What was added since has changed the version.
                return current.isEmpty()
                                || !isComplete(current.get())
                                || batches.remove(batch, current.get().version())
                        ? Optional.of(applied)
                        : Optional.empty();
            });
        }

        /** Whether no change can be left of the batch as it was read. */
        private boolean isComplete(DynamoPriceBatches.Current current) {
            return applied >= current.changes() || (!isFirst && !clock.instant().isBefore(at.plus(SETTLE_AFTER)));
        }

        private void pass() {
            if (!hasPassed) {
                isFirst = revisions.pass(batch.store(), batch.channel(), at);
                hasPassed = true;
            }
        }

        /** Applies the changes that are left; false where others changed some of them meanwhile. */
        private boolean applyChanges() {
            var changes = pending.of(batch);
            if (!changes.isEmpty()) {
                pass();
            }
            var before = applied;
            for (var together : together(changes)) {
                var set = together.getFirst().set();
                if (isApplied(known.computeIfAbsent(set, this::attribution), together)) {
                    applied += together.size();
                }
            }
            var isDone = applied - before == changes.size();
            readsHistory |= !isDone;
            return isDone;
        }

        private Attribution attribution(ChangeSetId set) {
            return attributions.apply(set).orElseGet(() -> Attribution.notKept(set));
        }

        /** Makes one transaction of them; false where others were quicker, or changed something meanwhile. */
        private boolean isApplied(Attribution by, List<PendingChange> changes) {
            var subjects = changes.stream().map(PendingChange::subject).toList();
            var versions = book.versions().versions(batch.store(), batch.channel(), subjects);
            var writes = new ArrayList<Write>();
            for (var change : changes) {
                var all = versions.getOrDefault(change.subject(), StoredPrices.NONE);
                if (all.startingAt(batch.effectiveDate()) == null) {
                    return false; // cancelled between the two reads
                }
                writes.addAll(writes(by, change, all));
            }
            writes.add(book.audit().changed(by, batch.store(), batch.channel(), batch.effectiveDate(), subjects));
            try {
                db.transact(writes);
                return true;
            } catch (ConditionFailed _) {
                return false;
            }
        }

        private List<Write> writes(Attribution by, PendingChange change, StoredPrices all) {
            var previous = all.before(batch.effectiveDate());
            var writes = new ArrayList<Write>();
            writes.add(Write.delete(
                    DynamoPendingChanges.key(batch, change.subject()), DynamoPriceVersions.isOf(change.set())));
            writes.add(book.history()
                    .write(
                            by,
                            batch.store(),
                            batch.channel(),
                            change.subject(),
                            after(all, change.subject()),
                            clock.instant(),
                            batch.effectiveDate(),
                            previous,
                            change.after()));
            if (previous != null && !previous.superseded()) {
                writes.add(book.versions()
                        .supersede(batch.store(), batch.channel(), change.subject(), previous, clock.instant()));
            }
            return writes;
        }

        /**
         * History sorts by it, and so in the order of effective dates. Where the store's clock was set forward since, it shows
         * what was set at once, or has come by the clock before, earlier than the batch: what it has come to since comes after
         * that, one millisecond after the other, in whatever order batches are applied. So does what begins at one instant
         * because the clock jumps over its dates.
         */
        private Instant after(StoredPrices all, PriceSubject subject) {
            var told = readsHistory
                    ? book.history().lastSince(batch.store(), batch.channel(), subject, at, batch.effectiveDate())
                    : Optional.<PriceHistoryEntry>empty();
            var last = told.map(entry -> Instant.parse(entry.sequence())).orElse(Instant.MIN);
            for (var version : all.versions()) {
                var date = version.effectiveDate();
                if (date.compareTo(batch.effectiveDate()) >= 0) {
                    break;
                }
                if (version.writtenAt() != null) {
                    last = later(version.writtenAt(), last);
                } else if (told.isEmpty() || date.compareTo(told.get().effectiveDate()) > 0) {
                    last = later(date.startsAt(zone), last.plusMillis(1));
                }
            }
            return later(at, last.plusMillis(1));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Changes of one set together, as many as one transaction takes. */
    private static List<List<PendingChange>> together(List<PendingChange> changes) {
        return changes.stream().collect(groupingBy(PendingChange::set, LinkedHashMap::new, toList())).values().stream()
                .flatMap(ofSet -> ofSet.stream().gather(Gatherers.windowFixed(LINES_AT_ONCE)))
                .toList();
    }
}
