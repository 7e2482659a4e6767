package io.menuboard.webadmin.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.Reconciliations.Reconciliation;
import io.menuboard.billing.transactions.Quarter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BillingCsvTest {

    /** Twelve transactions came in, not twelve in each currency. */
    @Test
    void hasTheCountsOfAQuarterHourOnce() {
        var quarter = new Reconciliation(
                Quarter.parse("quarter", "203606151200"),
                true,
                12,
                Map.of("USD", new BigDecimal("2.00"), "EUR", new BigDecimal("10.00")),
                11,
                Map.of("USD", new BigDecimal("2.00"), "EUR", new BigDecimal("9.00")),
                List.of());

        var rows = BillingCsv.rows(quarter).stream()
                .map(row -> row.stream().map(Object::toString).collect(Collectors.joining(",")))
                .toList();

        assertThat(rows)
                .containsExactly(
                        "203606151200,true,false,EUR,12,11,10.00,9.00,", "203606151200,true,false,USD,,,2.00,2.00,");
    }
}
