package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class UnderWayTest {
    private static final Instant NOON = Instant.parse("2036-06-15T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(1);

    private final UnderWay underWay = new UnderWay();

    @Test
    void aBeatTellsSomethingAtOnceWhereNothingElseIsUnderWay() {
        assertThat(underWay.handled(underWay.begin(), null)).isEmpty();
        assertThat(underWay.handled(underWay.begin(), NOON)).contains(NOON);
        assertThat(underWay.handled(underWay.begin(), null)).isEmpty();
    }

    @Test
    void aBeatWaitsForBatchesThatBeganBeforeIt() {
        var first = underWay.begin();
        var second = underWay.begin();
        var third = underWay.begin();
        var fourth = underWay.begin();

        assertThat(underWay.handled(second, NOON)).isEmpty();
        assertThat(underWay.handled(fourth, LATER)).isEmpty();
        assertThat(underWay.handled(first, null)).contains(NOON);
        assertThat(underWay.handled(third, null)).contains(LATER);
    }

    @Test
    void aBeatDoesNotWaitForBatchesThatBeganAfterIt() {
        var first = underWay.begin();
        underWay.begin();

        assertThat(underWay.handled(first, NOON)).contains(NOON);
    }

    @Test
    void beatsAfterABatchThatFailedTellNothing() {
        var first = underWay.begin();
        var second = underWay.begin();
        var third = underWay.begin();
        assertThat(underWay.handled(third, LATER)).isEmpty();

        underWay.failed(second);

        assertThat(underWay.handled(first, NOON)).contains(NOON);
        assertThat(underWay.handled(underWay.begin(), null)).isEmpty();
    }
}
