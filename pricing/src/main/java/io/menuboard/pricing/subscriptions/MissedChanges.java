package io.menuboard.pricing.subscriptions;

import static java.util.stream.Collectors.toSet;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.batches.BatchedChangeSets;
import io.menuboard.pricing.current.PriceSnapshot;
import io.menuboard.pricing.current.PriceSnapshots;
import io.menuboard.pricing.current.ReadConsistency;
import io.menuboard.pricing.revisions.DynamoPriceLog;
import io.menuboard.pricing.revisions.PriceLogEntry;
import io.menuboard.pricing.revisions.PriceRevisions;
import io.menuboard.pricing.revisions.Revision;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes of prices that took effect since a position, from the table. What was changed at once is in the log, what was scheduled is
 * in the versions, and both have one order: an entry of the log comes after what was scheduled until its second. ADR 36 has the
 * proof. Thread-safe.
 */
final class MissedChanges {
    private static final int ATTEMPTS = 5;

    /** So that what is read at once is bounded: some megabytes. */
    private static final int MOST_ENTRIES = 2_000;

    private final PriceRevisions revisions;
    private final DynamoPriceLog priceLog;
    private final PriceSnapshots snapshots;
    private final DynamoPriceVersions versions;
    private final BatchedChangeSets sets;
    private final Clock clock;

    MissedChanges(
            PriceRevisions revisions,
            DynamoPriceLog priceLog,
            PriceSnapshots snapshots,
            DynamoPriceVersions versions,
            BatchedChangeSets sets,
            Clock clock) {
        this.revisions = revisions;
        this.priceLog = priceLog;
        this.snapshots = snapshots;
        this.versions = versions;
        this.sets = sets;
        this.clock = clock;
    }

    /**
     * State of a store and channel.
     *
     * @param revision number of the revision for which the rest is so
     * @param next instant after the position at which the next version begins; null for none
     * @param isSettled whether {@code next} is certain: false where a version may have been scheduled that could not be read yet
     */
    record Seen(Position position, long revision, @Nullable Instant next, boolean isSettled) {

        /** True where nothing but the log has changed until that revision: a change that schedules is a revision without an entry. */
        private boolean lacksOnlyLog(Revision now) {
            return isSettled
                    && now.number() - revision == now.logged() - position.logged()
                    && (next == null || now.passed().isBefore(next));
        }
    }

    /** Changes after a position, in their order, and the state after them. */
    record Found(List<Moment> moments, Seen seen) {}

    /** Others change the prices again and again, or what they have written cannot be read yet: it is to be tried later. */
    static final class Busy extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Busy(StoreId store, Channel channel) {
            super("prices of " + store + " " + channel + " change while they are read");
        }
    }

    /**
     * State after everything that has taken effect until now. A write unit, a read unit, and those of a snapshot.
     *
     * @throws InvalidInput {@code PRICES_LOADING}
     */
    Seen now(Store store, Channel channel) {
        passNow(store.id(), channel);
        var revision = revision(store.id(), channel);
        if (revision.isLoading()) {
            throw InvalidInput.sentence(
                    "PRICES_LOADING", "store", "The first prices of the store are being loaded; subscribe again later");
        }
        return since(store, Position.of(store.id(), channel, store.timeZone(), revision), null)
                .seen();
    }

    /** Takes this second for past. */
    void passNow(StoreId store, Channel channel) {
        revisions.pass(store, channel, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    }

    /** Takes an instant for past. */
    void pass(StoreId store, Channel channel, Instant instant) {
        revisions.pass(store, channel, instant);
    }

    /**
     * Changes since a position. A read unit, one for each 4 KB of the log, and, where what is scheduled may have changed or taken
     * effect, those of a snapshot and of the versions that took effect.
     *
     * @param seen the state at that position, if it is known
     * @throws InvalidInput {@code POSITION_EXPIRED}
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote one of the prices and this one cannot read it
     * @throws Busy where others were quicker each time, or where an entry of the log cannot be read yet
     */
    Found since(Store store, Position from, @Nullable Seen seen) {
        for (var attempt = 0; attempt < ATTEMPTS; attempt++) {
            var revision = revision(store.id(), from.channel());
            check(store, from, revision);
            var entries = entries(from, revision);
            if (seen != null && seen.lacksOnlyLog(revision)) {
                return new Window(store, from, revision, entries).found(seen.next(), true);
            }
            var found = snapshots
                    .of(store.id(), from.channel(), ReadConsistency.STRONG)
                    .filter(snapshot -> snapshot.revision() == revision.number())
                    .flatMap(snapshot -> new Window(store, from, revision, entries).withScheduled(snapshot));
            if (found.isPresent()) {
                return found.get();
            }
        }
        snapshots.requireReadable(store.id(), from.channel());
        throw new Busy(store.id(), from.channel());
    }

    /** How long it takes until what is seen is certain. */
    Duration settleAfter() {
        return snapshots.settleAfter();
    }

    private Revision revision(StoreId store, Channel channel) {
        return revisions.since(store, System.nanoTime()).of(channel);
    }

    private void check(Store store, Position from, Revision revision) {
        if (from.loads() != revision.loads()
                || from.logged() > revision.logged()
                || from.passed().isAfter(revision.passed())
                || revision.logged() - from.logged() > MOST_ENTRIES
                || !from.zone().equals(store.timeZone())
                || versions.mayHaveExpired(from.passed(), clock.instant())) {
            throw expired();
        }
    }

    /** Refusal of a position from which nobody can go on. */
    static InvalidInput expired() {
        return InvalidInput.sentence(
                "POSITION_EXPIRED",
                "after",
                "What came after it is not known any more; read the prices anew, and subscribe"
                        + " without a position");
    }

    private List<PriceLogEntry> entries(Position from, Revision revision) {
        if (from.logged() == revision.logged()) {
            return List.of();
        }
        var entries = priceLog.between(from.store(), from.channel(), from.logged(), revision.logged());
        if (entries.size() != revision.logged() - from.logged()) {
            // The table may show a revision before its entry, whose second has passed with it.
            if (clock.instant().isBefore(revision.passed().plus(settleAfter()))) {
                throw new Busy(from.store(), from.channel());
            }
            throw expired();
        }
        return entries;
    }

    /** What took effect between a position and a revision. */
    private final class Window {
        private final Store store;
        private final Position from;
        private final Revision revision;
        private final List<PriceLogEntry> entries;
        private final TreeMap<Instant, List<Row>> scheduled = new TreeMap<>();
        private final Map<ChangeSetId, Optional<Attribution>> known = new HashMap<>();

        Window(Store store, Position from, Revision revision, List<PriceLogEntry> entries) {
            this.store = store;
            this.from = from;
            this.revision = revision;
            this.entries = entries;
        }

        /**
         * What is in the log, and what was added to it.
         *
         * @param next when the next version begins that is in neither; null for none
         * @param isSettled as {@link Seen} has it
         */
        Found found(@Nullable Instant next, boolean isSettled) {
            return new Found(moments(), new Seen(end(), revision.number(), next, isSettled));
        }

        /** The same with the versions that have begun besides. Empty where they have changed since the snapshot. */
        Optional<Found> withScheduled(PriceSnapshot snapshot) {
            var zone = store.timeZone();
            var latest = EffectiveDate.latestAt(revision.passed(), zone);
            var logged = entries.stream()
                    .flatMap(entry -> entry.lines().stream())
                    .map(line -> new Version(line.subject(), line.date()))
                    .collect(toSet());
            addReplaced();
            if (!addBegun(snapshot, latest, logged)) {
                return Optional.empty();
            }
            var next = snapshot.firstAfter(latest);
            return Optional.of(found(
                    next == null ? null : next.startsAt(zone),
                    snapshots.isSettled(store.id(), from.channel(), snapshot)));
        }

        private Position end() {
            return from.at(revision.logged(), revision.passed());
        }

        /** Versions whose places others have taken in the second in which they took effect. */
        private void addReplaced() {
            for (var entry : entries) {
                for (var line : entry.lines()) {
                    var replaced = line.replaced();
                    var at = line.date().startsAt(store.timeZone());
                    if (replaced != null && at.isAfter(from.passed())) {
                        add(new Row(
                                line.subject(), line.date(), replaced.before(), line.before(), replaced.changeSet()));
                    }
                }
            }
        }

        private boolean addBegun(PriceSnapshot snapshot, EffectiveDate latest, Set<Version> logged) {
            var begun = new ArrayList<>(
                    snapshot.beginning(EffectiveDate.latestAt(from.passed(), store.timeZone()), latest));
            begun.removeIf(version -> logged.contains(new Version(version.subject(), version.date())));
            if (begun.isEmpty()) {
                return true;
            }
            var subjects = new HashSet<PriceSubject>();
            begun.forEach(version -> subjects.add(version.subject()));
            var now = versions.versions(store.id(), from.channel(), subjects);
            for (var version : begun) {
                var stored =
                        now.getOrDefault(version.subject(), StoredPrices.NONE).startingAt(version.date());
                if (stored == null || stored.writtenAt() != null || !Objects.equals(stored.price(), version.after())) {
                    checkIsPossible(stored);
                    return false;
                }
                add(new Row(version.subject(), version.date(), version.before(), version.after(), stored.changeSet()));
            }
            return true;
        }

        /** A version at once that is there at this revision, but in no entry since the position, was before it: it is made up. */
        private void checkIsPossible(@Nullable StoredPrice stored) {
            if (stored != null
                    && stored.writtenAt() != null
                    && revision(store.id(), from.channel()).number() == revision.number()) {
                throw expired();
            }
        }

        /** Leaves it out where an earlier change has made the price so already. */
        private void add(Row row) {
            if (!Objects.equals(row.before(), row.after())) {
                scheduled
                        .computeIfAbsent(row.date().startsAt(store.timeZone()), _ -> new ArrayList<>())
                        .add(row);
            }
        }

        private List<Moment> moments() {
            var moments = new ArrayList<Moment>();
            var logged = from.logged();
            for (var entry : entries) {
                addUntil(entry.at(), logged, moments);
                logged = entry.number();
                moments.add(moment(from.at(logged, entry.at()), entry.at(), changes(entry)));
            }
            addUntil(revision.passed(), logged, moments);
            return moments;
        }

        private void addUntil(Instant last, long logged, List<Moment> moments) {
            var begun = scheduled.headMap(last, true);
            begun.forEach((at, rows) -> moments.add(moment(
                    from.at(logged, at),
                    at,
                    rows.stream().map(row -> change(row, at)).toList())));
            begun.clear();
        }

        private static Moment moment(Position after, Instant at, List<PriceChange> changes) {
            return new Moment(after, new PriceChanges(after.text(), at, changes));
        }

        private List<PriceChange> changes(PriceLogEntry entry) {
            return entry.lines().stream()
                    .filter(line -> line.isInEffect() && !Objects.equals(line.before(), line.after()))
                    .map(line -> new PriceChange(
                            line.subject(),
                            entry.at(),
                            line.before(),
                            line.after(),
                            entry.by().changeSet(),
                            entry.by().reason()))
                    .toList();
        }

        private PriceChange change(Row row, Instant at) {
            var set = row.changeSet();
            return new PriceChange(
                    row.subject(),
                    at,
                    row.before(),
                    row.after(),
                    set,
                    set == null
                            ? null
                            : known.computeIfAbsent(set, sets::attribution)
                                    .map(Attribution::reason)
                                    .orElse(null));
        }
    }

    private record Version(PriceSubject subject, EffectiveDate date) {}

    private record Row(
            PriceSubject subject,
            EffectiveDate date,
            @Nullable Money before,
            @Nullable Money after,
            @Nullable ChangeSetId changeSet) {}
}
