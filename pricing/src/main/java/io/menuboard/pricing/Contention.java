package io.menuboard.pricing;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Optimistic writes of items that others change at the same time. */
public final class Contention {
    private static final int ATTEMPTS = 20;

    private Contention() {}

    /**
     * The first answer of an attempt, each of which reads what there is and writes on the condition that it is still so.
     *
     * @param attempt empty where others changed something in between
     * @throws IllegalStateException where that is so in each of {@value #ATTEMPTS} attempts
     */
    public static <T> T retry(String subject, Supplier<Optional<? extends T>> attempt) {
        for (var i = 0; i < ATTEMPTS; i++) {
            var answer = attempt.get();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw contention(subject);
    }

    /** As {@link #retry}, for attempts that only succeed or fail. */
    public static void retryUntil(String subject, BooleanSupplier attempt) {
        for (var i = 0; i < ATTEMPTS; i++) {
            if (attempt.getAsBoolean()) {
                return;
            }
        }
        throw contention(subject);
    }

    private static IllegalStateException contention(String subject) {
        return new IllegalStateException(
                "contention: others have changed " + subject + " during each of " + ATTEMPTS + " attempts");
    }
}
