package io.menuboard.pricing.imports;

import static io.menuboard.pricing.imports.ImportFixture.changes;
import static io.menuboard.pricing.imports.ImportFixture.file;
import static io.menuboard.pricing.imports.ImportFixture.prices;
import static io.menuboard.pricing.imports.ImportFixture.stores;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients are told of rows that break rules. */
class ImportRejectionCodeTest {
    private static final String STORES = "id,name,country,timeZone,currency,status";
    private static final String PRICES = "store,product,combo,effectiveDate,amount";
    private static final String CHANGES = "store,product,operation,amount,percent,ending";
    private static final String BERLIN = "B1,Berlin Mitte,DE,Europe/Berlin,EUR,OPEN";

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final EnumSet<ImportRejectionCode> found = EnumSet.noneOf(ImportRejectionCode.class);

    @Test
    void everyRuleThatARowCanBreakHasACodeAndEveryCodeARule() {
        var fixture = new ImportFixture(table);
        rejected(
                fixture,
                fixture.imports(),
                stores(
                        STORES,
                        BERLIN,
                        BERLIN,
                        ",x,,Europe/Berlin,EUR,",
                        "B2,x,de,Europe/Berlin,EUR,",
                        "B2,x,,Europe/Berlin,EURO,",
                        "B#2,x,,Europe/Berlin,EUR,",
                        "B2," + "x".repeat(201) + ",,Europe/Berlin,EUR,",
                        "B3,x,,Europe/Berlin,EUR,open",
                        "B4,x,,Europe/Atlantis,EUR,",
                        "B5,x",
                        "B6,\"x\"y,,Europe/Berlin,EUR,",
                        "B7," + "x".repeat(1000) + ",,Europe/Berlin,EUR,"));
        rejected(
                fixture,
                fixture.imports(),
                file(ImportKind.STORES, (STORES + "\nK1,Köln,,Europe/Berlin,EUR,").getBytes(ISO_8859_1)));
        rejected(fixture, fixture.imports(ImportFixture.config(1, 1)), stores(STORES, BERLIN, BERLIN));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 1000);
        rejected(fixture, fixture.imports(), prices(PRICES, "B1,BURGER,,2026-01-01,6"));
        table.faults().reset();
        fixture.run(prices(PRICES, "B1,BURGER,,2026-01-01,6"));
        rejected(
                fixture,
                fixture.imports(),
                prices(
                        PRICES,
                        "B1,BURGER,,2026-01-01,1000000000000000",
                        "B1,FRIES,,2026-01-01,1e3",
                        "B1,FRIES,,yesterday,1",
                        "B1,FRIES,,2026-01-01,-1",
                        "B1,FRIES,MENU,2026-01-01,1",
                        "B1,COLA,,2026-01-01,1.505",
                        "X9,COLA,,2026-01-01,1"));
        rejected(
                fixture,
                fixture.imports(),
                changes(
                        CHANGES,
                        "B1,BURGER,ADD,-100,,",
                        "B1,BURGER,ROUND,,,",
                        "B1,BURGER,DOUBLE,1,,",
                        "B1,BURGER,PERCENT,,-100,",
                        "B1,NONE,ADD,1,,"));
        fixture.changes.applied(
                ChangesFixture.draft(null, ChangesFixture.rule(ChangesFixture.setTo("7"), List.of("B1"), "BURGER")));
        fixture.clock.advance(Duration.ofMinutes(5));
        rejected(fixture, fixture.imports(), stores(STORES, BERLIN.replace("Europe/Berlin", "America/New_York")));

        assertThat(found).isEqualTo(EnumSet.complementOf(EnumSet.of(ImportRejectionCode.INVALID)));
    }

    @Test
    void aRuleOfAnotherVersionIsInvalid() {
        assertThat(ImportRejectionCode.of(
                        new ImportRejection(ImportKind.STORES, 2, "name", "x", "name must rhyme", "NO_RHYME")))
                .isEqualTo(ImportRejectionCode.INVALID);
    }

    private void rejected(ImportFixture fixture, Imports imports, ImportFile file) {
        fixture.run(imports, file);
        fixture.rejections.forEach(rejection -> found.add(ImportRejectionCode.of(rejection)));
    }
}
