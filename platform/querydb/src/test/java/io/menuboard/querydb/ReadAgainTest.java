package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadAgainTest {
    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void readsOnceWhatIsWhole() {
        var answer = ReadAgain.until(reads::incrementAndGet, _ -> true);

        assertThat(answer).isEqualTo(1);
    }

    @Test
    void readsUntilTheAnswerIsWhole() {
        var answer = ReadAgain.until(reads::incrementAndGet, read -> read == 3);

        assertThat(answer).isEqualTo(3);
    }

    @Test
    void answersWhatItHasReadLastWhereThatIsNeverWhole() {
        var answer = ReadAgain.until(reads::incrementAndGet, _ -> false);

        assertThat(answer).isEqualTo(6);
    }

    @Test
    void doesNotWaitWhereItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();

        var answer = ReadAgain.until(reads::incrementAndGet, _ -> false);

        assertThat(answer).isEqualTo(1);
        assertThat(Thread.interrupted()).isTrue();
    }
}
