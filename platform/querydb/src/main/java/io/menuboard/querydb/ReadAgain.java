package io.menuboard.querydb;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Reads again what must be there, because another item of the same transaction was seen: that transaction may be under way (ADR
 * 38). It takes milliseconds, longer where DynamoDB has to finish it.
 */
public final class ReadAgain {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LAST_PAUSE = Duration.ofMillis(160);

    private ReadAgain() {}

    /**
     * The first answer that is whole. Where none is within a third of a second, or the thread is interrupted, the last one, of
     * which the caller says what it means that something is missing for so long.
     *
     * @param read is done six times at most
     */
    public static <T> T until(Supplier<T> read, Predicate<? super T> isWhole) {
        var answer = read.get();
        for (var pause = FIRST_PAUSE;
                !isWhole.test(answer) && pause.compareTo(LAST_PAUSE) <= 0;
                pause = pause.multipliedBy(2)) {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return answer;
            }
            answer = read.get();
        }
        return answer;
    }
}
