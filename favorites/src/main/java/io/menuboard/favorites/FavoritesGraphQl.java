package io.menuboard.favorites;

import io.menuboard.favorites.Rankings.Before;
import io.menuboard.favorites.Rankings.Count;
import io.menuboard.favorites.Rankings.Counts;
import io.menuboard.favorites.Rankings.Ranking;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.UserError;
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
        parts.query("isFavorite", args -> favorites.isFavorite(user(args), restaurant(args)));
        parts.query("favorites", args -> favorites.favorites(user(args), args.page()));
        parts.query("favoritedBy", args -> favorites.favoritedBy(restaurant(args), args.page()));
        parts.query("favoriteCounts", args -> rankings.counts(restaurant(args)));
        parts.query("topRestaurants", this::top);
        parts.query("favoriteRecount", args -> recounts.find(new RecountId(args.text("id")))
                .orElse(null));
        parts.query("favoriteRecounts", args -> recounts.list(args.page()));
        parts.mutation("favorite", this::favorite, refused -> new FavoritePayload(null, null, UserError.list(refused)));
        parts.mutation("unfavorite", this::unfavorite, refused -> new UnfavoritePayload(null, UserError.list(refused)));
        parts.mutation(
                "recountFavorites",
                this::recount,
                refused -> new RecountFavoritesPayload(null, UserError.list(refused)));
        ranking(parts);
        counts(parts);
        parts.object("FavoriteRecount", Recount.class)
                .field("drifts", (recount, args) -> recounts.drifts(recount.id(), args.page()));
    }

    // ---- rankings

    /** Reads the earlier ranking when somebody asks for it. */
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

    private Top top(Arguments args) {
        var window = FavoriteWindow.valueOf(args.text("window"));
        return new Top(rankings.top(window, args.<LocalDate>find("on"), args.page()));
    }

    private static void ranking(SchemaParts parts) {
        parts.object("TopRestaurantConnection", Top.class)
                .field("window", top -> top.ranking.span().window())
                .field("from", top -> top.ranking.span().from())
                .field("to", top -> top.ranking.span().to())
                .field("asOf", top -> top.ranking.asOf())
                .field("comparedWith", top -> top.before().at())
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

    // ---- mutations

    /** Answer of favorite. */
    record FavoritePayload(
            @Nullable Favorite favorite, @Nullable Boolean isNew, List<UserError> errors) {}

    private FavoritePayload favorite(Arguments args) {
        var marked = favorites.favorite(user(args), restaurant(args), args.actor());
        return new FavoritePayload(marked.favorite(), marked.isNew(), List.of());
    }

    /** Answer of unfavorite. */
    record UnfavoritePayload(@Nullable Favorite favorite, List<UserError> errors) {}

    private UnfavoritePayload unfavorite(Arguments args) {
        return new UnfavoritePayload(
                favorites.unfavorite(user(args), restaurant(args)).orElse(null), List.of());
    }

    /** Answer of recountFavorites. */
    record RecountFavoritesPayload(@Nullable Recount recount, List<UserError> errors) {}

    private RecountFavoritesPayload recount(Arguments args) {
        var restaurant = args.<String>find("restaurant");
        return new RecountFavoritesPayload(
                recounts.start(
                        Mode.valueOf(args.text("mode")),
                        restaurant == null ? null : new RestaurantId(restaurant),
                        args.actor()),
                List.of());
    }

    // ---- arguments

    private static UserId user(Arguments args) {
        return new UserId(args.text("user"));
    }

    private static RestaurantId restaurant(Arguments args) {
        return new RestaurantId(args.text("restaurant"));
    }
}
