package io.menuboard.pricing;

import static io.menuboard.pricing.LoadedPrices.load;
import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.NOW;
import static io.menuboard.pricing.PricingFixture.limitedTo;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.RecordingMeter.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody who may see some stores sees these, and of others as much as of stores that do not exist. */
class SomeStoresTest {
    private static final int STORES = 60;
    private static final ProductId COFFEE = new ProductId("COFFEE");
    private static final PriceSubject.Swap FRIES = new PriceSubject.Swap(new ComboId("MENU"), new OptionId("FRIES"));
    private static final PriceSubject PRODUCT = new PriceSubject.Product(COFFEE);
    private static final PageRequest PAGE = PageRequest.forward(2_000, null);
    private static final Access MINE = limitedTo(List.of("S-01", "S-04"));
    private static final StoreId OWN = new StoreId("S-01");
    private static final StoreId FOREIGN = new StoreId("S-02");
    private static final StoreId MISSING = new StoreId("S-99");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private Stores stores;
    private Pricing pricing;
    private PriceHistory history;

    @BeforeEach
    void open() {
        var fixture = PricingFixture.on(table);
        stores = fixture.stores();
        pricing = fixture.pricing();
        history = PricingFixture.history(PricingFixture.history(fixture.db(), Duration.ofDays(9)), stores);
        var all = IntStream.range(0, STORES).mapToObj(SomeStoresTest::store).toList();
        stores.save(EVERYTHING, all);
        var prices = new ArrayList<Price>();
        for (var i = 0; i < STORES; i++) {
            if (i % 5 != 3) {
                prices.add(price(all.get(i), "ALL", "COFFEE", "2026-01-01", "2.%02d".formatted(i)));
            }
            for (var option : List.of("FRIES", "SALAD")) {
                if (i % 3 != 2 || option.equals("SALAD")) {
                    prices.add(new SwapPrice(
                            all.get(i),
                            Channel.ALL,
                            FRIES.combo(),
                            new OptionId(option),
                            EffectiveDate.parse("2026-01-01"),
                            new Money(new BigDecimal("0.50"), all.get(i).currency())));
                }
            }
        }
        load(fixture.db(), prices);
    }

    private static Store store(int number) {
        return aStore("S-%02d".formatted(number))
                .named(List.of("Berlin Mitte", "Bär", "東京", "Köln Berg", "Other")
                                .get(number % 5) + " " + (char) ('z' - number % 26))
                .in(number % 2 == 0 ? "Bonn" : "Ulm", number % 4 == 0 ? "FR" : "DE")
                .build();
    }

    /** A list, of what somebody may see. */
    @FunctionalInterface
    interface Listed {
        Page<?> page(SomeStoresTest test, Access access, PageRequest page);
    }

    static Map<String, Listed> lists() {
        var french = new StoreFilter(null, Set.of("FR"), Set.of(), Set.of());
        var germanB = new StoreFilter("b", Set.of("DE"), Set.of(StoreStatus.OPEN), Set.of());
        return Map.of(
                "all", (test, access, page) -> test.stores.list(access, null, page),
                "search", (test, access, page) -> test.stores.list(access, "b", page),
                "search of a letter beyond ASCII", (test, access, page) -> test.stores.list(access, "東", page),
                "filter", (test, access, page) -> test.stores.filtered(access, french, page),
                "filter and search", (test, access, page) -> test.stores.filtered(access, germanB, page),
                "product",
                        (test, access, page) ->
                                test.pricing.basePricesByProduct(access, COFFEE, Channel.ALL, NOW, page),
                "option",
                        (test, access, page) -> test.pricing.swapPricesByOption(access, FRIES, Channel.ALL, NOW, page));
    }

    static Stream<String> namesOfLists() {
        return lists().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("namesOfLists")
    void pagesOfSomeStoresAreThoseOfAllWithoutTheOthers(String name) {
        var list = requireNonNull(lists().get(name));
        var all = list.page(this, EVERYTHING, PAGE).nodes();
        var random = new Random(7);
        assertThat(all).hasSizeGreaterThan(5);
        for (var round = 0; round < 12; round++) {
            var mine = ids(random, 1 + random.nextInt(STORES));
            var size = 1 + random.nextInt(round % 4 == 0 ? 70 : 6);
            var expected =
                    all.stream().filter(node -> mine.contains(storeOf(node))).toList();

            walk(expected, page -> list.page(this, limitedTo(mine), page), size);
        }
    }

    private static void walk(List<?> expected, Function<PageRequest, Page<?>> list, int size) {
        var forwards = new ArrayList<Object>();
        var page = list.apply(PageRequest.forward(size, null));
        for (var first = true; ; first = false) {
            assertThat(page.hasPreviousPage()).isEqualTo(!first);
            assertThat(page.totalCount()).isEqualTo(Count.exactly(expected.size()));
            forwards.addAll(page.nodes());
            assertThat(page.hasNextPage()).isEqualTo(forwards.size() < expected.size());
            if (!page.hasNextPage()) {
                break;
            }
            assertThat(page.nodes()).hasSize(size);
            page = list.apply(PageRequest.forward(size, page.endCursor()));
        }
        var backwards = new ArrayList<Object>();
        page = list.apply(PageRequest.backward(size, null));
        for (var last = true; ; last = false) {
            assertThat(page.hasNextPage()).isEqualTo(!last);
            backwards.addAll(0, page.nodes());
            if (!page.hasPreviousPage()) {
                break;
            }
            assertThat(page.nodes()).hasSize(size);
            page = list.apply(PageRequest.backward(size, page.startCursor()));
        }

        assertThat(forwards).isEqualTo(expected);
        assertThat(backwards).isEqualTo(expected);
    }

    private static String storeOf(Object node) {
        return switch (node) {
            case Store store -> store.id().value();
            case Price price -> price.store().id().value();
            default -> throw new AssertionError(node);
        };
    }

    /** Some that there are, and some that there are not. */
    private static Set<String> ids(Random random, int count) {
        return random.ints(count, 0, STORES + 5).mapToObj("S-%02d"::formatted).collect(toSet());
    }

    @ParameterizedTest
    @MethodSource("namesOfLists")
    void aCursorShowsNoMoreToSomebodyElse(String name) {
        var list = requireNonNull(lists().get(name));
        var mine = ids(new Random(3), STORES);
        var theirs = ids(new Random(4), 9);
        var first = list.page(this, limitedTo(mine), PageRequest.forward(2, null));
        var whole = list.page(this, EVERYTHING, PageRequest.forward(2, null));
        var seen = first.nodes().getLast();

        var rest = list.page(this, limitedTo(theirs), PageRequest.forward(2_000, first.endCursor()));

        var all = list.page(this, EVERYTHING, PAGE).nodes();
        assertThat(rest.nodes())
                .isEqualTo(all.subList(all.indexOf(seen) + 1, all.size()).stream()
                        .filter(node -> theirs.contains(storeOf(node)))
                        .toList());
        refusesCursor(() -> list.page(this, limitedTo(mine), PageRequest.forward(2, whole.endCursor())));
        refusesCursor(() -> list.page(this, EVERYTHING, PageRequest.forward(2, first.endCursor())));
    }

    private static void refusesCursor(Runnable read) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(read::run)
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo("INVALID_CURSOR"));
    }

    /** A use case that is about one store. */
    @FunctionalInterface
    interface AboutOne {
        @Nullable
        Object answer(SomeStoresTest test, Access access, StoreId store);
    }

    static Map<String, AboutOne> useCases() {
        return Map.ofEntries(
                Map.entry("find", (test, access, id) -> test.stores.find(access, id)),
                Map.entry("findAll", (test, access, id) -> test.stores.findAll(access, List.of(id, OWN))),
                Map.entry("findAllNow", (test, access, id) -> test.stores.findAllNow(access, List.of(id, OWN))),
                Map.entry("require", (test, access, id) -> test.stores.require(access, id)),
                Map.entry("history", (test, access, id) -> seen(test.stores.history(access, id, PAGE))),
                Map.entry(
                        "save",
                        (test, access, id) -> test.stores.save(
                                access,
                                List.of(
                                        aStore(id.value()).build(),
                                        aStore("S-04").named("New").build()))),
                Map.entry(
                        "edit",
                        (test, access, id) -> test.stores.edit(
                                access, id, _ -> aStore(id.value()).named("New").build())),
                Map.entry("list", (test, access, id) -> seen(test.stores.list(access, id.value(), PAGE))),
                Map.entry("all", (test, access, id) -> test.stores
                        .all(access, id.value())
                        .toList()),
                Map.entry("select", (test, access, id) -> test.stores
                        .select(access, new StoreSelection.Found(id.value()))
                        .toList()),
                Map.entry(
                        "basePrices",
                        (test, access, id) -> seen(test.pricing.basePrices(access, id, Channel.ALL, null, NOW, PAGE))),
                Map.entry(
                        "swapPrices",
                        (test, access, id) -> seen(test.pricing.swapPrices(access, id, Channel.ALL, null, NOW, PAGE))),
                Map.entry("price", (test, access, id) -> test.pricing.price(access, id, COFFEE, Channel.ALL, NOW)),
                Map.entry(
                        "prices",
                        (test, access, id) ->
                                test.pricing.prices(access, id, List.of(PRODUCT, FRIES), Channel.ALL, NOW)),
                Map.entry(
                        "timeline",
                        (test, access, id) -> seen(test.pricing.timeline(access, id, PRODUCT, Channel.ALL, PAGE))),
                Map.entry("lowest", (test, access, id) -> test.pricing.lowest(access, id, PRODUCT, Channel.ALL)),
                Map.entry("channels", (test, access, id) -> test.pricing.channels(access, id)),
                Map.entry(
                        "price history",
                        (test, access, id) -> seen(test.history.of(access, id, Channel.ALL, PRODUCT, PAGE))));
    }

    static Stream<String> namesOfUseCases() {
        return useCases().keySet().stream();
    }

    private static List<Object> seen(Page<?> page) {
        return List.of(
                page.nodes(),
                page.hasNextPage(),
                page.hasPreviousPage(),
                page.totalCount(),
                String.valueOf(page.endCursor()));
    }

    @ParameterizedTest
    @MethodSource("namesOfUseCases")
    void aForeignStoreIsOneThatDoesNotExist(String name) {
        var useCase = requireNonNull(useCases().get(name));
        answer(useCase, MINE, MISSING); // remembers what it may
        var missing = new ArrayList<String>();
        var foreign = new ArrayList<String>();

        var forMissing = table.meter().during(() -> missing.add(answer(useCase, MINE, MISSING)));
        var forForeign = table.meter().during(() -> foreign.add(answer(useCase, MINE, FOREIGN)));

        assertThat(foreign).isEqualTo(missing);
        assertThat(forForeign).isEqualTo(forMissing);
        assertThat(answer(useCase, MINE, OWN)).isNotEqualTo(missing.getFirst());
        assertThat(stores.find(EVERYTHING, FOREIGN)).contains(store(2));
        assertThat(stores.find(EVERYTHING, MISSING)).isEmpty();
    }

    private String answer(AboutOne useCase, Access access, StoreId store) {
        try {
            return String.valueOf(useCase.answer(this, access, store)).replace(store.value(), "?");
        } catch (InvalidInput e) {
            return (e.code() + " " + e.field() + " " + e.getMessage()).replace(store.value(), "?");
        }
    }

    @Test
    void nothingIsForWhoMayDoNeither() {
        var grants = Set.of(Grant.of(Role.BILLING), Grant.of(Role.OPERATOR), Grant.of(Role.ADMINISTRATOR));
        var nobody = new Access(new Principal("u2", Actor.Kind.USER, "bill", grants), Actor.Source.PAGE);

        assertThat(useCases()).allSatisfy((name, useCase) -> assertThatThrownBy(() -> useCase.answer(this, nobody, OWN))
                .as(name)
                .isInstanceOf(Denied.class));
    }

    @Test
    void aSelectionIsOfStoresInSight() {
        assertThat(stores.select(MINE, new StoreSelection.All())).containsExactly(OWN, new StoreId("S-04"));
        assertThat(stores.select(MINE, new StoreSelection.Countries(List.of("FR"))))
                .containsExactly(new StoreId("S-04"));
        assertThat(stores.select(MINE, new StoreSelection.Listed(List.of(MISSING, FOREIGN))))
                .as("as they are listed: nobody reads them here")
                .containsExactly(FOREIGN, MISSING);
    }

    @Test
    void addingTakesThePermissionForAllStores() {
        assertThatThrownBy(() -> stores.add(MINE, aStore("S-98").build())).isInstanceOf(Denied.class);
        assertThatThrownBy(() -> stores.add(MINE, store(1))).isInstanceOf(Denied.class);
        var mayAdd = limitedTo(List.of("S-98"));
        assertThat(stores.save(mayAdd, List.of(aStore("S-98").build(), store(2))))
                .containsOnly(new SaveOutcome.NotSaved(
                        "there is no such store that you may edit, and you may not add stores"));
        assertThat(stores.find(EVERYTHING, new StoreId("S-98"))).isEmpty();
    }

    @Test
    void readingSomeStoresDoesNotGoByTheStoresThatSomebodyEdits() {
        var grants = Set.of(Grant.of(Role.VIEWER), new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of("S-01"))));
        var mixed = new Access(new Principal("u3", Actor.Kind.USER, "mia", grants), Actor.Source.PAGE);

        assertThat(stores.list(mixed, null, PAGE).nodes()).hasSize(STORES);
        assertThat(stores.edit(mixed, FOREIGN, store -> store)).isEqualTo(new Stores.Edited.NotFound(FOREIGN));
        assertThat(stores.edit(mixed, OWN, store -> store)).isEqualTo(new Stores.Edited.Done(store(1)));
    }

    @Test
    void listsOfSomeStoresCostWhatThesePagesTake() {
        var mine =
                limitedTo(IntStream.range(0, 50).mapToObj("S-%02d"::formatted).toList());
        var two = PageRequest.forward(2, null);

        assertThat(fresh((some, page) -> some.stores().list(mine, null, page), two))
                .as("two and one more")
                .isEqualTo(new Units(1, 1.5, 0));
        assertThat(fresh((some, page) -> some.stores().list(mine, "b", page), two))
                .as("all of them, as any may be found")
                .isEqualTo(new Units(1, 25, 0));
        assertThat(fresh((some, page) -> some.pricing().basePricesByProduct(mine, COFFEE, Channel.ALL, NOW, page), two))
                .as("three stores, and a Query in each")
                .isEqualTo(new Units(1 + 3, 3 * 0.5 + 3 * 0.5, 0));
        assertThat(fresh((some, page) -> some.pricing().swapPricesByOption(mine, FRIES, Channel.ALL, NOW, page), two))
                .as("the third has no such price, which costs nothing here, nor have two of the next six")
                .isEqualTo(new Units(1 + 3 + 1 + 6, 9 * 0.5 + 6 * 0.5, 0));
        assertThat(table.meter().during(() -> assertThat(stores.all(mine, null)).hasSize(50)))
                .as("strongly consistent")
                .isEqualTo(new Units(1, 50, 0));
    }

    /** What a page costs where nothing is remembered. */
    private Units fresh(BiFunction<PricingFixture, PageRequest, Page<?>> list, PageRequest page) {
        var some = PricingFixture.on(table);
        return table.meter()
                .during(() -> assertThat(list.apply(some, page).edges()).hasSize(2));
    }

    @Test
    void allStoresCostWhatTheyDid() {
        var two = PageRequest.forward(2, null);

        assertThat(table.meter().during(() -> stores.list(EVERYTHING, null, two)))
                .isEqualTo(new Units(1, 0.5, 0));
        assertThat(table.meter()
                        .during(() -> pricing.basePricesByProduct(EVERYTHING, COFFEE, Channel.ALL, NOW, two))
                        .requests())
                .isEqualTo(2);
    }
}
