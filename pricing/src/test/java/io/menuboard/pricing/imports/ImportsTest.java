package io.menuboard.pricing.imports;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.imports.ImportFixture.ACTOR;
import static io.menuboard.pricing.imports.ImportFixture.changes;
import static io.menuboard.pricing.imports.ImportFixture.config;
import static io.menuboard.pricing.imports.ImportFixture.file;
import static io.menuboard.pricing.imports.ImportFixture.prices;
import static io.menuboard.pricing.imports.ImportFixture.stores;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.audit.AuditRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportsTest {
    private static final String STORES_HEADER =
            "id,name,street,city,region,postalCode,country,timeZone,currency,status";
    private static final String PRICES_HEADER = "store,channel,product,combo,option,effectiveDate,amount,currency";
    private static final String BERLIN =
            "B1,Berlin Mitte,Unter den Linden 1,Berlin,Berlin,10117,DE,Europe/Berlin,EUR,OPEN";
    private static final String TOKYO = "T1,Tokyo Ginza,\"4-1, Ginza\",Tokyo,,104-0061,JP,Asia/Tokyo,JPY,CLOSED";

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private ImportFixture fixture;

    @BeforeEach
    void open() {
        // Past faults, which few tests inject, and past HTTP.
        fixture = new ImportFixture(table::directQueryDb);
    }

    @Test
    void storesGoInAndThenTheirPrices() {
        var ended = fixture.run(
                prices(
                        PRICES_HEADER,
                        "B1,KIOSK,BURGER,,,2026-01-01,4.5,",
                        "B1,,,MENU,FRIES-LARGE,2026-02-01T06:00,0.80,EUR",
                        "T1,ALL,BURGER,,,2026-01-01,500,"),
                stores(STORES_HEADER, BERLIN, TOKYO));

        assertThat(fixture.rejections).isEmpty();
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.message()).isNull();
        assertThat(ended.files().stream().map(ImportFileStatus::kind))
                .containsExactly(ImportKind.STORES, ImportKind.PRICES);
        assertThat(List.of(ended.rows(), ended.created(), ended.changed(), ended.unchanged(), ended.rejected()))
                .containsExactly(5, 5, 0, 0, 0);
        assertThat(ended.bytesRead()).isEqualTo(ended.bytes());
        assertThat(fixture.stores.find(EVERYTHING, new StoreId("T1")))
                .contains(new Store(
                        new StoreId("T1"),
                        "Tokyo Ginza",
                        new Address("4-1, Ginza", "Tokyo", "", "104-0061", "JP"),
                        Store.timeZoneOf("Asia/Tokyo"),
                        Money.currencyOf("JPY"),
                        StoreStatus.CLOSED));
        assertThat(burger("B1", "KIOSK")).isEqualTo("4.50 EUR since 2026-01-01");
        assertThat(burger("T1", "ALL")).isEqualTo("500 JPY since 2026-01-01");
        assertThat(fixture.pricing
                        .swapPrices(
                                EVERYTHING,
                                new StoreId("B1"),
                                Channel.ALL,
                                new ComboId("MENU"),
                                fixture.pricing.now(),
                                PageRequest.forward(5, null))
                        .nodes())
                .extracting(SwapPrice::option, SwapPrice::price)
                .containsExactly(
                        tuple(new OptionId("FRIES-LARGE"), new Money(new BigDecimal("0.80"), Money.currencyOf("EUR"))));
    }

    @Test
    void theSameFilesAgainChangeNothingAndSaySo() {
        var stores = stores(STORES_HEADER, BERLIN, TOKYO);
        var prices = prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,4.50,", "T1,,BURGER,,,2026-01-01,500,JPY");
        fixture.run(stores, prices);

        var again = fixture.run(stores, prices);

        assertThat(again.unchanged()).isEqualTo(4);
        assertThat(List.of(again.created(), again.changed(), again.rejected())).containsExactly(0, 0, 0);
    }

    @Test
    void aNewAmountAndANewNameAreChanges() {
        fixture.run(stores(STORES_HEADER, BERLIN, TOKYO), prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,4.50,"));

        var ended = fixture.run(
                stores(STORES_HEADER, BERLIN.replace("Mitte", "Ost"), TOKYO),
                prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,4.60,", "B1,,BURGER,,,2127-01-01,5,"));

        assertThat(List.of(ended.created(), ended.changed(), ended.unchanged(), ended.rejected()))
                .as("a price that is there already changes, whenever that is")
                .containsExactly(0, 3, 1, 0);
        assertThat(burger("B1", "ALL"))
                .as("from now on: what was before stays")
                .isEqualTo("4.60 EUR since 2126-06-15T14:00:00");
    }

    @Test
    void columnsMayComeInAnyOrderAndCaseAndOptionalOnesNotAtAll() {
        fixture.run(stores("TIMEZONE, Currency ,ID,name", "Europe/Berlin,EUR,B1,Berlin"));
        fixture.run(prices("amount,effectivedate,STORE,Product", "1.5,2026-01-01,B1,BURGER"));

        assertThat(burger("B1", "ALL")).isEqualTo("1.50 EUR since 2026-01-01");
    }

    @Test
    void aColumnThatTheFileLeavesOutStaysAsItIs() {
        fixture.run(stores(STORES_HEADER, TOKYO));

        var ended = fixture.run(stores("id,name,timeZone,currency,city", "T1,Tokyo Ginza,Asia/Tokyo,JPY,Chuo"));

        assertThat(ended.changed()).isEqualTo(1);
        var store = fixture.stores.find(EVERYTHING, new StoreId("T1")).orElseThrow();
        assertThat(store.address()).isEqualTo(new Address("4-1, Ginza", "Chuo", "", "104-0061", "JP"));
        assertThat(store.status()).isEqualTo(StoreStatus.CLOSED);
    }

    @Test
    void aStatusThatARowLeavesEmptyStaysAsItIsAndIsOpenForANewStore() {
        fixture.run(stores(STORES_HEADER, TOKYO));

        var ended = fixture.run(stores(
                "id,name,timeZone,currency,status",
                "T1,Tokyo Ginza,Asia/Tokyo,JPY,",
                "B1,Berlin Mitte,Europe/Berlin,EUR,"));

        assertThat(List.of(ended.created(), ended.changed(), ended.unchanged())).containsExactly(1, 0, 1);
        assertThat(fixture.stores.require(EVERYTHING, new StoreId("T1")).status())
                .isEqualTo(StoreStatus.CLOSED);
        assertThat(fixture.stores.require(EVERYTHING, new StoreId("B1")).status())
                .isEqualTo(StoreStatus.OPEN);
    }

    @Test
    void aColumnThatTheFileLeavesOutStaysAsSomebodyElseHasMadeIt() {
        fixture.run(stores(STORES_HEADER, TOKYO));
        var id = new StoreId("T1");
        var before = fixture.stores.require(EVERYTHING, id);
        new ImportFixture(table)
                .stores.edit(
                        EVERYTHING,
                        id,
                        store -> new Store(
                                id,
                                store.name(),
                                store.address(),
                                store.timeZone(),
                                store.currency(),
                                StoreStatus.OPEN));
        assertThat(fixture.stores.require(EVERYTHING, id))
                .as("still remembered")
                .isEqualTo(before);

        fixture.run(stores("id,name,timeZone,currency", "T1,Tokyo Ginza 4,Asia/Tokyo,JPY"));

        assertThat(fixture.rejections).isEmpty();
        var after = fixture.stores.require(EVERYTHING, id);
        assertThat(after.name()).isEqualTo("Tokyo Ginza 4");
        assertThat(after.status()).isEqualTo(StoreStatus.OPEN);
        assertThat(after.address()).isEqualTo(before.address());
    }

    @Test
    void theApostropheThatKeepsSpreadsheetsFromCalculatingIsTakenOff() {
        fixture.run(stores("id,name,timeZone,currency", "B1,'=1+1,Europe/Berlin,EUR"));

        assertThat(fixture.stores.find(EVERYTHING, new StoreId("B1")).map(Store::name))
                .contains("=1+1");
    }

    @Test
    void aSpreadsheetOfACountryWithDecimalCommasIsReadAsItIsMeant() {
        fixture.run(stores("id;name;timeZone;currency", "B1;Café, Mitte;Europe/Berlin;EUR"));
        fixture.run(
                prices("store;product;effectiveDate;amount", "B1;BURGER;01.12.2025;2,79", "B1;COLA;2025-12-01;2.5"));

        assertThat(fixture.rejections).isEmpty();
        assertThat(fixture.stores.find(EVERYTHING, new StoreId("B1")).map(Store::name))
                .contains("Café, Mitte");
        assertThat(burger("B1", "ALL")).isEqualTo("2.79 EUR since 2025-12-01");

        fixture.run(prices(
                "store;product;effectiveDate;amount", "B1;BURGER;2026-01-01;1.234", "B1;COLA;2026-01-01;1.234,50"));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::value, ImportRejection::rule)
                .containsExactly(
                        tuple("1.234", "amount must be written 1234 or 1,234: “1.234” may mean either"),
                        tuple(
                                "1.234,50",
                                "amount must be a plain decimal number such as 4.50: a point before decimals, no exponent,"
                                        + " no separators"));
    }

    @Test
    void aThousandWithACommaIsNotTakenForOne() {
        fixture.run(stores(
                "id;name;timeZone;currency",
                "B1;Berlin;Europe/Berlin;EUR",
                "T1;Tokyo;Asia/Tokyo;JPY",
                "N1;Tunis;Africa/Tunis;TND"));

        fixture.run(prices(
                "store;product;effectiveDate;amount",
                "B1;BURGER;2026-01-01;1,250",
                "T1;BURGER;2026-01-01;1,000",
                "N1;BURGER;2026-01-01;1,000"));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::value, ImportRejection::rule)
                .containsExactly(
                        tuple(
                                "1,250",
                                "amount must be written 1250, or with at most 2 decimals in EUR: “1,250” may mean either"),
                        tuple(
                                "1,000",
                                "amount must be written 1000, or with at most 0 decimals in JPY: “1,000” may mean either"));
        assertThat(burger("N1", "ALL")).isEqualTo("1.000 TND since 2026-01-01");
    }

    @Test
    void byteOrderMarkAndWindowsLineBreaksAreNotPartOfTheData() {
        var text = "\uFEFF" + String.join("\r\n", STORES_HEADER, BERLIN, TOKYO, "");

        var ended = fixture.run(file(ImportKind.STORES, text.getBytes(UTF_8)));

        assertThat(ended.created()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            B#1,x,,,,,,Europe/Berlin,EUR,          | id         | B#1           | INVALID_ID
            ,x,,,,,,Europe/Berlin,EUR,             | id         | ''            | BLANK
            B2,,,,,,,Europe/Berlin,EUR,            | name       | ''            | BLANK
            B2,x\u202Ey,,,,,,Europe/Berlin,EUR,   | name       | x\u202Ey      | INVALID_NAME
            B2,x,x\u202Ey,,,,,Europe/Berlin,EUR,  | street     | x\u202Ey      | INVALID_ADDRESS
            B2,x,,,,,de,Europe/Berlin,EUR,         | country    | de            | INVALID_ADDRESS
            B2,x,,,,,,Europe/Atlantis,EUR,         | timeZone   | Europe/Atlantis | INVALID_TIME_ZONE
            B2,x,,,,,,+01:00,EUR,                  | timeZone   | +01:00        | INVALID_TIME_ZONE
            B2,x,,,,,,Europe/Berlin,EURO,          | currency   | EURO          | INVALID_CURRENCY
            B2,x,,,,,,Europe/Berlin,XAU,           | currency   | XAU           | INVALID_CURRENCY
            B2,x,,,,,,Europe/Berlin,EUR,open       | status     | open          | INVALID_STATUS
            B2,x,Europe/Berlin,EUR                 | row        | 'B2,x,Europe/Berlin,EUR' | WRONG_COLUMN_COUNT
            B2,x,,,,,,Europe/Berlin,EUR,,          | row        | 'B2,x,,,,,,Europe/Berlin,EUR,,' | WRONG_COLUMN_COUNT
            B2,"x"y,,,,,,Europe/Berlin,EUR,        | row        | 'B2,"x"y,,,,,,Europe/Berlin,EUR,' | BROKEN_QUOTING
            B1,x,,,,,,Europe/Berlin,EUR,           | id         | B1            | DUPLICATE
            """)
    void aBadStoreRowIsRejectedAndTheOthersGoIn(String row, String field, String value, String code) {
        var ended = fixture.run(stores(STORES_HEADER, BERLIN, row, TOKYO));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::value, ImportRejection::code)
                .containsExactly(tuple(3, field, value, code));
        assertThat(fixture.rejections.getFirst().rule()).startsWith(field + " ");
        assertThat(List.of(ended.created(), ended.rejected())).containsExactly(2, 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X9,,BURGER,,,2026-01-01,1,             | store      | X9            | UNKNOWN_STORE
            ,,BURGER,,,2026-01-01,1,               | store      | ''            | BLANK
            B1,KI#OSK,BURGER,,,2026-01-01,1,       | channel    | KI#OSK        | INVALID_ID
            B1,,BUR#GER,,,2026-01-01,1,            | product    | BUR#GER       | INVALID_ID
            B1,,,,,2026-01-01,1,                   | product    | ''            | BLANK
            B1,,,MENU,,2026-01-01,1,               | option     | ''            | BLANK
            B1,,,,COLA,2026-01-01,1,               | combo      | ''            | BLANK
            B1,,BURGER,MENU,COLA,2026-01-01,1,     | product    | BURGER        | PRODUCT_AND_COMBO
            B1,,BURGER,,,01/02/2026,1,             | effectiveDate | 01/02/2026 | INVALID_EFFECTIVE_DATE
            B1,,BURGER,,,2026-02-30,1,             | effectiveDate | 2026-02-30 | INVALID_EFFECTIVE_DATE
            B1,,BURGER,,,,1,                       | effectiveDate | ''         | BLANK
            B1,,BURGER,,,2026-01-01,,              | amount     | ''            | BLANK
            B1,,BURGER,,,2026-01-01,4e+06,         | amount     | 4e+06         | INVALID_AMOUNT
            B1,,BURGER,,,2026-01-01,"1,200.50",    | amount     | '1,200.50'    | INVALID_AMOUNT
            B1,,BURGER,,,2026-01-01,NaN,           | amount     | NaN           | INVALID_AMOUNT
            B1,,BURGER,,,2026-01-01, 1,            | amount     | ' 1'          | INVALID_AMOUNT
            B1,,BURGER,,,2026-01-01,-1,            | amount     | -1            | NEGATIVE_AMOUNT
            B1,,BURGER,,,2026-01-01,1.505,         | amount     | 1.505         | TOO_MANY_DECIMALS
            B1,,BURGER,,,2026-01-01,1.5,JPY        | amount     | 1.5           | TOO_MANY_DECIMALS
            B1,,BURGER,,,2026-01-01,1000000000000000, | amount  | 1000000000000000 | AMOUNT_TOO_LARGE
            B1,,BURGER,,,2026-01-01,1,EURO         | currency   | EURO          | INVALID_CURRENCY
            B1,ALL,FRIES,,,2026-01-01T00:00,9,     | product    | FRIES         | DUPLICATE
            B1,,BURGER,,,2026-01-01                | row        | 'B1,,BURGER,,,2026-01-01' | WRONG_COLUMN_COUNT
            """)
    void aBadPriceRowIsRejectedAndTheOthersGoIn(String row, String field, String value, String code) {
        fixture.run(stores(STORES_HEADER, BERLIN));

        var ended =
                fixture.run(prices(PRICES_HEADER, "B1,,FRIES,,,2026-01-01,1,", "", row, "B1,,COLA,,,2026-01-01,1,"));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::value, ImportRejection::code)
                .containsExactly(tuple(4, field, value, code));
        assertThat(fixture.rejections.getFirst().rule()).startsWith(field + " ");
        assertThat(List.of(ended.created(), ended.rejected())).containsExactly(2, 1);
    }

    @Test
    void everythingThatIsWrongWithARowIsReported() {
        fixture.run(stores(STORES_HEADER, BERLIN));

        var ended = fixture.run(prices(PRICES_HEADER, "B1,A#B,C#D,,,yesterday,-1.555,"));

        assertThat(fixture.rejections)
                .extracting(ImportRejection::field, ImportRejection::code)
                .containsExactly(
                        tuple("channel", "INVALID_ID"),
                        tuple("product", "INVALID_ID"),
                        tuple("effectiveDate", "INVALID_EFFECTIVE_DATE"),
                        tuple("amount", "NEGATIVE_AMOUNT"),
                        tuple("amount", "TOO_MANY_DECIMALS"));
        assertThat(List.of(ended.rows(), ended.rejected())).containsExactly(1, 1);
    }

    @Test
    void aDuplicateNamesTheRowThatCameFirst() {
        fixture.run(stores(STORES_HEADER, BERLIN));

        fixture.run(prices(
                PRICES_HEADER,
                "B1,,BURGER,,,2026-01-01,1,",
                "B1,,,MENU,COLA,2026-01-01,1,",
                "B1,,FRIES,,,2026-01-01,1,",
                "B1,,COLA,,,2026-01-01,1,",
                "B1,,,MENU,COLA,2026-01-01,2,"));

        assertThat(fixture.rejections)
                .containsExactly(new ImportRejection(
                        ImportKind.PRICES,
                        6,
                        "option",
                        "COLA",
                        "option repeats row 3: a file must have each store, channel, combo, option and effectiveDate"
                                + " once",
                        "DUPLICATE"));
    }

    @Test
    void bytesThatAreNotUtf8SpoilTheirOwnRowOnly() {
        var text = String.join(
                "\n", STORES_HEADER, BERLIN, "K1,Köln,,,,,,Europe/Berlin,EUR,", "T1,x,,,,,,Asia/Tokyo,JPY,");

        var ended = fixture.run(file(ImportKind.STORES, text.getBytes(StandardCharsets.ISO_8859_1)));

        assertThat(fixture.rejections)
                .containsExactly(new ImportRejection(
                        ImportKind.STORES, 3, "name", "K\uFFFDln", "name must be UTF-8", "NOT_UTF8"));
        assertThat(ended.created()).isEqualTo(2);
    }

    @Test
    void aRowAsLongAsTheLimitGoesInAndALongerOneIsRejected() {
        var row = "B1,,,,,,,Europe/Berlin,EUR,";
        // A street is at most 200 characters, but four of them may be 200 wide: the limit counts bytes.
        var fits = "B1," + "n".repeat(200) + "," + "s".repeat(200) + "," + "c".repeat(200) + "," + "r".repeat(200) + ","
                + "p".repeat(1000 - row.length() - 800) + ",,Europe/Berlin,EUR,";

        fixture.run(stores(STORES_HEADER, fits, fits.replace("B1", "B22"), TOKYO));

        assertThat(fits).hasSize(1000);
        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::code)
                .containsExactly(tuple(3, "row", "ROW_TOO_LONG"));
        assertThat(fixture.rejections.getFirst().value()).hasSize(200).endsWith("…");
    }

    @Test
    void aFileMayHaveAsManyRowsAsTheLimitAndOneMoreIsNotRead() {
        var imports = fixture.imports(config(2, 100));

        var atTheLimit = fixture.run(imports, stores(STORES_HEADER, BERLIN, TOKYO));
        var above = fixture.run(imports, stores(STORES_HEADER, BERLIN, TOKYO, "B3,x,,,,,,Asia/Tokyo,JPY,", "garbage"));

        assertThat(atTheLimit.created()).isEqualTo(2);
        assertThat(atTheLimit.message()).isNull();
        assertThat(above.state()).isEqualTo(ImportState.FINISHED);
        assertThat(above.message()).contains("more than 2 rows");
        assertThat(above.unchanged()).isEqualTo(2);
        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::code)
                .containsExactly(tuple(4, "TOO_MANY_ROWS"));
        assertThat(fixture.stores.find(EVERYTHING, new StoreId("B3"))).isEmpty();
    }

    @Test
    void aFileOfPricesOrChangesWithMoreRowsThanTheLimitDraftsNothing() {
        fixture.run(stores(STORES_HEADER, BERLIN));
        var imports = fixture.imports(config(2, 100));
        var header = "store,product,effectiveDate,amount";
        var rows = List.of("B1,BURGER,2026-01-01,4.50", "B1,COLA,2026-01-01,2.50", "B1,WATER,2026-01-01,1.50");
        var atTheLimit = fixture.run(imports, prices(header, rows.get(0), rows.get(1)));

        for (var file : List.of(
                prices(header, rows.get(2), rows.get(0), rows.get(1)),
                changes("store,product,operation,amount", "B1,BURGER,SET,5", "B1,COLA,SET,3", "B1,WATER,SET,2"))) {
            var above = fixture.run(imports, file);

            assertThat(above.state()).isEqualTo(ImportState.FAILED);
            assertThat(above.message()).contains("more than 2 rows, so that nothing was drafted");
            assertThat(above.changeSet()).isNull();
            assertThat(errors(above)).containsExactly("IMPORT_FAILED");
            assertThat(fixture.rejections).extracting(ImportRejection::code).contains("TOO_MANY_ROWS");
        }
        assertThat(atTheLimit.state()).isEqualTo(ImportState.FINISHED);
        assertThat(burger("B1", "ALL")).isEqualTo("4.50 EUR since 2026-01-01");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id,name,timeZone,currency,colour       | column 5 is 'colour', which is unknown
            id,name,timeZone,currency,ID           | column id is there twice
            id,name,timeZone                       | column currency is missing
            id;name;timeZone                       | column currency is missing
            "id                                    | column 1 is '"id', which is unknown
            """)
    void aHeaderThatCannotBeUsedRefusesTheFileAndSaysWhatIsAllowed(String header, String problem) {
        var ended = fixture.run(stores(header, "B1,x,Europe/Berlin,EUR"), prices(PRICES_HEADER));

        assertThat(ended.state()).isEqualTo(ImportState.REFUSED);
        assertThat(ended.message())
                .contains(problem, "Allowed are id, name, street", "required are id, name, timeZone, currency");
        assertThat(ended.rows()).isZero();
    }

    @Test
    void aFileWhoseHeaderIsRefusedIsClosed() {
        var isClosed = new AtomicBoolean();
        var content = new ByteArrayInputStream("id,colour\n".getBytes(UTF_8)) {
            @Override
            public void close() {
                isClosed.set(true);
            }
        };

        var ended = fixture.run(new ImportFile(ImportKind.STORES, "stores.csv", 10, () -> content));

        assertThat(ended.state()).isEqualTo(ImportState.REFUSED);
        assertThat(isClosed).isTrue();
    }

    @Test
    void aFileThatIsNoCsvIsRefusedWithAWordOnWhatItIs() {
        assertThat(refusal(new byte[0])).startsWith("The stores file is empty");
        assertThat(refusal(new byte[] {'P', 'K', 3, 4, 20, 0})).contains("zip archive or an Excel workbook (.xlsx)");
        assertThat(refusal(("\uFEFF" + STORES_HEADER).getBytes(UTF_16LE))).contains("is UTF-16");
        assertThat(refusal(STORES_HEADER.getBytes(UTF_16LE))).contains("is UTF-16 or no text");
        assertThat(refusal(new byte[] {0x1F, (byte) 0x8B, 8, 0})).contains("is compressed");
        assertThat(refusal(new byte[] {(byte) 0xD0, (byte) 0xCF, 0x11, (byte) 0xE0}))
                .contains("(.xls)");
    }

    @Test
    void aHeaderWithoutRowsIsSaid() {
        var ended = fixture.run(stores(STORES_HEADER, ""));

        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.message()).isEqualTo("The stores file has a header and no rows.");
    }

    @Test
    void pricesAreNotReadAfterAStoresFileThatWasRefused() {
        fixture.run(stores(STORES_HEADER, BERLIN));

        var ended = fixture.run(stores("nonsense"), prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,1,"));

        assertThat(ended.files().get(1).rows()).isZero();
        assertThat(ended.message()).endsWith("The prices file was not read.");
    }

    @Test
    void anImportNeedsAFileAndNoKindTwice() {
        var imports = fixture.imports();

        assertThatThrownBy(() -> imports.begin(ACTOR, List.of()))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("NO_FILE"));
        assertThatThrownBy(() -> imports.begin(ACTOR, List.of(stores(), stores())))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("FILE_TWICE"));
    }

    @Test
    void everyoneCanSeeAnImportFromItsBeginningToItsEnd() {
        var imports = fixture.imports();
        var files = List.of(stores(STORES_HEADER, BERLIN, "bad"));

        var begun = imports.begin(ACTOR, files);

        assertThat(imports.find(ACTOR, begun.id())).contains(begun);
        assertThat(begun.state()).isEqualTo(ImportState.WAITING);

        fixture.clock.advance(Duration.ofSeconds(2));
        var ended = imports.run(ACTOR, begun.id(), files, ImportAbout.FILE, fixture);

        assertThat(new ImportFixture(table).imports().find(ACTOR, begun.id())).contains(ended);
        assertThat(imports.list(ACTOR, PageRequest.forward(10, null)).nodes()).containsExactly(ended);
        assertThat(ended.elapsed()).isEqualTo(Duration.ofSeconds(2));
        assertThat(ended.rowsPerSecond()).isEqualTo(1);
        assertThat(imports.rejections(ACTOR, ended)).isEqualTo(fixture.rejections);
    }

    @Test
    void theNewestImportIsListedFirst() {
        var first = fixture.run(stores(STORES_HEADER, BERLIN));
        fixture.clock.advance(Duration.ofMillis(1));
        var second = fixture.run(stores(STORES_HEADER, TOKYO));

        assertThat(fixture.imports().list(ACTOR, PageRequest.forward(10, null)).nodes())
                .containsExactly(second, first);
    }

    @Test
    void progressIsWrittenAboutEverySecond() {
        var imports = fixture.imports();
        var files = List.of(stores(STORES_HEADER, BERLIN, "bad", TOKYO, "B4,x,,,,,,Asia/Tokyo,JPY,"));
        var begun = imports.begin(ACTOR, files);
        var seen = new ArrayList<ImportStatus>();

        imports.run(ACTOR, begun.id(), files, ImportAbout.FILE, new ImportListener() {
            @Override
            public void progress(ImportStatus status) {
                seen.add(imports.find(ACTOR, begun.id()).orElseThrow());
            }

            @Override
            public void rejected(ImportRejection rejection) {
                fixture.clock.advance(Duration.ofSeconds(1));
            }
        });

        assertThat(seen)
                .extracting(ImportStatus::state, ImportStatus::rows, ImportStatus::keptRejections)
                .containsExactly(tuple(ImportState.RUNNING, 3, 1), tuple(ImportState.FINISHED, 4, 1));
    }

    @Test
    void anImportRunsOnce() {
        var imports = fixture.imports();
        var files = List.of(stores(STORES_HEADER, BERLIN));
        var begun = imports.begin(ACTOR, files);
        imports.run(ACTOR, begun.id(), files, ImportAbout.FILE, ImportListener.NONE);

        assertThatThrownBy(() -> imports.run(ACTOR, begun.id(), files, ImportAbout.FILE, ImportListener.NONE))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("ALREADY_RUN"));
    }

    @Test
    void anImportWithoutASignOfLifeShowsAsInterrupted() {
        var imports = fixture.imports();
        var begun = imports.begin(ACTOR, List.of(stores(STORES_HEADER, BERLIN)));

        fixture.clock.advance(Duration.ofMinutes(1));
        assertThat(imports.find(ACTOR, begun.id()).orElseThrow().state()).isEqualTo(ImportState.WAITING);

        fixture.clock.advance(Duration.ofMillis(1));
        var late = imports.find(ACTOR, begun.id()).orElseThrow();
        assertThat(late.state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(late.message()).contains("Import the same files again");
        assertThat(imports.list(ACTOR, PageRequest.forward(1, null)).nodes()).containsExactly(late);
    }

    @Test
    void anImportThatIsInterruptedSaysSo() {
        var imports = fixture.imports();
        var files = List.of(stores(STORES_HEADER, BERLIN, "bad", TOKYO, "B4,x,,,,,,Asia/Tokyo,JPY,"));
        var begun = imports.begin(ACTOR, files);

        var ended = imports.run(ACTOR, begun.id(), files, ImportAbout.FILE, new ImportListener() {
            @Override
            public void progress(ImportStatus status) {}

            @Override
            public void rejected(ImportRejection rejection) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(ended.state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(fixture.imports().find(ACTOR, ended.id())).contains(ended);
    }

    @Test
    void aFileThatCannotBeReadToItsEndFailsTheImport() throws IOException {
        var rows = String.join("\n", STORES_HEADER, BERLIN, TOKYO, TOKYO, "\n".repeat(5000))
                .getBytes(UTF_8);
        var gone = InputStream.nullInputStream();
        gone.close();
        var broken = new ImportFile(
                ImportKind.STORES,
                "stores.csv",
                2L * rows.length,
                () -> new SequenceInputStream(new ByteArrayInputStream(rows), gone));

        var ended = fixture.run(broken);

        assertThat(ended.state()).isEqualTo(ImportState.FAILED);
        assertThat(ended.message()).startsWith("The stores file could not be read to its end.");
        assertThat(List.of(ended.created(), ended.rejected())).containsExactly(2, 1);
    }

    @Test
    void theBeginningAndTheEndOfAnImportAreRecorded() {
        var ended = fixture.run(stores(STORES_HEADER, BERLIN, "bad"));

        assertThat(fixture.audit
                        .bySubject("IMPORT#" + ended.id(), PageRequest.forward(5, null))
                        .nodes())
                .allSatisfy(record -> assertThat(record.actor()).isEqualTo(ACTOR.actor()))
                .extracting(AuditRecord::action, AuditRecord::details)
                .containsExactlyInAnyOrder(
                        tuple(
                                "import ended",
                                Map.of(
                                        "state",
                                        "FINISHED",
                                        "stores",
                                        "stores.csv: 2 rows, 1 created, 0 changed, 0 unchanged, 1 rejected")),
                        tuple("import begun", Map.of("stores", "stores.csv")));
    }

    @ParameterizedTest
    @ValueSource(ints = {99, 100, 250})
    void rejectionsAreKeptUpToTheLimitAndTheOthersCounted(int limit) {
        var bad = IntStream.range(0, 260).mapToObj(i -> "bad " + i).collect(Collectors.joining("\n"));

        var imports = fixture.imports(config(1000, limit));
        var ended = fixture.run(imports, stores(STORES_HEADER, bad));

        assertThat(ended.rejected()).isEqualTo(260);
        assertThat(ended.keptRejections()).isEqualTo(limit);
        assertThat(fixture.rejections).hasSize(260);
        assertThat(imports.rejections(ACTOR, ended)).isEqualTo(fixture.rejections.subList(0, limit));
    }

    @Test
    void throttledWritesAreRepeatedUntilEveryRowIsInOnce() {
        fixture = new ImportFixture(table);
        fixture.run(stores(STORES_HEADER, BERLIN));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 0.3, 1);
        table.faults().inject(Fault.HALF_PROCESSED, "BatchWriteItem", 0.3, 2);
        table.faults().inject(Fault.UNPROCESSED, "BatchGetItem", 0.3, 3);
        var rows = IntStream.range(0, 200)
                .mapToObj(i -> "B1,,P" + i + ",,,2026-01-01,1." + (i % 90 + 10) + ",")
                .collect(Collectors.joining("\n"));

        var ended = fixture.run(prices(PRICES_HEADER, rows));

        table.faults().reset();
        assertThat(List.of(ended.created(), ended.rejected())).containsExactly(200, 0);
        assertThat(fixture.pricing
                        .basePrices(
                                EVERYTHING,
                                new StoreId("B1"),
                                Channel.ALL,
                                null,
                                fixture.pricing.now(),
                                PageRequest.forward(300, null))
                        .nodes())
                .hasSize(200);
        assertThat(fixture.run(prices(PRICES_HEADER, rows)).unchanged()).isEqualTo(200);
    }

    @Test
    void anImportWhoseRowsCannotBeWrittenFailsAndSaysWhichTheyAre() {
        fixture = new ImportFixture(table);
        fixture.run(stores(STORES_HEADER, BERLIN));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 1000);

        var ended = fixture.run(prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,1,"));

        assertThat(ended.state()).isEqualTo(ImportState.FAILED);
        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::code)
                .containsExactly(tuple(2, "row", "NOT_SAVED"));
    }

    @Test
    void ofAFileWhoseRowsWereLostThereIsNoDraft() {
        fixture = new ImportFixture(table);
        var header = "store,product,effectiveDate,amount";
        fixture.run(stores(STORES_HEADER, BERLIN), prices(header, "B1,WATER,2126-01-01,1.09"));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 1000);

        var ended = fixture.drafted(prices(header, "B1,WATER,2126-06-15,1.19"));

        assertThat(ended.changeSet()).isNull();
        assertThat(ended.state()).isEqualTo(ImportState.FAILED);
        assertThat(ended.message()).contains("nothing was drafted");
        assertThat(errors(ended)).containsExactly("IMPORT_FAILED");
    }

    @Test
    void ofAStoreThatANewerVersionWroteItsOwnRowsAloneAreNotSaved() {
        fixture.run(stores(STORES_HEADER, BERLIN), prices(PRICES_HEADER, "B1,,BURGER,,,2026-01-01,4.50,"));
        fixture.run(stores(STORES_HEADER, TOKYO));
        fixture.db.update(Update.of(new Key("STORE#T1", "META")).set("status", "SOLD"));

        for (var file : List.of(
                prices(PRICES_HEADER, "T1,,BURGER,,,2026-01-01,500,", "B1,,BURGER,,,2026-01-01,4.60,"),
                changes("store,product,operation,amount", "T1,BURGER,SET,500", "B1,BURGER,SET,4.60"))) {
            var ended = fixture.drafted(file);

            assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
            assertThat(ended.changeSet()).isNotNull();
            assertThat(List.of(ended.changed(), ended.rejected())).containsExactly(1, 1);
            assertThat(fixture.rejections)
                    .extracting(ImportRejection::row, ImportRejection::field, ImportRejection::code)
                    .containsExactly(tuple(2, "row", "NOT_SAVED"));
        }
    }

    @Test
    void anImportThatSavesNoStoreBecauseTheTableFailsHasFailed() {
        fixture = new ImportFixture(table);
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchGetItem", 1000);

        var ended = fixture.run(stores(STORES_HEADER, BERLIN));

        assertThat(ended.state()).isEqualTo(ImportState.FAILED);
        assertThat(ended.message()).contains("no store was saved");
        assertThat(errors(ended)).containsExactly("IMPORT_FAILED");
        assertThat(fixture.rejections).extracting(ImportRejection::code).containsExactly("NOT_SAVED");
    }

    @Test
    void anImportThatSavesSomeStoresIsFinishedAndListsTheOthers() {
        fixture = new ImportFixture(table);
        var others = IntStream.range(0, 3)
                .mapToObj(i -> BERLIN.replace("B1", "B" + (i + 2)))
                .collect(Collectors.joining("\n"));
        // One chunk of three rows after the other.
        var one = new ImportConfig(1000, 1000, 3, 1, 250, Duration.ofMinutes(1), Duration.ofDays(30));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchGetItem", FreshTable.RETRIES.maxAttempts());

        var ended = fixture.run(fixture.imports(one), stores(STORES_HEADER, others, BERLIN));

        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(errors(ended)).isEmpty();
        assertThat(List.of(ended.created(), ended.rejected())).containsExactly(1, 3);
    }

    @Test
    void aTableThatIsLostStopsTheImportBeforeEveryRowOfABigFileIsRejected() {
        fixture = new ImportFixture(table);
        fixture.run(stores(STORES_HEADER, BERLIN));
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 1.1, 1);
        var rows = IntStream.range(0, 300)
                .mapToObj(i -> "B1,,P" + i + ",,,2026-01-01,1,")
                .collect(Collectors.joining("\n"));

        var ended = fixture.run(prices(PRICES_HEADER, rows));

        assertThat(ended.state()).isEqualTo(ImportState.FAILED);
        assertThat(ended.message()).contains("Import the same files again");
        assertThat(ended.rows()).isLessThan(30).isEqualTo(ended.rejected());
    }

    private static List<String> errors(ImportStatus ended) {
        return ImportsGraphQl.Payload.of(ended, true, "csv").errors().stream()
                .map(UserError::code)
                .toList();
    }

    private String refusal(byte[] content) {
        var ended = fixture.run(file(ImportKind.STORES, content));
        assertThat(ended.state()).isEqualTo(ImportState.REFUSED);
        return String.valueOf(ended.message());
    }

    private String burger(String store, String channel) {
        return fixture.pricing
                .price(
                        EVERYTHING,
                        new StoreId(store),
                        new ProductId("BURGER"),
                        new Channel(channel),
                        fixture.pricing.now())
                .map(price ->
                        price.price().amount() + " " + price.price().currency() + " since " + price.effectiveDate())
                .orElse("none");
    }
}
