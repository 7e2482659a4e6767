package io.menuboard.tasks.claims;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimsConfigTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, PT1H, PT1S, PT1S, PT1S,  0, 1, lease must be positive and at most max-lease",
        "PT2H, PT1H, PT1S, PT1S, PT1S,  0, 1, lease must be positive and at most max-lease",
        "PT1M, PT1H, PT0S, PT1S, PT1S,  0, 1, poll-interval must be positive",
        "PT1M, PT1H, PT1S, PT0S, PT1S,  0, 1, operation-poll-interval must be positive",
        "PT1M, PT1H, PT1S, PT1S, PT-1S, 0, 1, max-wait must not be negative",
        "PT1M, PT1H, PT1S, PT1S, PT0S, -1, 1, max-waiting must not be negative",
        "PT1M, PT1H, PT1S, PT1S, PT0S,  0, 0, max-claim must be at least 1"
    })
    void refusesWhatNoInstanceCanWorkWith(
            Duration lease,
            Duration maxLease,
            Duration poll,
            Duration operationPoll,
            Duration maxWait,
            int maxWaiting,
            int maxClaim,
            String rule) {
        assertThatThrownBy(() ->
                        new ClaimsConfig(lease, maxLease, poll, operationPoll, maxWait, maxWaiting, maxClaim, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("menuboard.tasks." + rule);
    }
}
