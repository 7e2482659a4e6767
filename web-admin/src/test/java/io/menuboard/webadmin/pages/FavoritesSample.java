package io.menuboard.webadmin.pages;

import static io.menuboard.webadmin.pages.PagesServer.encoded;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.favorites.FavoritesAt;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.QueryDb;
import io.menuboard.tasks.TasksInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Marks that have everything the pages must cope with, on a server of their own: ranks that are shared,
 * restaurants that went up and down since midnight, ids of every kind, and counts that have drifted.
 *
 * @param past marks and counts as if it were the application
 * @param today the day of UTC in which the last marks were made
 * @param agreed a recount that found nothing
 * @param found a recount that found two restaurants
 */
public record FavoritesSample(
        PagesServer server, FavoritesAt past, LocalDate today, Recount.Id agreed, Recount.Id found) {
    static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    /** Restaurants {@code restaurant-01} and so on. */
    public static final int MANY = 40;

    /** Has marked all {@link #MANY}. */
    public static final String FAN = "user-1";

    /** Second since midnight. */
    public static final String NEWCOMER = "newcomer";

    public static final String SLASHED = "=A/B?c=d&e \"100%\" Zürich 東京";

    /** Has two marks that were not counted. */
    public static final String NOT_COUNTED = restaurant(30);

    /** Has a mark that was counted and taken back. */
    public static final String GONE = restaurant(31);

    private static final Duration AHEAD = Duration.ofSeconds(30);

    /** Made at the first call, never stopped. */
    public static FavoritesSample shared() {
        return Shared.INSTANCE;
    }

    public static FavoritesSample start(String table) {
        return start(table, Map.of());
    }

    /** As {@link #start(String)}, with further settings. */
    public static FavoritesSample start(String table, Map<String, Object> settings) {
        var server = PagesServer.start(table, settings);
        var tasks = TasksInstance.of(server::bean);
        var now = tasks.reads().now();
        var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        var midnight = today.atStartOfDay(ZoneOffset.UTC).toInstant();
        var past = new FavoritesAt(server.bean(QueryDb.class), tasks, midnight.minus(Duration.ofHours(12)));
        yesterday(past);
        past.count();
        past.setTime(midnight);
        past.snapshot();
        past.setTime(midnight.plus(Duration.between(midnight, now).dividedBy(2)));
        today(past);
        past.count();
        mark(past, NOT_COUNTED, 101, 102);
        past.unmark(FAN, GONE);
        past.lose();
        caughtUp(past, now);
        var recounts = server.bean(Recounts.class);
        var agreed = recount(recounts, new RestaurantId(restaurant(1)));
        return new FavoritesSample(server, past, today, agreed, recount(recounts, null));
    }

    /** The first one has the most, three have as many as the next one, and so on down to one. */
    private static void yesterday(FavoritesAt past) {
        for (var number = 1; number <= MANY; number++) {
            mark(past, restaurant(number), 1, Math.max(1, (MANY + 5 - number) / 4));
        }
    }

    private static void today(FavoritesAt past) {
        mark(past, restaurant(1), 20, 21);
        mark(past, NEWCOMER, 1, 12);
        mark(past, restaurant(20), 10, 14);
        mark(past, SLASHED, 1, 2);
        mark(past, PriceSample.ATTACK, 3, 3);
        past.mark(PriceSample.ATTACK, PriceSample.ATTACK);
        for (var user = 2; user <= 5; user++) {
            past.unmark("user-" + user, restaurant(2));
        }
    }

    /** By users from one number to another. */
    private static void mark(FavoritesAt past, String restaurant, int from, int to) {
        for (var user = from; user <= to; user++) {
            past.mark("user-" + user, restaurant);
        }
    }

    /** As if everything up to in a moment were counted, so that recounts need not wait. */
    public void caughtUp() {
        caughtUp(past, TasksInstance.of(server::bean).reads().now());
    }

    private static void caughtUp(FavoritesAt past, Instant now) {
        past.setTime(now.plus(AHEAD));
        past.count();
    }

    private static Recount.Id recount(Recounts recounts, @Nullable RestaurantId only) {
        var id = recounts.start(STAFF, Recount.Mode.CHECK, only).id();
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> recounts.find(STAFF, id).orElseThrow().finishedAt() != null);
        return id;
    }

    public static String restaurant(int number) {
        return "restaurant-%02d".formatted(number);
    }

    /** Addresses of every kind of page of favorites, in every state that looks different. */
    public List<String> pages() {
        return List.of(
                "/favorites?first=16",
                "/favorites?window=DAY&on=" + today.minusDays(1),
                restaurantPage(restaurant(1)) + "?first=16",
                restaurantPage(PriceSample.ATTACK) + "?by=hours",
                restaurantPage("nowhere"),
                "/favorites/restaurants?restaurant=a%23b",
                userPage(FAN) + "?first=16",
                "/favorites/recounts",
                "/favorites/recounts/new?mode=CORRECT&restaurant=restaurant-05",
                recountPage(found()));
    }

    public static String restaurantPage(String id) {
        return "/favorites/restaurants/" + encoded(id);
    }

    public static String userPage(String id) {
        return "/favorites/users/" + encoded(id);
    }

    public static String recountPage(Recount.Id id) {
        return "/favorites/recounts/" + id;
    }

    private static final class Shared {
        static final FavoritesSample INSTANCE = start("favorites-pages");
    }
}
