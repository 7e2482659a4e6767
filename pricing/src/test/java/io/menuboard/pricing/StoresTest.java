package io.menuboard.pricing;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.StoreChange.Changed;
import io.menuboard.pricing.StoreChange.Field;
import io.menuboard.pricing.Stores.Edited;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.RecordingMeter.Units;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class StoresTest {
    private static final Access ADA = CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.USER, "ada", Actor.Source.CSV));
    private static final Access GRACE =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.USER, "grace", Actor.Source.GRAPHQL));
    private static final Store ALEX =
            aStore("DE-0001").named("Berlin Alexanderplatz").build();
    private static final Store DOM =
            aStore("DE-0002").named("Köln Domplatte").in("Köln", "DE").build();
    private static final Store LUMIERES = aStore("FR-0001")
            .named("Lyon Berlioz")
            .in("Lyon", "FR")
            .onTheClockOf("Europe/Paris")
            .build();

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private Stores stores;

    @BeforeEach
    void open() {
        stores = PricingFixture.on(table).stores();
    }

    @Test
    void aSavedStoreIsFoundAsItWasSaved() {
        assertThat(stores.save(EVERYTHING, List.of(ALEX, DOM)))
                .containsExactly(new SaveOutcome.Created(), new SaveOutcome.Created());

        assertThat(stores.find(EVERYTHING, DOM.id())).contains(DOM);
        assertThat(stores.find(EVERYTHING, new StoreId("NOWHERE"))).isEmpty();
        assertThat(stores.findAll(EVERYTHING, List.of(ALEX.id(), new StoreId("NOWHERE"), DOM.id())))
                .containsOnlyKeys(ALEX.id(), DOM.id());
    }

    @Test
    void unknownStoresAreReadAHundredAtATime() {
        stores.save(EVERYTHING, List.of(ALEX));
        var ids = IntStream.range(0, 250)
                .mapToObj(i -> new StoreId(i == 7 ? ALEX.id().value() : "S-%03d".formatted(i)))
                .toList();

        var cost = table.meter()
                .during(() -> assertThat(stores.findAllNow(EVERYTHING, ids)).containsOnly(Map.entry(ALEX.id(), ALEX)));

        assertThat(cost.requests()).isEqualTo(3 + 3);
    }

    @Test
    void savingTheSameAgainWritesNothing() {
        stores.save(EVERYTHING, List.of(ALEX, DOM));

        var cost = table.meter().during(() -> assertThat(stores.save(EVERYTHING, List.of(ALEX, DOM)))
                .containsExactly(new SaveOutcome.Unchanged(), new SaveOutcome.Unchanged()));

        assertThat(cost).isEqualTo(new Units(1, 2, 0));
    }

    @Test
    void aRenamedStoreIsFoundByItsNewNameOnly() {
        stores.save(EVERYTHING, List.of(ALEX));
        var renamed = aStore("DE-0001").named("Mitte Hackescher Markt").build();

        assertThat(stores.save(EVERYTHING, List.of(renamed))).containsExactly(new SaveOutcome.Changed());

        assertThat(search("alexander")).isEmpty();
        assertThat(search("hackescher")).containsExactly(renamed);
        assertThat(search("berlin")).as("the city stayed").containsExactly(renamed);
        assertThat(stores.find(EVERYTHING, ALEX.id())).contains(renamed);
    }

    @Test
    void aSearchFindsIdsCitiesAndWordsOfNamesWhateverCaseAndAccents() {
        stores.save(EVERYTHING, List.of(ALEX, DOM, LUMIERES));

        assertThat(search("de-00")).containsExactly(ALEX, DOM);
        assertThat(search("KOLN")).containsExactly(DOM);
        assertThat(search("Domp")).containsExactly(DOM);
        assertThat(search("berli")).as("each store once").containsExactly(ALEX, LUMIERES);
        assertThat(search("erlin")).isEmpty();
    }

    @Test
    void aSearchShowsEachStoreOnceInPagesOfAnySizeBothWays() {
        var many = IntStream.range(0, 40)
                .mapToObj(i -> aStore("B-%02d".formatted(i))
                        .named("Berlin Bahnhof " + (char) ('a' + i % 26))
                        .build())
                .toList();
        stores.save(EVERYTHING, many);

        for (var size : List.of(1, 3, 64)) {
            var forwards = new ArrayList<Store>();
            var page = stores.list(EVERYTHING, "b", PageRequest.forward(size, null));
            forwards.addAll(page.nodes());
            while (page.hasNextPage()) {
                page = stores.list(EVERYTHING, "b", PageRequest.forward(size, page.endCursor()));
                forwards.addAll(page.nodes());
            }
            var backwards = new ArrayList<Store>();
            page = stores.list(EVERYTHING, "b", PageRequest.backward(size, null));
            backwards.addAll(0, page.nodes());
            while (page.hasPreviousPage()) {
                page = stores.list(EVERYTHING, "b", PageRequest.backward(size, page.startCursor()));
                backwards.addAll(0, page.nodes());
            }

            assertThat(forwards).containsExactlyInAnyOrderElementsOf(many);
            assertThat(backwards).isEqualTo(forwards);
        }
    }

    @Test
    void aSearchThatNothingCanMatchIsRefused() {
        for (var search : List.of("--", "x".repeat(101))) {
            assertThatThrownBy(() -> search(search))
                    .isInstanceOfSatisfying(InvalidInput.class, refusal -> assertThat(refusal.code())
                            .isEqualTo("INVALID_SEARCH"));
        }
        stores.save(EVERYTHING, List.of(ALEX));
        assertThat(search(" ")).as("blank is no search").containsExactly(ALEX);
    }

    @Test
    void ofManyWhoChangeAStoreAtOnceTheTermsOfOneRemain() throws Exception {
        stores.save(EVERYTHING, List.of(ALEX));
        var names = IntStream.range(0, 8).mapToObj(i -> "Name" + i).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            names.forEach(name -> threads.execute(() -> stores.save(
                    EVERYTHING, List.of(aStore("DE-0001").named(name).build()))));
        }

        var found = search("name");

        assertThat(found).hasSize(1);
        assertThat(PricingFixture.on(table).stores().find(EVERYTHING, ALEX.id()))
                .contains(found.getFirst());
    }

    @Test
    void aFilterLeavesOutStoresAndNotPlacesOnPages() {
        var cologne = aStore("DE-0003").in("Köln", "DE").build();
        var zurich = aStore("CH-0001").in("Zürich", "CH").sellingIn("CHF").build();
        var closed = new Store(
                new StoreId("DE-0009"), "Gone", Address.UNKNOWN, ALEX.timeZone(), ALEX.currency(), StoreStatus.CLOSED);
        stores.save(EVERYTHING, List.of(ALEX, cologne, zurich, closed));
        var german = new StoreFilter(null, Set.of("DE"), Set.of(), Set.of());

        var first = stores.filtered(EVERYTHING, german, PageRequest.forward(1, null));
        var second = stores.filtered(EVERYTHING, german, PageRequest.forward(1, first.endCursor()));

        assertThat(first.nodes()).containsExactly(ALEX);
        assertThat(second.nodes()).containsExactly(cologne);
        assertThat(second.hasNextPage()).isFalse();
        assertThat(filtered(null, Set.of(), Set.of(StoreStatus.CLOSED), Set.of()))
                .containsExactly(closed);
        assertThat(filtered(null, Set.of(), Set.of(), Set.of(Money.currencyOf("CHF"))))
                .containsExactly(zurich);
        assertThat(filtered("koln", Set.of("DE", "CH"), Set.of(StoreStatus.OPEN), Set.of()))
                .containsExactly(cologne);
        assertThat(filtered("koln", Set.of("CH"), Set.of(), Set.of())).isEmpty();
    }

    private List<Store> filtered(
            @Nullable String search, Set<String> countries, Set<StoreStatus> statuses, Set<Currency> currencies) {
        return stores.filtered(
                        EVERYTHING,
                        new StoreFilter(search, countries, statuses, currencies),
                        PageRequest.forward(10, null))
                .nodes();
    }

    @Test
    void theHistoryOfAStoreSaysWhatWhoeverSavedItChanged() {
        var renamed = aStore("DE-0001").named("Mitte").in("", "DE").build();
        stores.save(ADA, List.of(ALEX));
        stores.save(GRACE, List.of(ALEX));
        stores.save(GRACE, List.of(renamed, DOM));

        var history = stores.history(EVERYTHING, ALEX.id(), PageRequest.forward(10, null)).nodes().stream()
                .collect(Collectors.toMap(StoreChange::isNew, change -> change));

        assertThat(history).hasSize(2);
        var changed = Objects.requireNonNull(history.get(false));
        assertThat(changed.changedBy()).isEqualTo(GRACE.actor());
        assertThat(changed.fields())
                .containsExactly(
                        new Changed(Field.NAME, ALEX.name(), "Mitte"), new Changed(Field.CITY, "Berlin", null));
        var added = Objects.requireNonNull(history.get(true));
        assertThat(added.changedBy()).isEqualTo(ADA.actor());
        assertThat(added.changedAt()).isEqualTo(PricingFixture.NOW);
        assertThat(added.fields())
                .contains(
                        new Changed(Field.NAME, null, ALEX.name()), new Changed(Field.TIME_ZONE, null, "Europe/Berlin"))
                .extracting(Changed::field)
                .doesNotContain(Field.STREET);
    }

    @Test
    void addingTheSameStoreAgainIsAsGoodAsTheFirstTime() {
        assertThat(stores.add(ADA, ALEX)).isEqualTo(new Edited.Done(ALEX));
        assertThat(stores.add(ADA, ALEX)).isEqualTo(new Edited.Done(ALEX));

        assertThat(stores.add(ADA, aStore("DE-0001").named("Another").build())).isEqualTo(new Edited.Taken(ALEX.id()));
        assertThat(stores.find(EVERYTHING, ALEX.id())).contains(ALEX);
        assertThat(stores.history(EVERYTHING, ALEX.id(), PageRequest.forward(10, null))
                        .nodes())
                .hasSize(1);
    }

    @Test
    void anEditChangesTheStoreAsItIsNow() {
        var renamed = aStore("DE-0001").named("Mitte Hackescher Markt").build();
        stores.save(EVERYTHING, List.of(ALEX));
        stores.find(EVERYTHING, ALEX.id());

        assertThat(stores.edit(ADA, ALEX.id(), _ -> renamed)).isEqualTo(new Edited.Done(renamed));

        assertThat(stores.find(EVERYTHING, ALEX.id()))
                .as("not the one that is remembered")
                .contains(renamed);
        assertThat(search("hackescher")).containsExactly(renamed);
        assertThat(search("alexander")).isEmpty();
        assertThat(stores.edit(ADA, new StoreId("NOWHERE"), store -> store))
                .isEqualTo(new Edited.NotFound(new StoreId("NOWHERE")));
        var unchanged = table.meter().during(() -> stores.edit(ADA, ALEX.id(), store -> store));
        assertThat(unchanged.requests()).isEqualTo(1);
    }

    @Test
    void ofTwoEditsAtOnceOneIsToldToTryAgain() {
        stores.save(EVERYTHING, List.of(ALEX));

        var outcome = stores.edit(ADA, ALEX.id(), _ -> {
            stores.save(EVERYTHING, List.of(aStore("DE-0001").named("First").build()));
            return aStore("DE-0001").named("Second").build();
        });

        assertThat(outcome).isEqualTo(new Edited.Conflict(ALEX.id()));
        assertThat(search("first")).hasSize(1);
        assertThat(search("second")).isEmpty();
    }

    @Test
    void aPageOfStoresCostsOneQuery() {
        stores.save(
                EVERYTHING,
                IntStream.range(0, 70)
                        .mapToObj(i -> aStore("S-%03d".formatted(i)).build())
                        .toList());

        var list = table.meter().during(() -> assertThat(stores.list(EVERYTHING, null, PageRequest.forward(64, null))
                        .nodes())
                .hasSize(64));
        var search = table.meter().during(() -> assertThat(stores.list(EVERYTHING, "s", PageRequest.forward(64, null))
                        .nodes())
                .hasSize(64));

        var stored = stores.list(EVERYTHING, null, PageRequest.forward(64, null));
        var found = stores.list(EVERYTHING, "s", PageRequest.forward(64, null));

        assertThat(table.meter().during(stored::totalCount)).isEqualTo(new Units(1, 1.5, 0));
        assertThat(stored.totalCount()).isEqualTo(Count.exactly(70));
        assertThat(found.totalCount())
                .as("terms of stores are read to tell which show them")
                .isEqualTo(Count.exactly(70));
        assertThat(list).isEqualTo(new Units(1, 1.5, 0));
        assertThat(search.read()).isLessThanOrEqualTo(10);
    }

    @Test
    void aFilterReadsOnWithoutTheLimitOfThePage() {
        stores.save(
                EVERYTHING,
                IntStream.range(0, 200)
                        .mapToObj(i -> aStore("S-%03d".formatted(i))
                                .in("Town", i % 50 == 49 ? "FR" : "DE")
                                .build())
                        .toList());
        var inFrance = new StoreFilter(null, Set.of("FR"), Set.of(), Set.of());

        var cost = table.meter()
                .during(() -> assertThat(stores.filtered(EVERYTHING, inFrance, PageRequest.forward(64, null))
                                .nodes())
                        .hasSize(4));

        assertThat(cost)
                .as("the size of the page at first, and then all that is left")
                .isEqualTo(new Units(2, 4, 0));
    }

    @Test
    void aStoreIsComparedInOneRequestAndWrittenInOneTransaction() {
        var created = table.meter().during(() -> stores.save(EVERYTHING, List.of(ALEX)));
        var unchanged = table.meter().during(() -> stores.save(EVERYTHING, List.of(ALEX)));

        assertThat(created.requests()).isEqualTo(2);
        assertThat(unchanged).as("read strongly consistently").isEqualTo(new Units(1, 1, 0));
    }

    private List<Store> search(String text) {
        return stores.list(EVERYTHING, text, PageRequest.forward(100, null)).nodes();
    }
}
