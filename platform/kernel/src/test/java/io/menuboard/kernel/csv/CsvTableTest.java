package io.menuboard.kernel.csv;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.menuboard.kernel.InvalidInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CsvTableTest {
    private static final CsvFormat FORMAT = new CsvFormat(
            "dishes",
            List.of("id", "name", "amount"),
            List.of("id"),
            4,
            100,
            defect -> new InvalidInput("BROKEN", CsvRecord.WHOLE_ROW, "must not be " + defect));

    @Test
    void findsFieldsByTheNameOfTheirColumnWhateverItsPlaceAndCase() throws IOException {
        var row = read("\u00EF\u00BB\u00BFNAME, Id \nSoup,'=7\n").getFirst();

        assertThat(row.number()).isEqualTo(2);
        assertThat(row.value("id")).isEqualTo("=7");
        assertThat(row.value("name")).isEqualTo("Soup");
        assertThat(row.has("amount")).isFalse();
        assertThat(row.value("amount")).isEmpty();
        assertThat(row.text()).isEqualTo("Soup,'=7");
    }

    @Test
    void readsDecimalCommasWhereSemicolonsSeparateFields() throws IOException {
        assertThat(read("id;amount\n1;2,50\n").getFirst().decimal("amount")).isEqualTo("2.50");
        assertThat(read("id,amount\n1,\"2,50\"\n").getFirst().decimal("amount")).isEqualTo("2,50");
    }

    @Test
    void notesEveryProblemOfARow() throws IOException {
        var row = read("id,name,amount\n ,K\u00F6ln,ten\n").getFirst();

        assertThat(row.required("id", id -> id)).isEmpty();
        assertThat(row.optional("name", name -> name, "none")).isEmpty();
        assertThat(row.check("amount", () -> amount(row))).isEmpty();
        assertThat(row.isValid()).isFalse();
        assertThat(row.problems())
                .containsExactly(
                        new CsvProblem(2, "id", " ", "id must not be blank", "BLANK"),
                        new CsvProblem(2, "name", "K\uFFFDln", "name must be UTF-8", "NOT_UTF8"),
                        new CsvProblem(2, "amount", "ten", "amount must be a number", "NO_NUMBER"));
    }

    @Test
    void refusesRowsThatCannotBeTakenApartAndOneForAllThatAreTooMany() throws IOException {
        var rows = read("id,name\n1\n\"2\"x,y\n" + "3".repeat(101) + "\n4,\n5,\n6,\n");

        assertThat(rows.stream().flatMap(row -> row.problems().stream()))
                .extracting(CsvProblem::row, CsvProblem::value, CsvProblem::code)
                .containsExactly(
                        tuple(2, "1", "WRONG_COLUMN_COUNT"),
                        tuple(3, "\"2\"x,y", "BROKEN"),
                        tuple(4, "3".repeat(101), "BROKEN"),
                        tuple(6, "", "TOO_MANY_ROWS"));
        assertThat(rows).filteredOn(CsvRecord::hasFields).singleElement().satisfies(row -> assertThat(row.number())
                .isEqualTo(5));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void refusesAFileThatCannotBeUsed(String code, String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo(code));
    }

    static List<Arguments> unusable() {
        return List.of(
                arguments("EMPTY_FILE", ""),
                arguments("EMPTY_FILE", "\n\n"),
                arguments("INVALID_HEADER", "name"),
                arguments("INVALID_HEADER", "id,price"),
                arguments("INVALID_HEADER", "id,ID"),
                arguments("INVALID_HEADER", "\"id"),
                arguments("INVALID_HEADER", "id\tname"),
                arguments("NOT_CSV", "PK\3\4"),
                arguments("NOT_CSV", "\u00D0\u00CF\u0011\u00E0"),
                arguments("NOT_CSV", "\u001F\u008B"),
                arguments("NOT_UTF8", "\u00FF\u00FEi"),
                arguments("NOT_UTF8", "i\0d"));
    }

    @Test
    void cutsLongValuesBetweenCharacters() {
        assertThat(new CsvProblem(2, "id", "x".repeat(200), "", "").value()).hasSize(200);
        assertThat(new CsvProblem(2, "id", "x".repeat(198) + "\uD83C\uDF54\uD83C\uDF54", "", "").value())
                .isEqualTo("x".repeat(198) + "…");
    }

    private static BigDecimal amount(CsvRecord row) {
        try {
            return new BigDecimal(row.value("amount"));
        } catch (NumberFormatException _) {
            throw new InvalidInput("NO_NUMBER", "price", "must be a number");
        }
    }

    private static List<CsvRecord> read(String bytes) throws IOException {
        var rows = new ArrayList<CsvRecord>();
        try (var table = CsvTable.open(FORMAT, new ByteArrayInputStream(bytes.getBytes(ISO_8859_1)))) {
            for (var row = table.next(); row.isPresent(); row = table.next()) {
                rows.add(row.get());
            }
        }
        return rows;
    }
}
