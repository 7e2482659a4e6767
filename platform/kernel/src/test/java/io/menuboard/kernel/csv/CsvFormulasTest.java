package io.menuboard.kernel.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormulasTest {
    /** At the beginning of a cell, also where other separators than commas are used. */
    private static final Pattern FORMULA = Pattern.compile("(^|[;\t\r\n])\"*[=+\\-@\0＝＋－＠]");

    @Test
    void numbersStayNumbersAndTextsDoNot() throws IOException {
        var text = new StringBuilder();
        try (var writer = new CsvWriter(text)) {
            writer.row(List.of(-3L, -3, new BigDecimal("-1E+2"), "-3"));
        }
        assertThat(text.toString().strip()).endsWith("-3,-3,-100,'-3");
    }

    @Test
    void programsGetTextAsItIs() throws IOException {
        var text = new StringBuilder();
        try (var writer = CsvWriter.forPrograms(text)) {
            writer.row(List.of("-COLA", "'=1", "a,b"));
        }
        assertThat(text.toString().strip()).isEqualTo("-COLA,'=1,\"a,b\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "\n1", "\0=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"})
    void aCellThatASpreadsheetWouldRunGetsAnApostrophe(String cell) {
        assertThat(CsvFormulas.neutralise(cell)).isEqualTo("'" + cell);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "'",
                "''",
                "Joe's",
                "'t Hoekje",
                "4.50",
                "a=b",
                "a;b=1",
                "a; =1",
                "a;'b",
                "a\t\tb",
                "a\r\n\r\nb"
            })
    void anyOtherCellStaysAsItIs(String cell) {
        assertThat(CsvFormulas.neutralise(cell)).isEqualTo(cell);
        assertThat(CsvFormulas.strip(cell)).isEqualTo(cell);
    }

    @Test
    void whatBeginsACellWhereOtherSeparatorsAreUsedGetsAnApostropheToo() {
        assertThat(List.of("a;=1+1;b", "a;'=1", "a;''=1", ";=", "a\t=1", "a\r\n=1", "a;\"=1;b", "\t=1", "=1;-1"))
                .map(CsvFormulas::neutralise)
                .containsExactly(
                        "a;'=1+1;b",
                        "a;''=1",
                        "a;'''=1",
                        ";'=",
                        "a\t'=1",
                        "a\r\n'=1",
                        "a;'\"=1;b",
                        "'\t'=1",
                        "'=1;'-1");
    }

    @Property
    void whatWasNeutralisedHasNoFormulaAndComesBack(
            @ForAll @Chars({'\'', '"', ';', '=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠', 'a'})
                    String cell) {
        var neutralised = CsvFormulas.neutralise(cell);

        assertThat(neutralised).doesNotContainPattern(FORMULA);
        assertThat(CsvFormulas.strip(neutralised)).isEqualTo(cell);
    }
}
