package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.pricing.imports.ImportFile;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleDataTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 6, 15);

    @Test
    void theSameSeedMakesTheSameFiles() throws IOException {
        var one = new SampleData(20, 30, 7, TODAY).files(0, 20);
        var same = new SampleData(20, 30, 7, TODAY).files(0, 20);
        var other = new SampleData(20, 30, 8, TODAY).files(0, 20);

        assertThat(text(one.get(1))).isEqualTo(text(same.get(1))).isNotEqualTo(text(other.get(1)));
        assertThat(text(one.get(0))).isEqualTo(text(same.get(0)));
    }

    @Test
    void aStoreIsTheSameInAnyNumberOfStores() throws IOException {
        var few = text(new SampleData(30, 10, 7, TODAY).files(0, 30).get(1));
        var many = text(new SampleData(8_000, 10, 7, TODAY).files(0, 30).get(1));

        assertThat(few).isEqualTo(many);
    }

    @Test
    void everyProductHasAnIdOfItsOwn() {
        var products = SampleMenu.products(SampleMenu.MAX_PRODUCTS);

        assertThat(products).hasSize(SampleMenu.MAX_PRODUCTS);
        assertThat(products).extracting(SampleMenu.Product::id).doesNotHaveDuplicates();
        assertThat(products).extracting(SampleMenu.Product::id).allMatch(id -> id.matches("[A-Z]+(-[A-Z]+)*"));
        assertThat(products).extracting(SampleMenu.Product::dollars).allMatch(dollars -> dollars > 0.5);
    }

    @Test
    void storesHaveNamesOfTheirOwn() throws IOException {
        var names = new HashSet<String>();

        rows(new SampleData(500, 1, 7, TODAY).files(0, 500).get(0))
                .forEach(row ->
                        assertThat(names.add(row.split(",", -1)[1])).as(row).isTrue());

        assertThat(names).hasSize(500);
    }

    @Test
    void someChannelsHavePricesOfTheirOwnAndSomePricesAreStillToCome() throws IOException {
        var prices = rows(new SampleData(14, 100, 7, TODAY).files(0, 14).get(1));

        assertThat(prices).anyMatch(row -> row.contains(",DELIVERY,"));
        assertThat(prices).anyMatch(row -> row.contains(",KIOSK,"));
        assertThat(prices).anyMatch(row -> row.contains(",APP,"));
        assertThat(prices).anyMatch(row -> row.contains(",MENU-CHEESEBURGER,FRIES-LARGE,"));
        assertThat(prices).anyMatch(row -> row.split(",", -1)[5].compareTo(TODAY.toString()) > 0);
    }

    @ParameterizedTest
    @CsvSource({"EUR,2,9", "JPY,0,40", "KWD,3,50", "INR,2,9.00", "CHF,2,0"})
    void pricesEndAsTheyDoWhereTheyAre(String currency, int decimals, String ending) throws IOException {
        var prices = rows(new SampleData(14, 100, 7, TODAY).files(0, 14).get(1));

        var amounts = prices.stream()
                .filter(row -> row.endsWith("," + currency))
                .map(row -> row.split(",", -1)[6])
                .toList();

        assertThat(amounts).isNotEmpty().anyMatch(amount -> amount.endsWith(ending));
        assertThat(amounts)
                .allMatch(amount -> amount.matches(decimals == 0 ? "[1-9][0-9]*" : "[0-9]+\\.[0-9]{" + decimals + "}"));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,0", "8001,1", "1,501"})
    void aSizeThatDoesNotExistIsRefused(int stores, int products) {
        assertThatThrownBy(() -> new SampleData(stores, products, 7, TODAY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 8000 stores and 1 to 500 products");
    }

    private static List<String> rows(ImportFile file) throws IOException {
        return text(file).lines().skip(1).toList();
    }

    private static String text(ImportFile file) throws IOException {
        try (var in = file.content().open()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
