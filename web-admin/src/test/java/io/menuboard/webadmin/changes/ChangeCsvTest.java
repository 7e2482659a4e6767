package io.menuboard.webadmin.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeLine;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.webadmin.pages.ChangeSample;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChangeCsvTest {
    private static final StoreId STORE = new StoreId("BG-0001");
    private static final PriceSubject COFFEE = new PriceSubject.Product(new ProductId("COFFEE"));
    private static final Money LEVA = new Money(new BigDecimal("5.60"), Money.currencyOf("BGN"));
    private static final Money EUROS = new Money(new BigDecimal("2.86"), Money.currencyOf("EUR"));

    @Test
    void bothAmountsOfALineHaveTheirCurrency() {
        assertThat(line(LEVA, EUROS))
                .containsEntry("before", "5.60")
                .containsEntry("beforeCurrency", "BGN")
                .containsEntry("after", "2.86")
                .containsEntry("currency", "EUR");
        assertThat(line(null, EUROS)).containsEntry("beforeCurrency", "").containsEntry("currency", "EUR");
        assertThat(line(LEVA, null)).containsEntry("beforeCurrency", "BGN").containsEntry("currency", "BGN");
    }

    @Test
    void bothAmountsOfTheHistoryHaveTheirCurrency() {
        var at = Instant.parse("2026-01-01T00:00:00Z");
        var entry = new PriceHistoryEntry(
                STORE,
                Channel.ALL,
                COFFEE,
                at,
                at.toString(),
                EffectiveDate.parse("2026-01-01"),
                LEVA,
                EffectiveDate.parse("2025-01-01"),
                EUROS,
                new ChangeSetId("01JD8X00000000000000000000"),
                ChangeSample.GRACE.actor(),
                "the euro");

        assertThat(cells(ChangeCsv.HISTORY_COLUMNS, ChangeCsv.row(entry)))
                .containsEntry("before", "5.60")
                .containsEntry("beforeCurrency", "BGN")
                .containsEntry("after", "2.86")
                .containsEntry("currency", "EUR");
    }

    private static Map<String, String> line(@Nullable Money before, @Nullable Money after) {
        var line = new ChangeLine(
                0,
                STORE,
                Channel.ALL,
                COFFEE,
                before,
                after,
                null,
                null,
                Finding.WILL_CHANGE,
                null,
                ChangeLine.Outcome.NONE);
        return cells(ChangeCsv.LINE_COLUMNS, ChangeCsv.row(line));
    }

    private static Map<String, String> cells(List<String> columns, List<String> row) {
        assertThat(row).hasSameSizeAs(columns);
        var cells = new HashMap<String, String>();
        for (var column = 0; column < row.size(); column++) {
            cells.put(columns.get(column), row.get(column));
        }
        return cells;
    }
}
