package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;

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

class TurnsTest {
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private Turns at(Instant now) {
        return new Turns(table.queryDb(Clock.fixed(now, ZoneOffset.UTC)), Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void thereIsOneTurnInAPeriod() {
        assertThat(at(NOW).take("count", MINUTE)).isTrue();
        assertThat(at(NOW).take("count", MINUTE)).isFalse();
        assertThat(at(NOW).take("other", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE).minusMillis(1)).take("count", MINUTE)).isFalse();
        assertThat(at(NOW.plus(MINUTE)).take("count", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE)).take("count", MINUTE)).isFalse();
    }

    @Test
    void whoTookATurnByAWrongClockKeepsItFromNobody() {
        assertThat(at(NOW.plus(Duration.ofDays(100))).take("count", MINUTE)).isTrue();
        assertThat(at(NOW.plus(Duration.ofDays(100))).hold("seat", "grace", MINUTE))
                .isTrue();

        assertThat(at(NOW).hold("seat", "linus", Duration.ZERO)).isFalse();
        assertThat(at(NOW).take("count", MINUTE)).isTrue();
        assertThat(at(NOW).take("count", MINUTE)).isFalse();
        assertThat(at(NOW).hold("seat", "linus", MINUTE)).isTrue();
    }

    @Test
    void ofManyAtOnceOneHasIt() throws Exception {
        var turns = at(NOW);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var taken = threads.invokeAll(IntStream.range(0, 16)
                    .mapToObj(_ -> (Callable<Boolean>) () -> turns.take("count", MINUTE))
                    .toList());

            var winners = 0;
            for (var one : taken) {
                winners += one.get() ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        }
    }

    @Test
    void oneHoldsATurnUntilItsTimeIsOver() {
        assertThat(at(NOW).hold("seat", "grace", MINUTE)).isTrue();
        assertThat(at(NOW).hold("seat", "linus", MINUTE)).isFalse();
        assertThat(at(NOW).hold("other", "linus", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE).minusMillis(1)).hold("seat", "linus", MINUTE))
                .isFalse();
        assertThat(at(NOW.plus(MINUTE)).hold("seat", "linus", MINUTE)).isTrue();
        assertThat(at(NOW.plus(MINUTE)).hold("seat", "grace", MINUTE)).isFalse();
    }

    @Test
    void whoHoldsATurnKeepsIt() {
        at(NOW).hold("seat", "grace", MINUTE);

        assertThat(at(NOW.plusSeconds(50)).hold("seat", "grace", MINUTE)).isTrue();

        assertThat(at(NOW.plusSeconds(109)).hold("seat", "linus", MINUTE)).isFalse();
        assertThat(at(NOW.plusSeconds(110)).hold("seat", "linus", MINUTE)).isTrue();
    }

    @Test
    void whoHoldsATurnCanGiveItBack() {
        at(NOW).hold("seat", "grace", MINUTE);

        assertThat(at(NOW).hold("seat", "linus", Duration.ZERO)).isFalse();
        assertThat(at(NOW).hold("seat", "grace", Duration.ZERO)).isTrue();

        assertThat(at(NOW).hold("seat", "linus", MINUTE)).isTrue();
    }

    @Test
    void holdingATurnIsOneWriteUnitWhetherItIsNewOrKept() {
        for (var time : List.of(MINUTE, MINUTE, Duration.ZERO)) {
            var cost = table.meter().during(() -> at(NOW).hold("seat", "grace", time));

            assertThat(cost).isEqualTo(new RecordingMeter.Units(1, 0, 1));
        }
    }
}
