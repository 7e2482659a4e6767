package io.menuboard.favorites;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ChangeRecord.Kind;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An instance of favorites on a test's table, wired as {@link FavoritesFactory} does; and the stream's records of marks. */
final class FavoritesFixture {
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock; a Sunday. */
    static final Instant NOW = MovingClock.START;

    static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    static final PageRequest PAGE = PageRequest.forward(2_000, null);
    private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
    private static final int MARK_SHARDS = 3;
    static final int RANK_SHARDS = 2;

    /** So few that a test can have more restaurants. */
    static final int FIRST_PLACES = 100;

    /** So few that a test can have more marks. */
    static final int MOST_NOTES = 50;

    private static final int MOST_MARKS = 20;

    /** So few that a test can lose more. */
    static final int MOST_UNDELIVERED = 25;

    static final Duration REST_EVERY = Duration.ofMinutes(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final QueryDb db;
    final Clock clock;
    final DynamoFavorites marks;
    final DynamoRollups rollups;
    final DynamoRanks dynamoRanks;
    final DynamoRankNotes notes;
    final RankNotes collectedNotes;
    final DynamoWatermarks watermarks;
    final WatchedRankings watched;
    final RankWriter ranks;
    final DynamoEventLedger ledger;
    final DynamoCounters counters;
    final CountingWatermark watermark;
    final FavoriteCounts counts;
    final FavoriteSweeps sweeps;
    final LiveRankings live;
    final Favorites favorites;
    final EarlierRankings earlier;
    final Rankings rankings;
    final AuditTrail audit;
    final TasksInstance tasks;
    final Recounts recounts;
    final RecountWork recountWork;

    /** Everybody may do everything, unless a test says otherwise. */
    CurrentAccess current = CurrentAccess.EVERYTHING;

    private int records;

    FavoritesFixture(QueryDb db, Clock clock) {
        this(db, clock, 0, MARK_SHARDS, RANK_SHARDS);
    }

    FavoritesFixture(QueryDb db, Clock clock, int counterShard) {
        this(db, clock, counterShard, MARK_SHARDS, RANK_SHARDS);
    }

    FavoritesFixture(QueryDb db, Clock clock, int counterShard, int markShards, int rankShards) {
        this(db, clock, counterShard, markShards, rankShards, Duration.ZERO);
    }

    FavoritesFixture(QueryDb db, Clock clock, int counterShard, int markShards, int rankShards, Duration rankEvery) {
        this(db, clock, counterShard, markShards, rankShards, FIRST_PLACES, rankEvery, TasksFixture.tasks(db, clock));
    }

    FavoritesFixture(QueryDb db, Clock clock, int counterShard, int markShards, int rankShards, int firstPlaces) {
        this(
                db,
                clock,
                counterShard,
                markShards,
                rankShards,
                firstPlaces,
                Duration.ZERO,
                TasksFixture.tasks(db, clock));
    }

    FavoritesFixture(
            QueryDb db,
            Clock clock,
            int counterShard,
            int markShards,
            int rankShards,
            int firstPlaces,
            Duration rankEvery,
            TasksInstance tasks) {
        this.db = db;
        this.clock = clock;
        marks = new DynamoFavorites(db, new Random(), markShards);
        rollups = new DynamoRollups(db, rankShards);
        dynamoRanks = new DynamoRanks(db, rankShards, firstPlaces, THREADS);
        notes = new DynamoRankNotes(db);
        watermarks = new DynamoWatermarks(db);
        watched = new WatchedRankings(new DynamoRankingWatches(db), clock, Duration.ZERO);
        ranks = new RankWriter(rollups, dynamoRanks, clock, 4);
        watermark = new CountingWatermark(watermarks, clock);
        ledger = new DynamoEventLedger(db, FavoritesFactory.RECONCILED_BYTES);
        audit = new AuditTrail(db, clock, new Random(3), new AuditTrail.Settings(1, Duration.ofDays(30)));
        counters = new DynamoCounters(db, ledger, rollups, audit, clock, new DynamoCounters.Settings(4, 4));
        collectedNotes = new RankNotes(notes, clock, rankEvery, THREADS);
        var debouncer = new RankingDebouncer(ranks, collectedNotes, watched, clock, rankEvery, THREADS);
        counts = new FavoriteCounts(counters, debouncer, watermark, THREADS);
        counts.slotAssigned(counterShard);
        var leases = new InstanceLeases(db, clock);
        sweeps = new FavoriteSweeps(
                ranks,
                rollups,
                notes,
                watermarks,
                watched,
                new FavoriteSweeps.Settings(leases, clock, REST_EVERY, MOST_NOTES));
        live = new LiveRankings(watched, sweeps, watermarks, clock, PATIENCE, THREADS);
        favorites = new Favorites(marks, clock);
        var rankSnapshots = new DynamoRankSnapshots(db);
        var pages = new RankingPages(
                dynamoRanks, new RankingEnds(rankSnapshots, dynamoRanks, leases, clock), rankSnapshots, FIRST_PLACES);
        earlier = new EarlierRankings(pages, watermarks, sweeps, watched, rankSnapshots, clock);
        rankings = new Rankings(pages, earlier, rollups, watermarks, live, clock);
        this.tasks = tasks;
        var snapshots = new RecountSnapshots(
                marks,
                ledger,
                rollups,
                ranks,
                watched,
                new RecountSnapshots.Settings(clock, MOST_MARKS, MOST_UNDELIVERED));
        var dynamoRecounts = new DynamoRecounts(db, audit, clock, new Random());
        var restaurants = new RestaurantRecount(snapshots, counters, ranks, watermarks, audit, Duration.ofMillis(300));
        recounts = new Recounts(dynamoRecounts, restaurants, tasks.submission(), clock, LocalTime.of(3, 0));
        recountWork = new RecountWork(dynamoRecounts, restaurants, rollups, actor -> current.of(actor), clock);
    }

    /** Marks, and answers the record of it, if anything changed. */
    Optional<ChangeRecord> mark(String user, String restaurant) {
        return favorites.favorite(GRACE, user(user), restaurant(restaurant)).isNew()
                ? record(null, find(user, restaurant))
                : Optional.empty();
    }

    /** Takes a mark back, and answers the record of it, if anything changed. */
    Optional<ChangeRecord> unmark(String user, String restaurant) {
        var before = find(user, restaurant);
        return favorites.unfavorite(GRACE, user(user), restaurant(restaurant)).flatMap(_ -> record(before, null));
    }

    private @Nullable Item find(String user, String restaurant) {
        return db.get(DynamoFavorites.key(user(user), restaurant(restaurant)), Consistency.STRONG)
                .orElse(null);
    }

    Optional<ChangeRecord> record(@Nullable Item before, @Nullable Item after) {
        var item = after == null ? before : after;
        if (item == null || (before != null && before.equals(after))) {
            return Optional.empty();
        }
        var kind = before == null ? Kind.CREATED : after == null ? Kind.REMOVED : Kind.CHANGED;
        return Optional.of(new ChangeRecord(
                "event-" + records++,
                clock.instant().truncatedTo(ChronoUnit.SECONDS),
                kind,
                item.key(),
                item.type(),
                before,
                after));
    }

    /** Marks so many users' favorite, and answers the records of it. */
    List<ChangeRecord> marks(String restaurant, int from, int to) {
        var keys = new ArrayList<Key>();
        for (var i = from; i < to; i++) {
            var user = user("user-" + i);
            if (!favorites.favorite(GRACE, user, restaurant(restaurant)).isNew()) {
                throw new IllegalArgumentException(user + " has marked " + restaurant + " before");
            }
            keys.add(DynamoFavorites.key(user, restaurant(restaurant)));
        }
        return db.getBatch(keys, Consistency.STRONG).stream()
                .map(item -> record(null, item.orElseThrow()).orElseThrow())
                .toList();
    }

    /** What is counted of a restaurant, in every window that is under way. */
    Map<FavoriteWindow, Long> counted(String restaurant) {
        var counted = new HashMap<FavoriteWindow, Long>();
        rankings.counts(GRACE, restaurant(restaurant))
                .windows()
                .forEach(count -> counted.put(count.span().window(), count.count()));
        return counted;
    }

    /** What is ranked of a restaurant, in every window that is under way. */
    Map<FavoriteWindow, Long> ranked(String restaurant) {
        return Objects.requireNonNull(ranked(List.of(restaurant)).get(restaurant));
    }

    /** The same of several restaurants: each ranking is read once. */
    Map<String, Map<FavoriteWindow, Long>> ranked(Collection<String> restaurants) {
        var ranked = new HashMap<String, Map<FavoriteWindow, Long>>();
        for (var window : FavoriteWindow.values()) {
            var counts = top(window).stream()
                    .collect(Collectors.groupingBy(
                            RankedRestaurant::restaurant, Collectors.summingLong(RankedRestaurant::count)));
            restaurants.forEach(name -> ranked.computeIfAbsent(name, _ -> new HashMap<>())
                    .put(window, counts.getOrDefault(restaurant(name), 0L)));
        }
        return ranked;
    }

    /** What the marks themselves say, in every window that is under way. */
    Map<FavoriteWindow, Long> recounted(String restaurant) {
        var all = favorites.favoritedBy(GRACE, restaurant(restaurant), PAGE).nodes();
        var recounted = new HashMap<FavoriteWindow, Long>();
        for (var window : FavoriteWindow.values()) {
            var span = Span.at(window, clock.instant());
            recounted.put(
                    window,
                    all.stream()
                            .filter(favorite -> span.contains(favorite.created()))
                            .count());
        }
        return recounted;
    }

    List<RankedRestaurant> top(FavoriteWindow window) {
        return rankings.top(GRACE, window, null, PAGE).page().nodes();
    }

    static UserId user(String id) {
        return new UserId(id);
    }

    static RestaurantId restaurant(String id) {
        return new RestaurantId(id);
    }
}
