package io.menuboard.instances;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.Favorites;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.RestaurantId;
import io.menuboard.favorites.UserId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalBus;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances of the jar that are killed while they apply price changes and count marks, again and again. */
class KilledInstancesIT {
    private static final Path JAR = Path.of(Objects.requireNonNull(
            System.getProperty("menuboard.jar"), "menuboard.jar must name the jar; Maven does that"));

    /** Fewer than the receives that make a dead letter. */
    private static final int KILLS = "full".equals(System.getProperty("soak")) ? 3 : 2;

    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final List<StoreId> STORES = IntStream.range(0, 24)
            .mapToObj(number -> new StoreId("DE-%04d".formatted(number)))
            .toList();
    private static final List<ProductId> PRODUCTS = IntStream.range(0, 12)
            .mapToObj(number -> new ProductId("P%03d".formatted(number)))
            .toList();
    private static final int LINES = STORES.size() * PRODUCTS.size();

    private static final int RESTAURANTS = 12;
    private static final int USERS = 200;
    private static final long BETWEEN_MARKS = 10_000_000;

    /** Long enough for an instance to keep its messages where it has to wait for a processor. */
    private static final Duration VISIBILITY = Duration.ofSeconds(10);

    /** A message that was with an instance that was killed is delivered again by then. */
    private static final Duration REDELIVERED = VISIBILITY.plusSeconds(5);

    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    private final Random random = new Random(5);

    @Test
    @Timeout(900)
    void everyChangeIsAppliedOnceAndAnnouncedAndEveryMarkCountedOnce() throws Exception {
        try (var aws = LocalAws.start(null, "killed-instances");
                // The use cases alone: what an instance does by itself begins with its server.
                var context = ApplicationContext.builder()
                        .properties(aws.properties())
                        .start()) {
            save(context);
            var set = schedule(context, LocalDateTime.now(Clock.system(ZONE)).plusSeconds(15));

            var enough = new AtomicBoolean();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var marking = threads.submit(() -> mark(context.getBean(Favorites.class), enough));
                try {
                    for (var kill = 0; kill < KILLS; kill++) {
                        var instance = start(aws);
                        var announced = aws.bus().events().size() + 1 + random.nextInt(LINES / KILLS);
                        Progress.await(
                                "events",
                                () -> aws.bus().events().size(),
                                events -> events >= Math.min(announced, LINES));
                        instance.kill();
                    }
                } finally {
                    enough.set(true);
                }
                marking.get();
            }
            var marked = context.getBean(Pricing.class).now();
            var last = start(aws);
            Progress.await(
                    "announced lines and waiting batches",
                    () -> List.of(announced(aws, set), waiting(context)),
                    List.of(LINES, 0)::equals);
            Progress.await(
                    "the watermark",
                    () -> context.getBean(Rankings.class)
                            .counts(GRACE, restaurant(0))
                            .asOf(),
                    asOf -> asOf.isAfter(marked.plus(REDELIVERED)));
            // What the watermark says is counted may still have to be ranked.
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> everyMarkIsCountedOnce(context));
            assertThat(List.of(aws.changes(), aws.due(), aws.favorites()))
                    .as("queues without dead letters")
                    .allMatch(queue -> aws.queues().isEmpty(queue.deadUrl()));
            last.kill();
            var history = context.getBean(PriceHistory.class);
            for (var store : STORES) {
                for (var product : PRODUCTS) {
                    assertThat(history.of(
                                            EVERYTHING,
                                            store,
                                            Channel.ALL,
                                            new PriceSubject.Product(product),
                                            PageRequest.forward(10, null))
                                    .nodes())
                            .as("%s %s", store, product)
                            .singleElement()
                            .satisfies(entry -> assertThat(List.of(euros("4.99"), euros("5.49")))
                                    .containsExactly(entry.before(), entry.after()));
                }
            }
        }
    }

    /** Marks restaurants and takes marks back, at random, until it is enough. */
    private static void mark(Favorites favorites, AtomicBoolean enough) {
        var random = new Random(7);
        while (!enough.get()) {
            var user = new UserId("user-" + random.nextInt(USERS));
            var restaurant = restaurant(random.nextInt(RESTAURANTS) * random.nextInt(RESTAURANTS) / RESTAURANTS);
            if (favorites.unfavorite(GRACE, user, restaurant).isEmpty()) {
                favorites.favorite(GRACE, user, restaurant);
            }
            LockSupport.parkNanos(BETWEEN_MARKS);
        }
    }

    private static void everyMarkIsCountedOnce(ApplicationContext context) {
        var all = PageRequest.forward(USERS, null);
        var favorites = context.getBean(Favorites.class);
        var rankings = context.getBean(Rankings.class);
        var marks = new TreeMap<RestaurantId, Long>();
        for (var number = 0; number < RESTAURANTS; number++) {
            var restaurant = restaurant(number);
            var count = favorites.favoritedBy(GRACE, restaurant, all).nodes().size();
            if (count > 0) {
                marks.put(restaurant, (long) count);
            }
        }
        assertThat(marks).isNotEmpty();
        // Not those of the calendar: one of them may end just now.
        for (var window : List.of(FavoriteWindow.ALL_TIME, FavoriteWindow.LAST_24_HOURS, FavoriteWindow.LAST_30_DAYS)) {
            assertThat(marks.keySet()).as("%s", window).allSatisfy(restaurant -> assertThat(
                            rankings.counts(GRACE, restaurant).of(window))
                    .as("%s", restaurant)
                    .isEqualTo(marks.get(restaurant)));
            assertThat(rankings.top(GRACE, window, null, all).page().nodes())
                    .as("%s", window)
                    .allSatisfy(one -> assertThat(one.count()).isEqualTo(marks.get(one.restaurant())))
                    .hasSameSizeAs(marks.keySet());
        }
    }

    private static RestaurantId restaurant(int number) {
        return new RestaurantId("restaurant-" + number);
    }

    private static JarInstance start(LocalAws aws) throws IOException {
        return JarInstance.start(
                JAR,
                aws,
                Map.of(
                        "MENUBOARD_QUEUES_VISIBILITY", VISIBILITY.toSeconds() + "s",
                        "MENUBOARD_QUEUES_BACKOFF", "1s",
                        "MENUBOARD_QUEUES_LONG_POLL", "1s"));
    }

    private static int announced(LocalAws aws, ChangeSet set) {
        return aws.bus().events().stream()
                .map(LocalBus.Event::detail)
                .filter(detail ->
                        detail.path("changeSet").asText().equals(set.id().value()))
                .map(detail -> detail.path("id").asText())
                .collect(toSet())
                .size();
    }

    private static int waiting(ApplicationContext context) {
        var now = context.getBean(Pricing.class).now();
        return context.getBean(ChangeBatches.class)
                .between(EVERYTHING, now.minus(Duration.ofHours(1)), now.plus(Duration.ofHours(1)))
                .size();
    }

    private static void save(ApplicationContext context) {
        var stores = STORES.stream()
                .map(id ->
                        new Store(id, "Store " + id, Address.UNKNOWN, ZONE, Money.currencyOf("EUR"), StoreStatus.OPEN))
                .toList();
        context.getBean(Stores.class).save(EVERYTHING, stores);
        SamplePrices.save(
                context.getBean(Imports.class),
                context.getBean(ChangeSets.class),
                stores.stream()
                        .flatMap(store -> PRODUCTS.stream()
                                .map(product -> new BasePrice(
                                        store, Channel.ALL, product, EffectiveDate.parse("2020-01-01"), euros("4.99"))))
                        .toList());
    }

    private static ChangeSet schedule(ApplicationContext context, LocalDateTime at) {
        var sets = context.getBean(ChangeSets.class);
        var rule = new ChangeRule(
                new StoreSelection.Listed(STORES),
                PRODUCTS.stream().<PriceSubject>map(PriceSubject.Product::new).toList(),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal("5.49"), null),
                null);
        var draft = done(context.getBean(ChangeSetDrafts.class)
                .draft(
                        GRACE,
                        new DraftChangeSet("Summer", "costs rose", new EffectiveDate(at.withNano(0)), List.of(rule)),
                        null));
        return done(sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new AssertionError(result);
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), Money.currencyOf("EUR"));
    }
}
