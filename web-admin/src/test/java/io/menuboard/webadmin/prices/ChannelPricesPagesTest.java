package io.menuboard.webadmin.prices;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.webadmin.pages.PagesServer;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages about products that are sold at a price of their channel, or of all channels, in turn. */
class ChannelPricesPagesTest {
    private static final PagesServer server = PagesServer.start("channel-prices", PagesServer.STANDING_CLOCK);

    @BeforeAll
    static void save() {
        server.bean(Stores.class).save(EVERYTHING, List.of(PriceSample.BERLIN));
        apply(ImportKind.PRICES, null, """
                        store,channel,product,effectiveDate,amount
                        DE-0001,ALL,TEA,2026-01-01,3.00
                        DE-0001,KIOSK,TEA,2026-01-01,2.50
                        DE-0001,KIOSK,JUICE,2026-01-01,2.80
                        DE-0001,ALL,LATER,2026-03-10,1.10
                        DE-0001,KIOSK,LATER,2026-03-11,1.20
                        """);
        apply(ImportKind.CHANGES, "2026-03-10", """
                        store,channel,product,operation
                        DE-0001,KIOSK,TEA,DELETE
                        DE-0001,KIOSK,JUICE,DELETE
                        """);
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    private static void apply(ImportKind kind, @Nullable String date, String csv) {
        var imports = server.bean(Imports.class);
        var bytes = csv.getBytes(UTF_8);
        var files = List.of(new ImportFile(kind, "sample.csv", bytes.length, () -> new ByteArrayInputStream(bytes)));
        var about = new ImportAbout(null, null, date == null ? null : EffectiveDate.parse(date));
        var begun = imports.begin(EVERYTHING, files);
        var ended = imports.run(EVERYTHING, begun.id(), files, about, ImportListener.NONE);
        SamplePrices.apply(server.bean(ChangeSets.class), Objects.requireNonNull(ended.changeSet()));
    }

    @Test
    void saysThatAChannelWhosePriceEndsGoesOnAtTheOneOfAll() {
        assertThat(figures("TEA")).isEqualTo(List.of("€2.50", "€3.00 from 2026-03-10, in 3 days +€0.50 (+20.0%)"));
        assertThat(figures("JUICE")).isEqualTo(List.of("€2.80", "No price from 2026-03-10, in 3 days"));
    }

    @Test
    void saysThatAChannelHasNoPricesOfOneKindNow() {
        var swaps = server.get("/stores/DE-0001/swaps?channel=KIOSK").html();

        assertThat(swaps.select(".empty-title").text()).isEqualTo("Channel KIOSK has no swap prices of its own now");
    }

    @Test
    void saysFromWhenAChannelWithoutAPriceHasTheOneOfAll() {
        assertThat(figures("LATER")).isEqualTo(List.of("No price yet", "€1.10 from 2026-03-10, in 3 days"));
    }

    @Test
    void doesNotSayThatNobodySellsWhatAChannelAloneHasAPriceOf() {
        var all = server.get("/products/JUICE").html();

        assertThat(all.select(".empty-title").text())
                .isEqualTo("No store that you see has a price for JUICE in channel ALL now");
        assertThat(all.select(".empty").text()).contains("Another channel may have one.");
        assertThat(server.get("/products/JUICE?channel=KIOSK").html().select("tbody tr"))
                .hasSize(1);
    }

    /** What the page of that product and channel KIOSK says of its price now, and of the next one. */
    private static List<String> figures(String product) {
        var panels = server.get("/stores/DE-0001/products/" + product + "?channel=KIOSK")
                .html()
                .select(".figures .panel");
        return List.of(
                panels.getFirst().select(".figure").text(),
                panels.getLast().text().replace("Next change ", ""));
    }
}
