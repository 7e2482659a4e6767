package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.CountingWatermark.InFlightBatches;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class InFlightBatchesTest {
    private static final Instant NOON = Instant.parse("2036-06-15T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(1);

    private final InFlightBatches batches = new InFlightBatches();

    @Test
    void aHeartbeatAdvancesAtOnceWhereNothingElseIsInFlight() {
        assertThat(batches.completed(batches.begin(), null)).isEmpty();
        assertThat(batches.completed(batches.begin(), NOON)).contains(NOON);
        assertThat(batches.completed(batches.begin(), null)).isEmpty();
    }

    @Test
    void aHeartbeatWaitsForBatchesStartedBeforeIt() {
        var first = batches.begin();
        var second = batches.begin();
        var third = batches.begin();
        var fourth = batches.begin();

        assertThat(batches.completed(second, NOON)).isEmpty();
        assertThat(batches.completed(fourth, LATER)).isEmpty();
        assertThat(batches.completed(first, null)).contains(NOON);
        assertThat(batches.completed(third, null)).contains(LATER);
    }

    @Test
    void aHeartbeatDoesNotWaitForBatchesStartedAfterIt() {
        var first = batches.begin();
        batches.begin();

        assertThat(batches.completed(first, NOON)).contains(NOON);
    }

    @Test
    void heartbeatsAfterAFailedBatchAreDropped() {
        var first = batches.begin();
        var second = batches.begin();
        var third = batches.begin();
        assertThat(batches.completed(third, LATER)).isEmpty();

        batches.failed(second);

        assertThat(batches.completed(first, NOON)).contains(NOON);
        assertThat(batches.completed(batches.begin(), null)).isEmpty();
    }
}
