package io.menuboard.kernel.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvFormulasTest {
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
            strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\0=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"})
    void aCellThatASpreadsheetWouldRunGetsAnApostrophe(String cell) {
        assertThat(CsvFormulas.neutralise(cell)).isEqualTo("'" + cell);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'", "''", "Joe's", "'t Hoekje", "4.50", "a=b"})
    void anyOtherCellStaysAsItIs(String cell) {
        assertThat(CsvFormulas.neutralise(cell)).isEqualTo(cell);
        assertThat(CsvFormulas.strip(cell)).isEqualTo(cell);
    }

    @Property
    void whatWasNeutralisedComesBack(
            @ForAll @Chars({'\'', '=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠', 'a'}) String cell) {
        assertThat(CsvFormulas.strip(CsvFormulas.neutralise(cell))).isEqualTo(cell);
    }
}
