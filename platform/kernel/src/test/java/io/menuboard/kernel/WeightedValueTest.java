package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WeightedValueTest {
    @Test
    void areListedInOrderWithTheirParameters() {
        assertThat(WeightedValue.listed("Text/HTML; Charset=\"UTF-8\";q=0.5 ,, */*;charset=a;charset=b;x"))
                .containsExactly(
                        new WeightedValue("text/html", 0.5, Map.of("charset", "utf-8")),
                        new WeightedValue("", 1, Map.of()),
                        new WeightedValue("*/*", 1, Map.of("charset", "a")));
    }

    @ParameterizedTest
    @CsvSource({
        "gzip, 1",
        "gzip;q=1, 1",
        "gzip;Q=1.000, 1",
        "gzip; q=0.001, 0.001",
        "gzip;q = 0.5, 0.5",
        "gzip;q=0., 0",
        "gzip;q=0.000, 0"
    })
    void haveTheWeightThatTheClientGivesThem(String element, double weight) {
        assertThat(WeightedValue.listed(element)).containsExactly(new WeightedValue("gzip", weight, Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "gzip;q=NaN",
        "gzip;q=Infinity",
        "gzip;q=1.001",
        "gzip;q=2",
        "gzip;q=-1",
        "gzip;q=0.0001",
        "gzip;q=1e0",
        "gzip;q=0x1p0",
        "gzip;q=.5",
        "gzip;q=high",
        "gzip;q="
    })
    void areNotAcceptableWithWhatIsNoWeight(String element) {
        assertThat(WeightedValue.listed(element)).containsExactly(new WeightedValue("gzip", 0, Map.of()));
    }
}
