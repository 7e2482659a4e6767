package io.menuboard.webadmin.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who changed the price of an option of a combo. */
class SwapHistoryPagesTest {
    private static final ChangeSample SAMPLE = ChangeSample.start("swap-history");
    private static final String HISTORY = "/prices/history?store=DE-0001&combo=MENU-CLASSIC&option=SALAD";

    private final PagesServer server = SAMPLE.server();

    @Test
    void leadsFromASwapPriceToWhoChangedIt() {
        var set = ChangeSample.apply(SAMPLE.sets(), drafted());
        var swaps = server.get("/stores/DE-0001/swaps").html();
        var page = "/changes/" + set.id();

        assertThat(swaps.select("tbody a:containsOwn(SALAD)").attr("href")).isEqualTo(HISTORY);
        assertThat(swaps.select("main a[href=/changes/new/csv]")).hasSize(1);
        assertThat(server.get(page).html().select("tbody a:containsOwn(SALAD)").attr("href"))
                .isEqualTo(HISTORY);

        var html = server.get(HISTORY).html();

        assertThat(html.title()).startsWith("History of MENU-CLASSIC: SALAD, ");
        assertThat(html.select(".figure").text()).isEqualTo("€0.90");
        assertThat(html.select("tbody tr").text())
                .contains("€0.90", "€1.90", "grace in the back office", "salad is dear");
        assertThat(html.select("tbody a").attr("href")).isEqualTo(page);
        assertThat(html.select(".breadcrumbs a").eachAttr("href")).contains("/stores/DE-0001/swaps?combo=MENU-CLASSIC");
        assertThat(html.select("a:contains(Change this price)")).isEmpty();
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("DE-0001,ALL,,MENU-CLASSIC,SALAD,"));
    }

    @ParameterizedTest
    @CsvSource({
        "product=COFFEE&combo=MENU-CLASSIC&option=SALAD, product, Must be empty",
        "combo=MENU-CLASSIC, option, Must not be blank",
        "option=SALAD, combo, Must not be blank"
    })
    void takesAProductOrBothACombosNameAndItsOption(String asked, String field, String rule) {
        var refused = server.get("/prices/history?store=DE-0001&" + asked);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("#" + field + "-error").text()).startsWith(rule);
        assertThat(refused.html().select("details[open] #combo")).hasSize(1);
        assertThat(server.get("/prices/history.csv?store=DE-0001&" + asked).status())
                .isEqualTo(400);
    }

    private static ChangeSet drafted() {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"))),
                List.of(new PriceSubject.Swap(new ComboId("MENU-CLASSIC"), new OptionId("SALAD"))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal("1.90"), null),
                null);
        var draft = new DraftChangeSet("Salad", "salad is dear", null, List.of(rule));
        return ((ChangeSetResult.Done) SAMPLE.drafts().draft(ChangeSample.GRACE, draft, null)).set();
    }
}
