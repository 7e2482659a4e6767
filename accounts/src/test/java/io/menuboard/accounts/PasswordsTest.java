package io.menuboard.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PasswordsTest {
    private static final int MEMORY_KIB = 4_096;

    private final Passwords passwords =
            new Passwords(new Passwords.Settings(MEMORY_KIB, 1, 1, 1, Duration.ofSeconds(5)));

    @Test
    void nobodysPasswordTakesTheSameWork() {
        var someones = passwords.hash("correct horse battery staple");

        assertThat(passwords.matches("correct horse battery staple", someones)).contains(true);
        assertThat(passwords.matches("another horse", null)).contains(false);
        assertThat(bytesToMatch(someones)).isGreaterThan(MEMORY_KIB * 1024L);
        assertThat(bytesToMatch(null)).as("without a hash").isGreaterThan(MEMORY_KIB * 1024L);
    }

    /** What one verification allocates: memory is what an Argon2 hash is made of. */
    private long bytesToMatch(@Nullable String hash) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();
        assertThat(passwords.matches("another horse", hash)).contains(false);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
