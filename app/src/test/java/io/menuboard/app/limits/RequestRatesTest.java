package io.menuboard.app.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.bucket4j.TimeMeter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RequestRatesTest {
    private final AtomicLong nanos = new AtomicLong(1);
    private final RequestRates<String> rates = new RequestRates<>(2, 4, new TimeMeter() {
        @Override
        public long currentTimeNanos() {
            return nanos.get();
        }

        @Override
        public boolean isWallClockBased() {
            return false;
        }
    });

    @Test
    void refusesWhatIsAboveTheBurstAndThenAboveTheRate() {
        assertThat(served("a", 10)).isEqualTo(4);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(served("a", 10)).isEqualTo(2);

        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(served("a", 10)).as("no more than at once").isEqualTo(4);
    }

    @Test
    void countsEachByItself() {
        served("a", 10);

        assertThat(served("b", 10)).isEqualTo(4);
    }

    @Test
    void looksWithoutCounting() {
        for (var i = 0; i < 10; i++) {
            assertThatCode(() -> rates.check("a")).doesNotThrowAnyException();
        }
        served("a", 4);

        assertThat(catchThrowableOfType(TooManyRequests.class, () -> rates.check("a"))
                        .waitSeconds())
                .isEqualTo(1);
    }

    @Test
    void saysHowLongToWaitInWholeSeconds() {
        var slow = new RequestRates<String>(1, 1, TimeMeter.SYSTEM_NANOTIME);
        slow.take("a");

        assertThat(catchThrowableOfType(TooManyRequests.class, () -> slow.take("a"))
                        .waitSeconds())
                .isEqualTo(1);
    }

    private int served(String client, int requests) {
        var served = 0;
        for (var i = 0; i < requests; i++) {
            try {
                rates.take(client);
                served++;
            } catch (TooManyRequests _) {
                // One too many.
            }
        }
        return served;
    }
}
