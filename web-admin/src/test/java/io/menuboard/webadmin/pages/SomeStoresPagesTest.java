package io.menuboard.webadmin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.QueryDb;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and exports of prices for somebody who may see some stores. */
class SomeStoresPagesTest {
    private static final String FOREIGN = "JP-0001";
    private static final String MISSING = "XX-0001";
    private static final Map<String, String> MINE = Map.of(HeaderPrincipals.GRANT, "VIEWER STORES#DE-0001#FR-0002");

    private static final PagesServer server =
            PagesServer.start("some-stores", Map.of(HeaderPrincipals.SETTING, true), PagesServer.STANDING_CLOCK);

    @BeforeAll
    static void fill() {
        PriceSample.save(server::bean);
        for (var store : List.of(PriceSample.BERLIN, PriceSample.TOKYO)) {
            server.bean(QueryDb.class)
                    .transact(List.of(server.bean(DynamoPriceBatches.class)
                            .add(
                                    new PriceBatch(store.id(), Channel.ALL, EffectiveDate.parse("2026-03-20")),
                                    store.timeZone(),
                                    Map.of(new ChangeSetId("01JQ0000000000000000000000"), 1))));
        }
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stores?search=$",
                "/stores.csv?search=$",
                "/stores/$",
                "/stores/$/prices.csv",
                "/stores/$/swaps",
                "/stores/$/swaps.csv",
                "/stores/$/changes",
                "/stores/$/changes.csv",
                "/stores/$/products/COFFEE",
                "/stores/$/products/COFFEE/timeline.csv",
                "/prices/history?store=$&product=COFFEE",
                "/prices/history.csv?store=$&product=COFFEE"
            })
    void areTheSameOfAForeignStoreAsOfOneThatDoesNotExist(String path) {
        assertThat(said(path, FOREIGN)).isEqualTo(said(path, MISSING)).doesNotContain("Tokyo", "JPY");
        assertThat(said(path, "DE-0001")).isNotEqualTo(said(path, MISSING));
        assertThat(server.send(path.replace("$", "DE-0001"), MINE).status()).isEqualTo(200);
    }

    private static String said(String path, String store) {
        var answer = server.send(path.replace("$", store), MINE);
        return answer.status() + " " + answer.header("Content-Disposition")
                + answer.bodyWithoutTokens().replace(store, "$");
    }

    @Test
    void listsHaveTheStoresInSightAlone() {
        assertThat(get("/stores").html().select("tbody tr")).hasSize(2);
        assertThat(get("/stores.csv").body().lines()).hasSize(1 + 2);
        assertThat(get("/products/COFFEE").html().select("tbody tr")).hasSize(2);
        assertThat(get("/products/COFFEE/prices.csv").body().lines()).hasSize(1 + 2);
        assertThat(get("/changes/calendar?month=2026-03&day=2026-03-20")
                        .html()
                        .select("tbody tr td")
                        .text())
                .contains("DE-0001")
                .doesNotContain(FOREIGN);
        assertThat(get("/changes/calendar.csv?month=2026-03").body())
                .contains("DE-0001")
                .doesNotContain(FOREIGN);
    }

    @Test
    void aProductThatIsSoldOutOfSightIsOneThatNobodySells() {
        var foreign = get("/products/BIGMAC").bodyWithoutTokens().replace("BIGMAC", "$");

        assertThat(foreign)
                .isEqualTo(get("/products/NOTHING").bodyWithoutTokens().replace("NOTHING", "$"));
        assertThat(foreign).contains("No store that you see has a price for $ in channel ALL now");
    }

    private static Answer get(String path) {
        return server.send(path, MINE);
    }
}
