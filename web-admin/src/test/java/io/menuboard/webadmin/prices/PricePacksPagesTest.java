package io.menuboard.webadmin.prices;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.audit.Audit;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.webadmin.pages.PagesServer;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The way from a store's page to its price pack. */
class PricePacksPagesTest {
    /** 32 bytes, all zero, as PKCS#8. */
    private static final String KEY = "MC4CAQAwBQYDK2VwBCIEIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    private static final Map<String, String> VIEWER = Map.of(HeaderPrincipals.GRANT, "VIEWER ALL");

    private static final PagesServer server = PagesServer.start(
            "price-packs",
            Map.of(HeaderPrincipals.SETTING, true, "menuboard.pricing.packs.signing-key", KEY),
            PagesServer.STANDING_CLOCK);

    @BeforeAll
    static void fill() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    private static String link(String page) {
        return server.send(page, VIEWER)
                .html()
                .select("main a:contains(Price pack)")
                .attr("href");
    }

    private static AuditFilter recordsOf(String path) {
        return new AuditFilter(null, null, "DOWNLOAD#" + path, null, null);
    }

    @Test
    void theStoresPageLeadsToThePackOfTheChannelThatItShows() {
        assertThat(link("/stores/DE-0001")).isEqualTo("/price-packs/DE-0001/ALL");
        assertThat(link("/stores/DE-0001?channel=APP&at=2026-01-01T00:00")).isEqualTo("/price-packs/DE-0001/APP");
        assertThat(link("/stores/DE-0001?channel=a%23b")).isEmpty();
    }

    @Test
    void whoSavesItSavesAFileAndIsRecorded() {
        var led = server.send(link("/stores/DE-0001"), VIEWER);

        var pack = server.send(led.header("Location"), VIEWER);

        assertThat(led.status()).isEqualTo(303);
        assertThat(pack.status()).isEqualTo(200);
        assertThat(pack.header("Content-Disposition"))
                .matches("attachment; filename=\"DE-0001-ALL-[0-9a-f]{16}.json\".*");
        assertThat(pack.body()).startsWith("{\"format\":1,\"store\":\"DE-0001\"");
        assertThat(pack.header("Cache-Control")).as("of what a person sees").isEqualTo("no-store");
        var path = pack.http().uri().getPath();
        assertThat(server.bean(Audit.class)
                        .records(EVERYTHING, recordsOf(path), PageRequest.forward(10, null))
                        .nodes())
                .singleElement()
                .returns("downloaded", AuditRecord::action);
    }

    @Test
    void whatATillFetchesIsKeptAndNotRecorded() {
        var till = Map.of(HeaderPrincipals.GRANT, "VIEWER ALL", HeaderPrincipals.KIND, "TOKEN");
        var led = server.send("/price-packs/DE-0001/APP.csv", till);

        var pack = server.send(led.header("Location"), till);

        assertThat(led.header("Cache-Control")).isEqualTo("private, max-age=60");
        assertThat(pack.header("Cache-Control")).isEqualTo("private, max-age=31536000, immutable");
        assertThat(pack.header("Content-Disposition")).isEmpty();
        assertThat(server.bean(Audit.class)
                        .records(EVERYTHING, recordsOf(pack.http().uri().getPath()), PageRequest.forward(10, null))
                        .nodes())
                .isEmpty();
    }

    @Test
    void aChannelThatEndsAsAFileDoesHasAPackOfItsOwn() {
        var kiosk = new Channel("kiosk.csv");
        var price = new Money(new BigDecimal("4.00"), PriceSample.BERLIN.currency());
        SamplePrices.save(
                server.bean(Imports.class),
                server.bean(ChangeSets.class),
                List.of(new BasePrice(
                        PriceSample.BERLIN, kiosk, new ProductId("COFFEE"), EffectiveDate.parse("2026-01-01"), price)));

        assertThat(ledTo("kiosk.csv")).contains("/price-packs/DE-0001/kiosk.csv/");
        assertThat(ledTo("kiosk.csv.csv"))
                .contains("/price-packs/DE-0001/kiosk.csv/")
                .endsWith(".csv");
        assertThat(ledTo("kiosk.json")).contains("/price-packs/DE-0001/kiosk/").endsWith(".json");
        assertThat(ledTo("k".repeat(64) + ".csv")).endsWith(".csv");
    }

    private static String ledTo(String channel) {
        return server.send("/price-packs/DE-0001/" + channel, VIEWER).header("Location");
    }

    @Test
    void withoutAKeyNoPageLeadsThere() {
        var page = PagesServer.shared().get("/stores/DE-0001");

        assertThat(page.html().select("main a:contains(Price pack)")).isEmpty();
    }
}
