package io.menuboard.pricing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreSearchTest {

    @Test
    void foldsCaseAccentsAndPunctuation() {
        assertThat(StoreSearch.fold("  Köln: Groß-Straße №5 ")).isEqualTo("koln gross strasse no5");
        assertThat(StoreSearch.fold("São Paulo")).isEqualTo("sao paulo");
        assertThat(StoreSearch.fold("東京駅")).isEqualTo("東京駅");
        assertThat(StoreSearch.fold("--#--")).isEmpty();
    }

    @Test
    void findsAStoreByItsIdItsCityAndItsNameFromEachWordOn() {
        var store = StoreBuilder.aStore("DE-0001")
                .named("Berlin Alexanderplatz")
                .in("Berlin", "DE")
                .build();

        assertThat(StoreSearch.terms(store))
                .containsExactly("alexanderplatz", "berlin", "berlin alexanderplatz", "de 0001");
    }

    @Test
    void showsAStoreUnderOneTermOnly() {
        var store = StoreBuilder.aStore("B1")
                .named("Berlin Borsigplatz")
                .in("Berlin", "DE")
                .build();

        assertThat(StoreSearch.terms(store).stream().filter(term -> StoreSearch.showsUnder(term, store, "b")))
                .containsExactly("b1");
        assertThat(StoreSearch.terms(store).stream().filter(term -> StoreSearch.showsUnder(term, store, "bo")))
                .containsExactly("borsigplatz");
    }

    @Test
    void boundsTheItemsThatAStoreWrites() {
        var store = StoreBuilder.aStore("S")
                .named("a b c d e f g h i j k l m n o p")
                .build();

        assertThat(StoreSearch.terms(store)).hasSize(StoreSearch.MAX_TERMS);
    }
}
