package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Cursors.Position;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class CursorsTest {

    private static final Query LIST = Query.table("things", "p");
    private static final Query INDEXED = Query.index("things", "gsi1", "p");
    private static final Position PLACE = new Position(new Key("p", "sort"), "sort");
    private static final Position INDEXED_PLACE = new Position(new Key("partition", "sort"), "range");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private static Cursors cursors(Query query) {
        return new Cursors(FreshTable.CURSOR_KEY, "table", query);
    }

    @Test
    void aCursorLeadsBackToItsPlace() {
        assertThat(cursors(LIST).read(cursors(LIST).write(PLACE))).contains(PLACE);
        assertThat(cursors(INDEXED).read(cursors(INDEXED).write(INDEXED_PLACE))).contains(INDEXED_PLACE);
    }

    @Test
    void aCursorOfTheLongestKeysLeadsBackToo() {
        // Three bytes of UTF-8 each: as many as DynamoDB allows.
        var sort = "\u20AC".repeat(341);
        var longest = new Position(new Key("\u20AC".repeat(682), sort), sort);

        assertThat(cursors(INDEXED).read(cursors(INDEXED).write(longest))).contains(longest);
    }

    @Test
    void aCursorIsGoodForOtherSizesDirectionsAndProjectionsOfItsList() {
        var cursor = cursors(LIST).write(PLACE);

        assertThat(cursors(LIST.attributes("a").reversed()).read(cursor)).contains(PLACE);
    }

    private static Stream<Cursors> foreign() {
        return Stream.of(
                cursors(Query.table("other", "p")),
                cursors(Query.table("things", "q")),
                cursors(Query.index("things", "gsi1", "p")),
                cursors(LIST.beginsWith("s")),
                cursors(LIST.between("a", "z")),
                cursors(LIST.groupedBy(1)),
                new Cursors(FreshTable.CURSOR_KEY, "other", LIST),
                new Cursors(new SecretKeySpec(new byte[] {1}, "HmacSHA256"), "table", LIST));
    }

    @ParameterizedTest
    @MethodSource("foreign")
    void aCursorIsGoodForNothingElse(Cursors other) {
        assertThat(other.read(cursors(LIST).write(PLACE))).isEmpty();
        assertThat(cursors(LIST).read(other.write(PLACE))).isEmpty();
    }

    @Test
    void aCursorOfAListWithANameOutlastsItsQueriesAndIsGoodForNothingElse() {
        var list = named(List.of("a", "bc"), INDEXED);
        var cursor = list.write(INDEXED_PLACE);

        assertThat(named(List.of("a", "bc"), Query.index("things", "gsi1", "q").beginsWith("r"))
                        .read(cursor))
                .contains(INDEXED_PLACE);
        assertThat(Stream.of(
                        named(List.of("a", "bd"), INDEXED),
                        named(List.of("ab", "c"), INDEXED),
                        named(List.of("a", "bc", ""), INDEXED),
                        named(List.of("a", "bc"), Query.index("things", "gsi2", "p")),
                        named(List.of("a", "bc"), Query.index("other", "gsi1", "p")),
                        cursors(INDEXED)))
                .allSatisfy(other -> {
                    assertThat(other.read(cursor)).isEmpty();
                    assertThat(list.read(other.write(INDEXED_PLACE))).isEmpty();
                });
    }

    private static Cursors named(List<String> list, Query any) {
        return new Cursors(FreshTable.CURSOR_KEY, "table", list, any);
    }

    @Test
    void rangesThatReadAlikeAreStillOthers() {
        var cursor = cursors(LIST.between("a", "bc")).write(PLACE);

        assertThat(cursors(LIST.between("ab", "c")).read(cursor)).isEmpty();
        assertThat(cursors(LIST.beginsWith("a")).read(cursor)).isEmpty();
    }

    @Test
    void everyChangeOfACursorIsNoticed() {
        var cursor = cursors(LIST).write(PLACE);
        var bytes = Base64.getUrlDecoder().decode(cursor);
        var forged = IntStream.range(0, bytes.length * Byte.SIZE).mapToObj(bit -> {
            var changed = bytes.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
        });
        var truncated = IntStream.range(0, cursor.length()).mapToObj(length -> cursor.substring(0, length));
        var others = Stream.of(
                cursor + "A",
                cursor + "=",
                cursor + " ",
                " " + cursor,
                cursor + cursor,
                "\u20AC",
                "not base64!",
                "A".repeat(100_000),
                Base64.getUrlEncoder().encodeToString("{\"sk\":\"sort\"}".getBytes(StandardCharsets.UTF_8)));

        assertThat(Stream.of(forged, truncated, others).flatMap(bad -> bad))
                .allSatisfy(bad -> assertThat(cursors(LIST).read(bad)).isEmpty());
    }

    @Test
    void onePlaceHasOneCursor() {
        var cursor = cursors(LIST).write(PLACE);
        var last = cursor.substring(0, cursor.length() - 1);

        var accepted = IntStream.rangeClosed(0, 127)
                .mapToObj(letter -> last + (char) letter)
                .filter(other -> cursors(LIST).read(other).isPresent());

        assertThat(accepted).containsExactly(cursor);
    }

    @ParameterizedTest
    @EnumSource
    void aBadCursorIsInputThatNamesItsField(PageRequest.Direction direction) {
        var db = table.queryDb(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        var field = direction == PageRequest.Direction.FORWARD ? "after" : "before";

        for (var bad : List.of("", "x", cursors(LIST).write(PLACE))) {
            var thrown =
                    catchThrowableOfType(InvalidInput.class, () -> db.query(LIST, new PageRequest(direction, 1, bad)));

            assertThat(thrown.code()).isEqualTo("INVALID_CURSOR");
            assertThat(thrown.field()).isEqualTo(field);
            assertThat(thrown).hasMessage(field + " must be a cursor that this same list gave out");
        }
        assertThat(table.faults().sent()).isEmpty();
    }
}
