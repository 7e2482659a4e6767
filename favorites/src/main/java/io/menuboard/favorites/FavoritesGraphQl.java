package io.menuboard.favorites;

import io.menuboard.access.Access;
import io.menuboard.favorites.Rankings.Before;
import io.menuboard.favorites.Rankings.Count;
import io.menuboard.favorites.Rankings.Counts;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.UserError;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code favorites.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class FavoritesGraphQl implements GraphQlModule {
    private static final String RESTAURANT = "Restaurant";
    private static final String USER = "User";
    private static final String RECOUNT = "FavoriteRecount";
    private static final String KEY = "idempotencyKey";
    private static final int LISTS_AT_ONCE = 8;

    private final Favorites favorites;
    private final Rankings rankings;
    private final Recounts recounts;

    FavoritesGraphQl(Favorites favorites, Rankings rankings, Recounts recounts) {
        this.favorites = favorites;
        this.rankings = rankings;
        this.recounts = recounts;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("favorites");
        parts.query("restaurant", args -> Arguments.named("id", () -> new RestaurantId(args.key("id", RESTAURANT))));
        parts.query("user", args -> Arguments.named("id", () -> new UserId(args.key("id", USER))));
        parts.query("topRestaurants", this::top);
        parts.query("favoriteRecount", args -> recounts.find(args.access(), new Recount.Id(args.key("id", RECOUNT)))
                .orElse(null));
        parts.query("favoriteRecounts", args -> recounts.list(args.access(), args.page()));
        parts.mutation("favorite", this::favorite);
        parts.mutation("unfavorite", this::unfavorite);
        parts.mutation("recountFavorites", this::recount);
        nodes(parts);
        recounts(parts);
        ranking(parts);
        counts(parts);
    }

    /** Restaurants and users are no more than their ids: every one that is valid has a node. */
    private void nodes(SchemaParts parts) {
        parts.node(
                        RESTAURANT,
                        RestaurantId.class,
                        RestaurantId::value,
                        NodeReader.of(RestaurantId::new, Function.identity(), RestaurantId::value))
                .field("key", RestaurantId::value)
                .batch("favoriteCounts", (restaurants, args) -> rankings.counts(args.access(), restaurants))
                .batch(
                        "isFavorite",
                        (restaurants, args) -> favorites.areFavorites(args.access(), user(args), restaurants))
                .batch("favoritedBy", (restaurants, args) -> {
                    var page = args.page();
                    return Concurrently.map(
                            LISTS_AT_ONCE, restaurants, one -> favorites.favoritedBy(args.access(), one, page));
                });
        parts.node(USER, UserId.class, UserId::value, NodeReader.of(UserId::new, Function.identity(), UserId::value))
                .field("key", UserId::value)
                .batch("favorites", (users, args) -> {
                    var page = args.page();
                    return Concurrently.map(
                            LISTS_AT_ONCE, users, user -> favorites.favorites(args.access(), user, page));
                });
        parts.node(
                        "Favorite",
                        Favorite.class,
                        favorite -> favorite.id().toString(),
                        NodeReader.of(
                                Favorite.Id::parse,
                                (access, ids) -> favorites.findAll(access, ids),
                                favorite -> favorite.id().toString()))
                .field("createdAt", Favorite::created);
    }

    private void recounts(SchemaParts parts) {
        parts.object("RecountFavoritesPayload", RecountFavoritesPayload.class)
                .reference(
                        "existingRecount",
                        RECOUNT,
                        payload -> payload.existing() == null
                                ? null
                                : payload.existing().value());
        parts.node(
                        RECOUNT,
                        Recount.class,
                        recount -> recount.id().value(),
                        NodeReader.of(
                                Recount.Id::new, (access, ids) -> recounts.findAll(access, ids), recount -> recount.id()
                                        .value()))
                .field("key", recount -> recount.id().value())
                .field("requestedBy", Recount::by)
                .field("restaurantsChecked", Recount::checked)
                .field("restaurantsDrifted", Recount::drifted)
                .field("restaurantsUndecided", Recount::undecided)
                .reference(
                        "task",
                        "Task",
                        recount ->
                                recount.task() == null ? null : recount.task().value())
                .batch("drifts", (some, args) -> {
                    var page = args.page();
                    return Concurrently.map(
                            LISTS_AT_ONCE, some, recount -> recounts.drifts(args.access(), recount.id(), page));
                });
    }

    /** Reads the earlier ranking when somebody asks for it. */
    private final class Top {
        private final Access access;
        private final Ranking ranking;
        private @Nullable Before before;
        private @Nullable RuntimeException failure;

        Top(Access access, Ranking ranking) {
            this.access = access;
            this.ranking = ranking;
        }

        /** Tries once for all entries: where the table is slow, each of them would wait for it anew. */
        synchronized Before before() {
            if (failure != null) {
                throw failure;
            }
            var known = before;
            if (known == null) {
                try {
                    known = rankings.before(access, ranking.span());
                } catch (RuntimeException e) {
                    failure = e;
                    throw e;
                }
                before = known;
            }
            return known;
        }

        Page<Entry> page() {
            return ranking.page().map(ranked -> new Entry(ranked, this::before));
        }
    }

    private record Entry(RankedRestaurant ranked, Supplier<Before> before) {}

    private Top top(Arguments args) {
        var window = FavoriteWindow.valueOf(args.text("window"));
        var day = args.<LocalDate>find("on");
        var pagesOn = args.find("after") != null
                || args.find("before") != null
                || args.selects("edges/cursor", "pageInfo/startCursor", "pageInfo/endCursor");
        var access = args.access();
        return new Top(
                access,
                pagesOn
                        ? rankings.walk(access, window, day, args.page())
                        : rankings.top(access, window, day, args.page()));
    }

    private static void ranking(SchemaParts parts) {
        parts.object("TopRestaurantConnection", Top.class)
                .field("window", top -> top.ranking.span().window())
                .field("from", top -> top.ranking.span().from())
                .field("to", top -> top.ranking.span().to())
                .field("countedUntil", top -> top.ranking.asOf())
                .field("ranksComparedAt", top -> top.before().at())
                .field("edges", top -> top.page().edges())
                .field("nodes", top -> top.page().nodes())
                .field("pageInfo", top -> top.page());
        parts.object("RankedRestaurant", Entry.class)
                .field("rank", entry -> entry.ranked().rank())
                .field("position", entry -> entry.ranked().position())
                .field("restaurant", entry -> entry.ranked().restaurant())
                .field("count", entry -> entry.ranked().count())
                .field("reachedAt", entry -> entry.ranked().reachedAt())
                .field(
                        "previousRank",
                        entry -> entry.before().get().ranks().get(entry.ranked().restaurant()))
                .field("movement", entry -> entry.before().get().movement(entry.ranked()));
    }

    /** A part of a window, or one. */
    record Part(
            @Nullable FavoriteWindow window,
            @Nullable Instant from,
            @Nullable Instant to,
            long count) {
        static Part of(Count count) {
            return new Part(
                    count.span().window(), count.span().from(), count.span().to(), count.count());
        }
    }

    private static void counts(SchemaParts parts) {
        parts.object("FavoriteCounts", Counts.class)
                .field("countedUntil", Counts::asOf)
                .field(
                        "windows",
                        counts -> counts.windows().stream().map(Part::of).toList())
                .field("hours", counts -> parts(counts.hours(), hour -> hour, hour -> hour.plus(Duration.ofHours(1))))
                .field("days", counts -> parts(counts.days(), FavoritesGraphQl::start, day -> start(day.plusDays(1))))
                .field(
                        "months",
                        counts -> parts(
                                counts.months(),
                                month -> start(month.atDay(1)),
                                month -> start(month.plusMonths(1).atDay(1))));
    }

    private static <K> List<Part> parts(SortedMap<K, Long> counts, Function<K, Instant> from, Function<K, Instant> to) {
        return counts.entrySet().stream()
                .map(count -> new Part(null, from.apply(count.getKey()), to.apply(count.getKey()), count.getValue()))
                .toList();
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    /** Answer of favorite. */
    record FavoritePayload(Favorite favorite, boolean isNew, List<UserError> errors) {}

    private FavoritePayload favorite(Arguments args) {
        var marked = favorites.favorite(args.access(), user(args), restaurant(args));
        return new FavoritePayload(marked.favorite(), marked.isNew(), List.of());
    }

    /** Answer of unfavorite. */
    record UnfavoritePayload(
            @Nullable Favorite favorite, @Nullable Boolean wasTakenBack, List<UserError> errors) {}

    private UnfavoritePayload unfavorite(Arguments args) {
        var taken = favorites
                .unfavorite(args.access(), user(args), restaurant(args))
                .orElse(null);
        if (taken == null) {
            return new UnfavoritePayload(null, false, List.of());
        }
        return new UnfavoritePayload(taken.favorite(), taken.isCertain() ? true : null, List.of());
    }

    /**
     * Answer of recountFavorites.
     *
     * @param existing recount that the idempotency key belongs to, where it belongs to another request
     */
    record RecountFavoritesPayload(
            @Nullable Recount recount,
            Recount.@Nullable Id existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {}

    private RecountFavoritesPayload recount(Arguments args) {
        var restaurant = args.find("restaurant") == null ? null : restaurant(args);
        var mode = Mode.valueOf(args.get("mode", Mode.CHECK.name()));
        String key = args.find(KEY);
        if (key == null) {
            var recount = recounts.start(args.access(), mode, restaurant);
            return new RecountFavoritesPayload(recount, null, true, List.of());
        }
        return switch (recounts.startOnce(args.access(), key, mode, restaurant)) {
            case Recounts.Started.Begun(var recount, var isNew) ->
                new RecountFavoritesPayload(recount, null, isNew, List.of());
            case Recounts.Started.KeyReused(var existing) -> {
                var rule = KEY + " must be another one for another request: with " + key + ", recount " + existing
                        + " was begun";
                var errors = UserError.list("IDEMPOTENCY_KEY_REUSED", rule, "input", KEY);
                yield new RecountFavoritesPayload(null, existing, null, errors);
            }
        };
    }

    private static UserId user(Arguments args) {
        return new UserId(args.key("user", USER));
    }

    private static RestaurantId restaurant(Arguments args) {
        return new RestaurantId(args.key("restaurant", RESTAURANT));
    }
}
