package io.menuboard.webadmin.ui.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountScaleTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2.90 3.10 2.95          | 2.90 2.95 3.00 3.05 3.10
                    4.10                    | 3.5 4.0 4.5 5.0
                    0                       | 0.0 0.5 1.0
                    450 480                 | 450 460 470 480
                    5 100                   | 0 50 100
                    1 22                    | 1 2 5 10 20
                    2 4000000               | 10 100 1000 10000 100000 1000000
                    0 3 900                 | 0 1 10 100 1000
                    """)
    void hasRoundLines(String amounts, String lines) {
        assertThat(scale(amounts).ticks()).isEqualTo(numbers(lines));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    100 1240.50 | 0  | 0 500 1000 1500
                    30 -10      | 0  | -10 0 10 20 30
                    0.02        | 0  | 0.000 0.005 0.010 0.015 0.020
                    1 2         | 1  | 0 1 2
                    0           | 0  | 0 1
                    """)
    void goesUpAndDownFromZeroInRoundSteps(String amounts, BigDecimal leastStep, String lines) {
        assertThat(AmountScale.fromZero(numbers(amounts), leastStep).ticks()).isEqualTo(numbers(lines));
    }

    @Test
    void isLogarithmicWhereTheHighestIsMoreThanTwentyTimesTheLowest() {
        assertThat(scale("1 20").logarithmic()).isFalse();
        assertThat(scale("1 20.01").logarithmic()).isTrue();
        assertThat(scale("0 1 20").logarithmic()).isFalse();
    }

    @Test
    void givesTheSameRatioTheSameDistance() {
        var scale = scale("2 4000000");

        assertThat(scale.share(new BigDecimal("200")) - scale.share(new BigDecimal("20")))
                .isCloseTo(scale.share(new BigDecimal("20000")) - scale.share(new BigDecimal("2000")), within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"2.90 3.10", "4.10", "0", "0 0.01", "0 3 900000", "2 4000000", "999999999999999", "0.001"})
    void keepsEveryAmountAndEveryLineInside(String amounts) {
        var scale = scale(amounts);

        for (var number : numbers(amounts)) {
            assertThat(scale.share(number)).isBetween(0.0, 1.0);
        }
        assertThat(scale.ticks()).isNotEmpty().allSatisfy(tick -> assertThat(scale.share(tick))
                .isBetween(0.0, 1.0));
    }

    @Test
    void putsNothingOnTheFloorWhereSomethingIsFree() {
        assertThat(scale("0 3 900").share(BigDecimal.ZERO)).isZero();
        assertThat(scale("0 3 900").share(new BigDecimal("3"))).isGreaterThan(0.1);
    }

    private static AmountScale scale(String amounts) {
        return AmountScale.of(numbers(amounts));
    }

    private static List<BigDecimal> numbers(String text) {
        return Arrays.stream(text.split(" ", -1)).map(BigDecimal::new).toList();
    }
}
