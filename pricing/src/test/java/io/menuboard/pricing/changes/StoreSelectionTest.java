package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.ChangeRuleInput;
import io.menuboard.pricing.rules.ChangeRules;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreSelectionTest {
    private static final StoreSelection GERMANY = new StoreSelection.Countries(List.of("DE"));

    /** More than are read at once. */
    private static final int MANY = 120;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(
                EVERYTHING,
                List.of(
                        aStore("DE-0001").build(),
                        aStore("M-7").named("Marienplatz").in("Munich", "DE").build(),
                        aStore("TN-0002")
                                .named("Sfax rue de Marseille")
                                .in("Sfax", "TN")
                                .build(),
                        aStore("FR-0001").in("Paris", "FR").build(),
                        aStore("XX-0001").in("De", "").build()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aCountryIsThatOfTheAddressAndNoWordOfAName() {
        assertThat(stores(GERMANY)).containsExactly("DE-0001", "M-7");
        assertThat(stores(new StoreSelection.Countries(List.of("tn", "Fr")))).containsExactly("FR-0001", "TN-0002");
        assertThat(stores(new StoreSelection.Countries(List.of("JP")))).isEmpty();
    }

    @Test
    void storesOfACountryAreFoundOnEveryPageOfStores() {
        fixture.stores.save(
                EVERYTHING,
                IntStream.range(0, MANY)
                        .mapToObj(i ->
                                aStore("F-%03d".formatted(i)).in("Lyon", "FR").build())
                        .toList());

        assertThat(stores(new StoreSelection.Countries(List.of("FR")))).hasSize(MANY + 1);
        assertThat(stores(GERMANY)).containsExactly("DE-0001", "M-7");
    }

    @Test
    void countriesAreKeptOnceInCapitalsAndInOrder() {
        assertThat(new StoreSelection.Countries(List.of("fr", "DE", "FR")))
                .isEqualTo(new StoreSelection.Countries(List.of("DE", "FR")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "D", "DEU", "Germany", "XX", "D\nE"})
    void refusesWhatIsNoCountry(String code) {
        assertThatThrownBy(() -> new StoreSelection.Countries(List.of("FR", code)))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> {
                    assertThat(refused.code()).isEqualTo("INVALID_COUNTRY");
                    assertThat(refused.field()).isEqualTo("countries");
                });
    }

    @Test
    void takesOneToTwoHundredAndFiftyCountries() {
        assertThat(new StoreSelection.Countries(Collections.nCopies(250, "DE"))).isEqualTo(GERMANY);
        for (var codes : List.of(List.<String>of(), Collections.nCopies(251, "DE"))) {
            assertThatThrownBy(() -> new StoreSelection.Countries(codes))
                    .isInstanceOf(InvalidInput.class)
                    .hasMessage("countries must name 1 to 250 countries");
        }
    }

    static List<StoreSelection> selections() {
        return List.of(
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"), new StoreId("FR-0001"))),
                new StoreSelection.Found("Rue de"),
                new StoreSelection.Countries(List.of("DE", "FR")),
                new StoreSelection.All());
    }

    @ParameterizedTest
    @MethodSource("selections")
    void aSetRemembersForWhichStoresItIs(StoreSelection selection) {
        var rule = ruleFor(selection);

        var set = done(fixture.drafts.draft(GRACE, draft(null, rule), null));

        assertThat(fixture.setLines.rules(GRACE, set.id())).containsExactly(rule);
    }

    @Test
    void readsRulesThatWereKeptBeforeThereWereCountries() {
        var rest = "\tBase#COFFEE\tALL\tPERCENT\n5\t";

        assertThat(Stream.of("LISTED\nDE-0001\nFR-0001", "FOUND\nRue de", "ALL")
                        .map(stores -> ChangeRules.of(stores + rest).stores()))
                .containsExactly(
                        new StoreSelection.Listed(List.of(new StoreId("DE-0001"), new StoreId("FR-0001"))),
                        new StoreSelection.Found("Rue de"),
                        new StoreSelection.All());
        assertThat(ChangeRules.text(ruleFor(GERMANY))).isEqualTo("COUNTRIES\nDE" + rest);
    }

    @Test
    void aRequestNamesCountriesInsteadOfStores() {
        var fields = Map.<String, Object>of(
                "countries",
                List.of("de", "FR"),
                "products",
                List.of("COFFEE"),
                "channels",
                List.of("ALL"),
                "delete",
                true);

        assertThat(new ChangeRuleInput(fields).rule().stores())
                .isEqualTo(new StoreSelection.Countries(List.of("DE", "FR")));
    }

    private static ChangeRule ruleFor(StoreSelection stores) {
        return new ChangeRule(stores, List.of(product("COFFEE")), List.of(Channel.ALL), percent("5"), null);
    }

    private List<String> stores(StoreSelection selection) {
        return RuleExpansion.expand(GRACE, List.of(ruleFor(selection)).iterator(), fixture.stores)
                .map(change -> change.store().value())
                .toList();
    }
}
