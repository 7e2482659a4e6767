package io.menuboard.pricing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.querydb.InvalidInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeFileTest {
    private static final String HEADER = "store,channel,product,combo,option,operation,amount,percent,ending\n";

    private final ChangeFile file = new ChangeFile(new ChangeFileConfig(6, 400));

    @Test
    void readsOneRuleOfEachRow() {
        var read = read(HEADER + """
                S1,,COFFEE,,,SET,3.10,,
                S1,KIOSK,COFFEE,,,PERCENT,,-5,99
                S2,,,MENU,FRIES,ADD,'-0.10,,
                S2,,TEA,,,ROUND,,,9
                S2,,TEA,,,DELETE,,,
                """);

        assertThat(read.wrong()).isEmpty();
        assertThat(read.rules())
                .containsExactly(
                        rule(
                                "S1",
                                "ALL",
                                product("COFFEE"),
                                new PriceOperation.SetTo(new BigDecimal("3.10"), null),
                                null),
                        rule("S1", "KIOSK", product("COFFEE"), new PriceOperation.Percent(new BigDecimal("-5")), "99"),
                        rule(
                                "S2",
                                "ALL",
                                new PriceSubject.Swap(new ComboId("MENU"), new OptionId("FRIES")),
                                new PriceOperation.Add(new BigDecimal("-0.10")),
                                null),
                        rule("S2", "ALL", product("TEA"), new PriceOperation.Round(), "9"),
                        rule("S2", "ALL", product("TEA"), new PriceOperation.Delete(), null));
    }

    @Test
    void takesColumnsInAnyOrderAndWithoutThoseThatItDoesNotNeed() {
        var read = read("Operation,amount,product,STORE\r\nSET,2,TEA,S1\r\n");

        assertThat(read.rules())
                .containsExactly(
                        rule("S1", "ALL", product("TEA"), new PriceOperation.SetTo(new BigDecimal("2"), null), null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    a#b,,TEA,,,SET,1,,          | store     | INVALID_ID
                    S1,a#b,TEA,,,SET,1,,        | channel   | INVALID_ID
                    S1,,,,,SET,1,,              | product   | INVALID_ID
                    S1,,TEA,MENU,,SET,1,,       | product   | PRODUCT_AND_COMBO
                    S1,,,MENU,,SET,1,,          | option    | INVALID_ID
                    S1,,TEA,,,DOUBLE,1,,        | operation | INVALID_OPERATION
                    S1,,TEA,,,SET,,,            | amount    | INVALID_AMOUNT
                    S1,,TEA,,,SET,1e3,,         | amount    | INVALID_AMOUNT
                    S1,,TEA,,,SET,-1,,          | amount    | NEGATIVE_AMOUNT
                    S1,,TEA,,,SET,1,5,          | percent   | INVALID_PERCENT
                    S1,,TEA,,,PERCENT,1,5,      | amount    | INVALID_AMOUNT
                    S1,,TEA,,,PERCENT,,-100,    | percent   | INVALID_PERCENT
                    S1,,TEA,,,ROUND,,,          | ending    | INVALID_ENDING
                    S1,,TEA,,,SET,1,,12345      | ending    | INVALID_ENDING
                    S1,,TEA,,,DELETE,,,99       | ending    | INVALID_ENDING
                    S1,,TEA,,,SET,1,            | row       | WRONG_COLUMN_COUNT
                    "S1,,TEA,,,SET,1,,          | row       | BROKEN_QUOTING
                    """)
    void saysOfEachBadRowWhatIsWrongWithIt(String row, String column, String code) {
        var wrong = read(HEADER + "S1,,TEA,,,SET,1,,\n" + row + "\n").wrong();

        assertThat(wrong).hasSize(1);
        assertThat(wrong.getFirst().row()).isEqualTo(3);
        assertThat(wrong.getFirst().column()).isEqualTo(column);
        assertThat(wrong.getFirst().code()).isEqualTo(code);
        assertThat(wrong.getFirst().rule()).startsWith(column + " ");
    }

    @Test
    void saysEverythingThatIsWrongWithARow() {
        var wrong = read(HEADER + "a#b,,c#d,,,LESS,,,x\n").wrong();

        assertThat(wrong)
                .extracting(ChangeFile.Wrong::column)
                .containsExactly("store", "product", "operation", "ending");
    }

    @Test
    void takesAsManyRowsAndBytesAsItMayAndNotOneMore() {
        var row = "S1,,TEA,,,SET,1,,\n";
        var long400 = (HEADER + row).strip() + " ".repeat(400 - HEADER.length() - row.length()) + "\n";

        assertThat(read(HEADER + row.repeat(6)).rules()).hasSize(6);
        assertThat(read(long400).rules()).hasSize(1);
        assertRefused(HEADER + row.repeat(7), "TOO_MANY_ROWS");
        assertRefused(long400 + "\n", "FILE_TOO_LARGE");
    }

    @Test
    void refusesWhatIsNoFileOfChanges() {
        assertRefused("", "EMPTY_FILE");
        assertRefused(HEADER, "NO_ROWS");
        assertRefused("PK\u0003\u0004", "NOT_CSV");
        assertRefused("store;operation\nS1;DELETE\n", "INVALID_HEADER");
        assertRefused("store,price\nS1,1\n", "INVALID_HEADER");
        assertRefused("store,product\nS1,TEA\n", "INVALID_HEADER");
    }

    private void assertRefused(String text, String code) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo(code));
    }

    private ChangeFile.Read read(String text) {
        var bytes = text.getBytes(UTF_8);
        try {
            return file.read(new ByteArrayInputStream(bytes), bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PriceSubject product(String id) {
        return new PriceSubject.Product(new ProductId(id));
    }

    private static ChangeRule rule(
            String store, String channel, PriceSubject subject, PriceOperation operation, @Nullable String ending) {
        return new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId(store))),
                List.of(subject),
                List.of(new Channel(channel)),
                operation,
                ending == null ? null : new PriceEnding(ending));
    }
}
