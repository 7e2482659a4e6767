package io.menuboard.accounts;

import com.password4j.Argon2Function;
import com.password4j.types.Argon2;
import io.menuboard.kernel.InvalidInput;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hashes and verifies passwords with Argon2id (RFC 9106), in PHC string format, so that each hash says its parameters. Every
 * hash takes memory, so only some are made at once. Thread-safe.
 */
final class Passwords {
    static final int MIN_LENGTH = 12;
    static final int MAX_LENGTH = 128;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    /** The commonest of the length that is asked for. */
    private static final Set<String> COMMON = Set.of(
            "123456789012",
            "1234567890123",
            "12345678901234",
            "123456123456",
            "111111111111",
            "000000000000",
            "123123123123",
            "qwertyuiop12",
            "qwertyuiop123",
            "qwertyuiopasdfghjkl",
            "qwertyqwerty",
            "1q2w3e4r5t6y",
            "1qaz2wsx3edc",
            "abcdefghijkl",
            "asdfghjkl123",
            "administrator",
            "administrator1",
            "adminadminadmin",
            "iloveyou1234",
            "letmeinletmein",
            "changemechangeme",
            "changeme1234",
            "password1234",
            "password12345",
            "password123456",
            "passwordpassword",
            "welcome12345",
            "menuboardmenuboard");

    private final Argon2Function function;
    private final Duration patience;
    private final Semaphore running;

    /** Takes as much work as a new hash, though no password is known to have it. */
    private final String dummy;

    Passwords(Settings settings) {
        function = Argon2Function.getInstance(
                settings.memoryKib(), settings.iterations(), settings.lanes(), HASH_BYTES, Argon2.ID);
        patience = settings.patience();
        running = new Semaphore(settings.concurrency(), true);
        dummy = "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
                .formatted(
                        settings.memoryKib(),
                        settings.iterations(),
                        settings.lanes(),
                        zeros(SALT_BYTES),
                        zeros(HASH_BYTES));
    }

    /**
     * Cost of a hash.
     *
     * @param memoryKib KiB of memory
     * @param concurrency most hashes made at once in this instance
     * @param patience how long a verification waits for its turn
     */
    record Settings(int memoryKib, int iterations, int lanes, int concurrency, Duration patience) {}

    private static String zeros(int bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(new byte[bytes]);
    }

    /**
     * Refuses with {@link InvalidInput} {@code INVALID_PASSWORD} on {@code password} what is shorter than {@value #MIN_LENGTH} or
     * longer than {@value #MAX_LENGTH} characters, the username, or among the commonest.
     */
    static void check(String password, Username username) {
        var characters = password.codePointCount(0, password.length());
        if (characters < MIN_LENGTH || characters > MAX_LENGTH) {
            throw invalid("must have " + MIN_LENGTH + " to " + MAX_LENGTH + " characters");
        }
        var lower = password.toLowerCase(Locale.ROOT);
        if (lower.equals(username.key())) {
            throw invalid("must not be the username");
        }
        if (COMMON.contains(lower) || lower.chars().distinct().count() == 1) {
            throw invalid("must not be one that many people use");
        }
    }

    private static InvalidInput invalid(String rule) {
        return new InvalidInput("INVALID_PASSWORD", "password", rule);
    }

    /** A new hash with a random salt; waits for its turn. */
    String hash(String password) {
        running.acquireUninterruptibly();
        try {
            return function.hash(password).getResult();
        } finally {
            running.release();
        }
    }

    /**
     * Whether the hash is one of the password. Without a hash the answer is no, after the work of one with the parameters of now.
     *
     * @return empty if too many others wait
     */
    Optional<Boolean> matches(String password, @Nullable String hash) {
        try {
            if (!running.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        try {
            var isTooLong = password.codePointCount(0, password.length()) > MAX_LENGTH;
            var compared = hash == null || isTooLong ? dummy : hash;
            var equal = Argon2Function.getInstanceFromHash(compared).check(isTooLong ? "" : password, compared);
            return Optional.of(equal && hash != null && !isTooLong);
        } finally {
            running.release();
        }
    }

    /** Whether a hash was made with other parameters than those of now. */
    boolean isOutdated(String hash) {
        return !Argon2Function.getInstanceFromHash(hash).equals(function);
    }
}
