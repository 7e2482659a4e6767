package io.menuboard.kernel.csv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenKeysTest {
    private final SeenKeys keys = new SeenKeys();

    @Test
    void namesTheFirstRowOfAKeyHoweverManyCameBetween() {
        for (var row = 1; row <= 200_000; row++) {
            assertThat(keys.firstRow("key " + row, row)).isZero();
        }

        for (var row = 1; row <= 200_000; row += 1000) {
            assertThat(keys.firstRow("key " + row, 999_999)).isEqualTo(row);
        }
    }

    @Test
    void aThirdTimeNamesTheFirstRowToo() {
        keys.firstRow("a", 2);
        keys.firstRow("a", 5);

        assertThat(keys.firstRow("a", 9)).isEqualTo(2);
    }
}
