package io.menuboard.accounts;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.accounts.*}.
 *
 * @param sessionLifetime how long a session lasts at most, default 12 hours
 * @param failures failures of one username without a delay, default 5
 * @param firstDelay delay after them, which doubles with each further one, default 1 second
 * @param maxDelay longest delay, default 15 minutes
 * @param addressFailures failures of one address within the window, default 50
 * @param window how long failures count, default 15 minutes
 * @param hashMemoryKib memory of a password hash in KiB, default 19,456 (OWASP Password Storage Cheat Sheet)
 * @param hashIterations its iterations, default 2
 * @param hashLanes its lanes, default 1
 * @param hashConcurrency most hashes made at once in an instance, default 2
 * @param hashPatience how long a sign-in waits for its turn, default 2 seconds
 */
@ConfigurationProperties("menuboard.accounts")
record AccountsConfig(
        @Bindable(defaultValue = "12h") Duration sessionLifetime,
        @Bindable(defaultValue = "5") int failures,
        @Bindable(defaultValue = "1s") Duration firstDelay,
        @Bindable(defaultValue = "15m") Duration maxDelay,
        @Bindable(defaultValue = "50") int addressFailures,
        @Bindable(defaultValue = "15m") Duration window,
        @Bindable(defaultValue = "19456") int hashMemoryKib,
        @Bindable(defaultValue = "2") int hashIterations,
        @Bindable(defaultValue = "1") int hashLanes,
        @Bindable(defaultValue = "2") int hashConcurrency,
        @Bindable(defaultValue = "2s") Duration hashPatience) {

    SignInLimits limits() {
        return new SignInLimits(failures, firstDelay, maxDelay, addressFailures, window);
    }

    Passwords.Settings hashing() {
        return new Passwords.Settings(hashMemoryKib, hashIterations, hashLanes, hashConcurrency, hashPatience);
    }
}
