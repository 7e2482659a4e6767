package io.menuboard.querydb.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.RecordingMeter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InstanceLeasesTest {
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private InstanceLeases at(Instant now) {
        return new InstanceLeases(table.queryDb(Clock.fixed(now, ZoneOffset.UTC)), Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void aLeaseIsAcquiredOnceInAPeriod() {
        assertThat(at(NOW).acquire("count", MINUTE)).isTrue();
        assertThat(at(NOW).acquire("count", MINUTE)).isFalse();
        assertThat(at(NOW).acquire("other", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE).minusMillis(1)).acquire("count", MINUTE)).isFalse();
        assertThat(at(NOW.plus(MINUTE)).acquire("count", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE)).acquire("count", MINUTE)).isFalse();
    }

    @Test
    void aLeaseAcquiredByAWrongClockIsFree() {
        assertThat(at(NOW.plus(Duration.ofDays(100))).acquire("count", MINUTE)).isTrue();
        assertThat(at(NOW.plus(Duration.ofDays(100))).hold("slot", "grace", MINUTE))
                .isTrue();

        assertThat(at(NOW).hold("slot", "linus", Duration.ZERO)).isFalse();
        assertThat(at(NOW).acquire("count", MINUTE)).isTrue();
        assertThat(at(NOW).acquire("count", MINUTE)).isFalse();
        assertThat(at(NOW).hold("slot", "linus", MINUTE)).isTrue();
    }

    @Test
    void oneOfManyAtOnceAcquiresIt() throws Exception {
        var leases = at(NOW);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var taken = threads.invokeAll(IntStream.range(0, 16)
                    .mapToObj(_ -> (Callable<Boolean>) () -> leases.acquire("count", MINUTE))
                    .toList());

            var winners = 0;
            for (var one : taken) {
                winners += one.get() ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        }
    }

    @Test
    void aLeaseIsHeldUntilItsTimeIsOver() {
        assertThat(at(NOW).hold("slot", "grace", MINUTE)).isTrue();
        assertThat(at(NOW).hold("slot", "linus", MINUTE)).isFalse();
        assertThat(at(NOW).hold("other", "linus", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE).minusMillis(1)).hold("slot", "linus", MINUTE))
                .isFalse();
        assertThat(at(NOW.plus(MINUTE)).hold("slot", "linus", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE)).hold("slot", "grace", MINUTE)).isFalse();
    }

    @Test
    void theHolderRenewsItsLease() {
        at(NOW).hold("slot", "grace", MINUTE);

        assertThat(at(NOW.plusSeconds(50)).hold("slot", "grace", MINUTE)).isTrue();

        assertThat(at(NOW.plusSeconds(109)).hold("slot", "linus", MINUTE)).isFalse();
        assertThat(at(NOW.plusSeconds(110)).hold("slot", "linus", MINUTE)).isTrue();
    }

    @Test
    void theHolderReleasesItsLease() {
        at(NOW).hold("slot", "grace", MINUTE);

        assertThat(at(NOW).hold("slot", "linus", Duration.ZERO)).isFalse();
        assertThat(at(NOW).hold("slot", "grace", Duration.ZERO)).isTrue();

        assertThat(at(NOW).hold("slot", "linus", MINUTE)).isTrue();
    }

    @Test
    void holdingALeaseIsOneWriteUnitWhetherItIsNewOrRenewed() {
        for (var time : List.of(MINUTE, MINUTE, Duration.ZERO)) {
            var cost = table.meter().during(() -> at(NOW).hold("slot", "grace", time));

            assertThat(cost).isEqualTo(new RecordingMeter.Units(1, 0, 1));
        }
    }
}
