package io.menuboard.billing.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction.Place;
import org.junit.jupiter.api.Test;

class LineIndexTest {
    private static final Quarter NOON = Quarter.parse("quarter", "203606151200");

    /** A million lines an hour: the index stays small, and so does what is read. */
    @Test
    void ofALargeLedgerASmallShareIsRead() {
        var index = new LineIndex.Builder();
        var offset = 0L;
        for (var line = 0; line < 250_000; line++) {
            index.add(place(line / 278), offset);
            offset += 200;
        }
        var built = index.built();

        assertThat(built.points()).hasSizeBetween(LineIndex.MOST_POINTS / 2 - 1, LineIndex.MOST_POINTS);
        assertThat(LineIndex.read(built.written())).isEqualTo(built);
        for (var line = 0; line < 250_000; line += 997) {
            var range = built.around(place(line / 278), offset);
            assertThat(200L * line).isBetween(range.from(), range.to() - 1);
            assertThat(range.to() - range.from()).isLessThan(offset / 25);
        }
    }

    private static Place place(int second) {
        return new Place(NOON, 0, "2036-06-15T12:%02d:%02d.x".formatted(second / 60, second % 60));
    }
}
