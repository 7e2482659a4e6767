package io.menuboard.accounts;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** Makes sessions that nobody can guess. */
final class NewSessions {
    private static final int BYTES = 32;
    private static final int MAX_USER_AGENT = 200;

    private final Clock clock;
    private final Duration lifetime;
    private final SecureRandom random = new SecureRandom();

    NewSessions(Clock clock, Duration lifetime) {
        this.clock = clock;
        this.lifetime = lifetime;
    }

    Session of(Account account, String address, String userAgent) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        var now = clock.instant();
        return new Session(
                HexFormat.of().formatHex(bytes),
                account.id(),
                account.credentialVersion(),
                now,
                address,
                userAgent.substring(0, Math.min(MAX_USER_AGENT, userAgent.length())),
                now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS));
    }
}
