package io.menuboard.favorites;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.favorites.Rankings.Before;
import io.menuboard.favorites.Rankings.Count;
import io.menuboard.favorites.Rankings.Counts;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code favorites.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class FavoritesGraphQl {
    private final Favorites favorites;
    private final Rankings rankings;
    private final Recounts recounts;
    private final PageLimits limits;

    FavoritesGraphQl(Favorites favorites, Rankings rankings, Recounts recounts, PageLimits limits) {
        this.favorites = favorites;
        this.rankings = rankings;
        this.recounts = recounts;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("isFavorite", args -> favorites.isFavorite(user(args), restaurant(args)))
                .dataFetcher("favorites", args -> favorites.favorites(user(args), page(args)))
                .dataFetcher("favoritedBy", args -> favorites.favoritedBy(restaurant(args), page(args)))
                .dataFetcher("favoriteCounts", args -> rankings.counts(restaurant(args)))
                .dataFetcher("topRestaurants", this::top)
                .dataFetcher("favoriteRecount", args -> recounts.find(new RecountId(text(args, "id")))
                        .orElse(null))
                .dataFetcher("favoriteRecounts", args -> recounts.list(page(args)))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("favorite", this::favorite)
                .dataFetcher("unfavorite", this::unfavorite)
                .dataFetcher("recountFavorites", this::recount)
                .build();
    }

    // ---- rankings

    /** Looks at how it was before when somebody asks for that. */
    private final class Top {
        private final Ranking ranking;
        private @Nullable Before before;

        Top(Ranking ranking) {
            this.ranking = ranking;
        }

        synchronized Before before() {
            var known = before;
            if (known == null) {
                known = rankings.before(ranking.span());
                before = known;
            }
            return known;
        }

        Page<Entry> page() {
            return ranking.page().map(ranked -> new Entry(ranked, this::before));
        }
    }

    private record Entry(RankedRestaurant ranked, Supplier<Before> before) {}

    private Top top(DataFetchingEnvironment args) {
        var window = FavoriteWindow.valueOf(text(args, "window"));
        return new Top(rankings.top(window, args.<LocalDate>getArgument("on"), page(args)));
    }

    TypeRuntimeWiring topConnection() {
        return TypeRuntimeWiring.newTypeWiring("TopRestaurantConnection")
                .dataFetcher("window", on(Top.class, top -> top.ranking.span().window()))
                .dataFetcher("from", on(Top.class, top -> top.ranking.span().from()))
                .dataFetcher("to", on(Top.class, top -> top.ranking.span().to()))
                .dataFetcher("asOf", on(Top.class, top -> top.ranking.asOf()))
                .dataFetcher("comparedWith", on(Top.class, top -> top.before().at()))
                .dataFetcher("edges", on(Top.class, top -> top.page().edges()))
                .dataFetcher("nodes", on(Top.class, top -> top.page().nodes()))
                .dataFetcher("pageInfo", on(Top.class, Top::page))
                .build();
    }

    TypeRuntimeWiring ranked() {
        return TypeRuntimeWiring.newTypeWiring("RankedRestaurant")
                .dataFetcher("rank", on(Entry.class, entry -> entry.ranked().rank()))
                .dataFetcher("position", on(Entry.class, entry -> entry.ranked().position()))
                .dataFetcher(
                        "restaurant", on(Entry.class, entry -> entry.ranked().restaurant()))
                .dataFetcher("count", on(Entry.class, entry -> entry.ranked().count()))
                .dataFetcher(
                        "reachedAt", on(Entry.class, entry -> entry.ranked().reachedAt()))
                .dataFetcher("previousRank", on(Entry.class, entry -> entry.before()
                        .get()
                        .ranks()
                        .get(entry.ranked().restaurant())))
                .dataFetcher(
                        "movement",
                        on(Entry.class, entry -> entry.before().get().movement(entry.ranked())))
                .build();
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

    static TypeRuntimeWiring counts() {
        return TypeRuntimeWiring.newTypeWiring("FavoriteCounts")
                .dataFetcher("windows", on(Counts.class, counts -> counts.windows().stream()
                        .map(Part::of)
                        .toList()))
                .dataFetcher(
                        "hours",
                        on(
                                Counts.class,
                                counts -> parts(counts.hours(), hour -> hour, hour -> hour.plus(Duration.ofHours(1)))))
                .dataFetcher(
                        "days",
                        on(
                                Counts.class,
                                counts -> parts(counts.days(), FavoritesGraphQl::start, day -> start(day.plusDays(1)))))
                .dataFetcher(
                        "months",
                        on(
                                Counts.class,
                                counts -> parts(
                                        counts.months(),
                                        month -> start(month.atDay(1)),
                                        month -> start(month.plusMonths(1).atDay(1)))))
                .build();
    }

    private static <K> List<Part> parts(SortedMap<K, Long> counts, Function<K, Instant> from, Function<K, Instant> to) {
        return counts.entrySet().stream()
                .map(count -> new Part(null, from.apply(count.getKey()), to.apply(count.getKey()), count.getValue()))
                .toList();
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    TypeRuntimeWiring recountType() {
        return TypeRuntimeWiring.newTypeWiring("FavoriteRecount")
                .dataFetcher("drifts", args -> {
                    Recount recount = Objects.requireNonNull(args.getSource());
                    return recounts.drifts(recount.id(), page(args));
                })
                .build();
    }

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    // ---- mutations

    /** Answer of favorite. */
    record FavoritePayload(
            @Nullable Favorite favorite, @Nullable Boolean isNew, List<UserError> errors) {}

    private FavoritePayload favorite(DataFetchingEnvironment args) {
        try {
            var marked = favorites.favorite(user(args), restaurant(args), actor(args));
            return new FavoritePayload(marked.favorite(), marked.isNew(), List.of());
        } catch (InvalidInput e) {
            return new FavoritePayload(null, null, UserError.list(e));
        }
    }

    /** Answer of unfavorite. */
    record UnfavoritePayload(@Nullable Favorite favorite, List<UserError> errors) {}

    private UnfavoritePayload unfavorite(DataFetchingEnvironment args) {
        try {
            return new UnfavoritePayload(
                    favorites.unfavorite(user(args), restaurant(args)).orElse(null), List.of());
        } catch (InvalidInput e) {
            return new UnfavoritePayload(null, UserError.list(e));
        }
    }

    /** Answer of recountFavorites. */
    record RecountFavoritesPayload(@Nullable Recount recount, List<UserError> errors) {}

    private RecountFavoritesPayload recount(DataFetchingEnvironment args) {
        try {
            var restaurant = args.<String>getArgument("restaurant");
            return new RecountFavoritesPayload(
                    recounts.start(
                            Mode.valueOf(text(args, "mode")),
                            restaurant == null ? null : new RestaurantId(restaurant),
                            actor(args)),
                    List.of());
        } catch (InvalidInput e) {
            return new RecountFavoritesPayload(null, UserError.list(e));
        }
    }

    // ---- arguments

    private static <T> DataFetcher<@Nullable Object> on(Class<T> type, Function<T, @Nullable Object> field) {
        return args -> field.apply(type.cast(Objects.requireNonNull(args.getSource())));
    }

    /** The one door: what logins will replace. */
    private static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    private static String text(DataFetchingEnvironment args, String name) {
        return String.valueOf(args.<Object>getArgument(name));
    }

    private static UserId user(DataFetchingEnvironment args) {
        return new UserId(text(args, "user"));
    }

    private static RestaurantId restaurant(DataFetchingEnvironment args) {
        return new RestaurantId(text(args, "restaurant"));
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }
}
