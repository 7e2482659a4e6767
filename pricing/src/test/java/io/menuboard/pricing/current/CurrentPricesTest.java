package io.menuboard.pricing.current;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.NOW;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.graphql.conditional.Dependency;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PricingFixture;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.pricing.revisions.RevisionsFixture;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.HalfVisibleTransactions;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Workload;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

class CurrentPricesTest {
    private static final Channel APP = new Channel("APP");
    private static final Instant JULY = EffectiveDate.parse("2036-07-01").startsAt(BERLIN.timeZone());

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;
    private CurrentPrices prices;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.stores.require(EVERYTHING, BERLIN.id());
        prices = CurrentFixture.prices(fixture, fixture.revisions, CurrentFixture.MAX_AGE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Asked asked(Channel channel, Instant at) {
        return new Asked(BERLIN.id(), channel, at, ReadConsistency.BOUNDED);
    }

    private void load(String... products) {
        fixture.load(Stream.of(products)
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
    }

    private void change(@Nullable String date, String amount, String... products) {
        fixture.applied(fixture.drafted(ChangesFixture.draft(date, setTo(amount, products))));
    }

    private static ChangeRule setTo(String amount, String... products) {
        return new ChangeRule(
                new StoreSelection.Listed(List.of(BERLIN.id())),
                Stream.of(products).map(ChangesFixture::product).toList(),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal(amount), null),
                null);
    }

    /** Has them read and remembered, as a menu does. */
    private void remember(CurrentPrices some) {
        for (var channel : List.of(APP, Channel.ALL)) {
            some.basePrices(
                    EVERYTHING,
                    new Asked(BERLIN.id(), channel, clock.instant(), ReadConsistency.STRONG),
                    null,
                    PageRequest.forward(1, null));
        }
    }

    private Page<BasePrice> page(Asked asked, PageRequest page) {
        return prices.basePrices(EVERYTHING, asked, null, page);
    }

    private Page<BasePrice> stored(Asked asked, PageRequest page) {
        return fixture.pricing.basePrices(EVERYTHING, asked.store(), asked.channel(), null, asked.at(), page);
    }

    private static <T> List<Object> shape(Page<T> page) {
        return List.of(
                page.nodes(),
                page.hasNextPage(),
                page.hasPreviousPage(),
                page.edges().stream().map(edge -> edge.cursor()).toList().size());
    }

    @Test
    void whatIsReadForAnInstantBeforeMidnightHasNotTheStateAfterIt() {
        load("P1");
        change("2036-07-01", "5.99", "P1");
        clock.set(JULY.minusSeconds(1));
        remember(prices);
        var field = new CurrentPricesGraphQl.InEffect(prices, asked(Channel.ALL, JULY.minusSeconds(1)), true);
        var states = new ArrayList<Dependency.State>();

        field.read(EVERYTHING, () -> "before midnight", states::add);
        clock.set(JULY);
        field.read(EVERYTHING, () -> "a field of the same request, after it", states::add);

        assertThat(states).extracting(Dependency.State::ends).containsExactly(JULY);
    }

    @Test
    void pagesAreThoseOfTheTableAlsoWithItsCursors() {
        load("P", "P!", "P 1", "P10", "P1", "P11", "Q", "ä", "P1-x");
        change("2036-07-01", "5.99", "P1", "Q");
        var everything = PageRequest.forward(100, null);
        remember(prices);

        for (var at : List.of(NOW, JULY)) {
            var asked = asked(Channel.ALL, at);
            assertThat(shape(page(asked, everything))).isEqualTo(shape(stored(asked, everything)));
            for (var size = 1; size < 5; size++) {
                // Forwards and back again, each page with a cursor of the other way to the same list.
                String ours = null;
                String theirs = null;
                while (true) {
                    var mine = page(asked, PageRequest.forward(size, theirs));
                    var table = stored(asked, PageRequest.forward(size, ours));
                    assertThat(shape(mine)).isEqualTo(shape(table));
                    assertThat(shape(page(asked, PageRequest.backward(size, table.startCursor()))))
                            .isEqualTo(shape(stored(asked, PageRequest.backward(size, mine.startCursor()))));
                    if (!mine.hasNextPage()) {
                        break;
                    }
                    ours = mine.endCursor();
                    theirs = table.endCursor();
                }
            }
        }
    }

    @Test
    void singlePricesAreThoseOfTheTable() {
        load(products(8));
        fixture.load(List.of(
                price(BERLIN, "APP", "P001", "2030-01-01", "7.99"),
                new SwapPrice(
                        BERLIN,
                        APP,
                        new ComboId("MENU"),
                        new OptionId("COLA"),
                        EffectiveDate.parse("2030-01-01"),
                        new Money(new BigDecimal("0.50"), BERLIN.currency()))));
        change("2036-07-01", "5.99", "P001", "P002");
        remember(prices);
        var subjects = Stream.of("P000", "P001", "P002", "P007", "NONE")
                .map(ChangesFixture::product)
                .toList();

        for (var at : List.of(NOW, JULY)) {
            for (var channel : List.of(APP, Channel.ALL)) {
                assertThat(prices.prices(EVERYTHING, asked(channel, at), subjects))
                        .isEqualTo(fixture.pricing.prices(EVERYTHING, BERLIN.id(), subjects, channel, at));
            }
        }
        assertThat(prices.swapPrices(EVERYTHING, asked(APP, NOW), null, PageRequest.forward(10, null))
                        .nodes())
                .isEqualTo(fixture.pricing
                        .swapPrices(EVERYTHING, BERLIN.id(), APP, null, NOW, PageRequest.forward(10, null))
                        .nodes())
                .hasSize(1);
    }

    @Test
    void whatIsRememberedCostsNothingAndWhatIsToBeStrongOneUnit() {
        load(products(64));
        change("2036-07-01", "5.99", "P001");
        var page = PageRequest.forward(64, null);

        assertThat(table.meter().during(() -> page(asked(Channel.ALL, NOW), page)))
                .as("from the table, strongly consistent")
                .isEqualTo(new Units(1, 2, 0));
        page(asked(Channel.ALL, NOW), page);
        await().until(() ->
                table.meter().during(() -> page(asked(Channel.ALL, NOW), page)).equals(new Units(0, 0, 0)));
        assertThat(table.meter().during(() -> page(asked(Channel.ALL, NOW), page)))
                .isEqualTo(new Units(0, 0, 0));
        assertThat(table.meter().during(() -> page(asked(Channel.ALL, JULY), page)))
                .isEqualTo(new Units(0, 0, 0));
        assertThat(table.meter()
                        .during(() -> page(new Asked(BERLIN.id(), Channel.ALL, NOW, ReadConsistency.STRONG), page)))
                .isEqualTo(new Units(1, 1, 0));
    }

    @Test
    void ownChangesAreSeenAtOnceAndOnesOfOthersWhenTheBoundHasPassed() {
        load("P001");
        var other = CurrentFixture.prices(fixture, RevisionsFixture.revisions(fixture.db), CurrentFixture.MAX_AGE);
        var impatient = CurrentFixture.prices(fixture, RevisionsFixture.revisions(fixture.db), Duration.ZERO);
        var asked = asked(Channel.ALL, NOW);
        List.of(prices, impatient, other).forEach(this::remember);
        for (var amount : List.of("5.49", "5.59", "5.69")) {
            other.basePrices(EVERYTHING, asked, null, PageRequest.forward(1, null));
            clock.advance(Duration.ofMinutes(1));
            var later = asked(Channel.ALL, clock.instant());
            change(null, amount, "P001");

            assertThat(amount(prices, later)).isEqualTo(amount);
            assertThat(amount(impatient, later)).isEqualTo(amount);
            assertThat(amount(other, new Asked(BERLIN.id(), Channel.ALL, later.at(), ReadConsistency.STRONG)))
                    .isEqualTo(amount);
        }
    }

    private static String amount(CurrentPrices prices, Asked asked) {
        var found = prices.prices(EVERYTHING, asked, List.of(product("P001")));
        return Objects.requireNonNull(found.get(product("P001")))
                .price()
                .amount()
                .toPlainString();
    }

    @Test
    void aScheduledChangeComesWithoutARequest() {
        load("P001");
        change("2036-07-01", "5.99", "P001");
        remember(prices);
        assertThat(amount(prices, asked(Channel.ALL, JULY.minusNanos(1)))).isEqualTo("4.99");

        assertThat(table.meter().during(() -> assertThat(amount(prices, asked(Channel.ALL, JULY)))
                        .isEqualTo("5.99")))
                .isEqualTo(new Units(0, 0, 0));
    }

    @Test
    void nobodyWaitsForOthersWhoReadTheSamePricesUntilAfterTheirDeadline() throws Exception {
        load("P001");
        var begun = new CompletableFuture<Boolean>();
        var goOn = new CompletableFuture<Boolean>();
        var slow = InterruptedClient.before(QueryRequest.class::isInstance, 1, table.client(), () -> {
            begun.complete(true);
            goOn.join();
        });
        var snapshots = CurrentFixture.snapshots(
                PricingFixture.versions(table.queryDb(slow, clock)), fixture.revisions, CurrentFixture.MAX_AGE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var patient = threads.submit(() -> snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.BOUNDED));
            begun.join();

            var hurried = threads.submit(() -> Workload.interactive(Duration.ofMillis(50))
                    .call(() -> snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.BOUNDED)));

            try {
                assertThat(hurried.get(30, TimeUnit.SECONDS)).isEmpty();
                assertThat(patient.isDone()).isFalse();
            } finally {
                goOn.complete(true);
            }
            assertThat(patient.get()).isPresent();
        }
    }

    /** As first prices that are written after their loading has ended. */
    @Test
    void whatIsWrittenWithoutARevisionIsMissedForSixHoursAtMost() {
        load("P001");
        var time = new AtomicLong();
        var remembered = CurrentFixture.prices(fixture.db, fixture, CurrentFixture.snapshots(fixture, time::get));
        remember(remembered);
        fixture.db.update(version("P001").set("amount", new BigDecimal("5.99")));
        time.addAndGet(PriceSnapshots.KEPT_FOR.toNanos() - 1);
        assertThat(amount(remembered, asked(Channel.ALL, NOW))).isEqualTo("4.99");

        time.addAndGet(1);

        assertThat(amount(remembered, asked(Channel.ALL, NOW))).isEqualTo("5.99");
    }

    @Test
    void whatIsReadWhileATransactionIsSeenInPartIsReadAgainUntilItIsSeenAsAWhole() {
        var time = new AtomicLong();
        var readers = new ArrayList<CurrentPrices>();
        var meanwhile = new ArrayList<Dependency.State>();
        var client = HalfVisibleTransactions.of(
                table.client(),
                partition -> partition.startsWith("PRICES#"),
                partition -> partition.startsWith("STORE#"),
                () -> readers.forEach(reader -> {
                    remember(reader);
                    meanwhile.add(state(reader));
                    assertThat(amount(reader, asked(Channel.ALL, NOW))).isEqualTo("4.99");
                }));
        load("P001");
        try (var slow = new ChangesFixture(table.queryDb(client, clock), clock)) {
            var settleAfter = Duration.ofSeconds(10);
            var snapshots = CurrentFixture.snapshots(
                    slow.prices, RevisionsFixture.revisions(slow.db), CurrentFixture.MAX_AGE, settleAfter, time::get);
            var reader = CurrentFixture.prices(slow.db, slow, snapshots);
            remember(reader);
            readers.add(reader);
            slow.applied(slow.drafted(ChangesFixture.draft(null, setTo("5.99", "P001"))));

            assertThat(meanwhile).isNotEmpty();
            var strong = new Asked(BERLIN.id(), Channel.ALL, NOW, ReadConsistency.STRONG);
            assertThat(amount(reader, strong)).isEqualTo("5.99");
            assertThat(meanwhile).doesNotContain(state(reader));

            // Once more when it is known for long enough, and not again.
            time.addAndGet(settleAfter.toNanos());
            assertThat(cost(reader, strong)).isEqualTo(new Units(4, 3, 0));
            assertThat(cost(reader, strong)).isEqualTo(new Units(1, 1, 0));
        }
    }

    private static Dependency.State state(CurrentPrices reader) {
        return reader.state(EVERYTHING, asked(Channel.ALL, NOW)).orElseThrow();
    }

    private Units cost(CurrentPrices reader, Asked asked) {
        return table.meter().during(() -> reader.basePrices(EVERYTHING, asked, null, PageRequest.forward(1, null)));
    }

    @Test
    void pricesThatCannotBeReadAreReadAgainOnlyOnceSomeHaveChanged() {
        load("P000", "P001");
        set("P000", "currency", "POINTS");
        var snapshots = CurrentFixture.snapshots(fixture, fixture.revisions, CurrentFixture.MAX_AGE);
        assertThat(snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.STRONG))
                .isEmpty();

        assertThat(table.meter()
                        .during(() -> assertThat(snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.BOUNDED))
                                .isEmpty()))
                .isEqualTo(new Units(0, 0, 0));

        set("P000", "currency", BERLIN.currency().getCurrencyCode());
        change("2036-07-01", "5.99", "P001");
        assertThat(snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.STRONG))
                .isPresent();
    }

    @Test
    void aPriceThatCannotBeReadFailsAloneHoweverFreshTheOthersAreToBe() {
        load("P000", "P001");
        set("P000", "currency", "POINTS");
        var strong = new Asked(BERLIN.id(), Channel.ALL, clock.instant(), ReadConsistency.STRONG);

        assertThat(prices.prices(EVERYTHING, strong, List.of(product("P001")))).hasSize(1);
        assertThatThrownBy(() -> prices.prices(EVERYTHING, strong, List.of(product("P000"), product("P001"))))
                .isInstanceOf(UnreadableItem.class);
    }

    private void set(String product, String attribute, String value) {
        fixture.db.update(version(product).set(attribute, value));
    }

    /** To change the version that was loaded. */
    private static Update version(String product) {
        return Update.of(new Key("STORE#" + BERLIN.id(), "ALL#Base#" + product + "#2030-01-01"))
                .when(Condition.exists());
    }

    @Test
    void whoWaitedInVainForOthersWhoReadTheSamePricesHasTimeLeftToReadThem() {
        load("P001");
        var begun = new CompletableFuture<Boolean>();
        var goOn = new CompletableFuture<Boolean>();
        var slow = InterruptedClient.before(QueryRequest.class::isInstance, 1, table.client(), () -> {
            begun.complete(true);
            goOn.join();
        });
        var snapshots = CurrentFixture.snapshots(
                PricingFixture.versions(table.queryDb(slow, clock)), fixture.revisions, CurrentFixture.MAX_AGE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var patient = threads.submit(() -> snapshots.of(BERLIN.id(), Channel.ALL, ReadConsistency.BOUNDED));
            begun.join();
            try {
                var found = Workload.interactive(Duration.ofSeconds(3))
                        .call(() -> snapshots.orRead(BERLIN.id(), Channel.ALL, ReadConsistency.BOUNDED));

                assertThat(found.size()).isEqualTo(1);
                assertThat(patient.isDone()).isFalse();
            } finally {
                goOn.complete(true);
            }
        }
    }

    @Test
    void anAnswerThatIsThereIsGivenAlsoWhereItsStateCannotBeReadAgain() {
        load("P1");
        var isGone = new AtomicBoolean();
        var failing =
                InterruptedClient.before(QueryRequest.class::isInstance, Integer.MAX_VALUE, table.client(), () -> {
                    if (isGone.get()) {
                        throw ResourceNotFoundException.builder().build();
                    }
                });
        var impatient = CurrentFixture.prices(
                fixture, RevisionsFixture.revisions(table.queryDb(failing, clock)), Duration.ZERO);
        var field = new CurrentPricesGraphQl.InEffect(impatient, asked(Channel.ALL, NOW), true);
        var states = new ArrayList<Dependency.State>();

        var answer = field.read(
                EVERYTHING,
                () -> {
                    isGone.set(true);
                    return "there";
                },
                states::add);

        assertThat(answer).isEqualTo("there");
        assertThat(states).isEmpty();
    }

    @Test
    void whatIsNotRememberedIsReadStronglyConsistentlyForTwiceTheUnits() {
        load(products(64));
        var unremembered = CurrentFixture.prices(fixture.db, fixture, CurrentFixture.off(fixture));
        var asked = asked(Channel.ALL, NOW);
        var all = PageRequest.forward(64, null);
        var one = List.of(product("P000"));
        var basket = Stream.of("P000", "P001", "P002", "P003")
                .map(ChangesFixture::product)
                .toList();

        assertThat(table.meter().during(() -> unremembered.basePrices(EVERYTHING, asked, null, all)))
                .isEqualTo(new Units(1, 2, 0));
        assertThat(table.meter().during(() -> stored(asked, all))).isEqualTo(new Units(1, 1, 0));
        for (var some : List.of(one, basket)) {
            assertThat(table.meter().during(() -> unremembered.prices(EVERYTHING, asked, some)))
                    .isEqualTo(new Units(1, 1, 0));
            assertThat(table.meter()
                            .during(() ->
                                    fixture.pricing.prices(EVERYTHING, BERLIN.id(), some, Channel.ALL, asked.at())))
                    .isEqualTo(new Units(1, 0.5, 0));
        }
    }
}
