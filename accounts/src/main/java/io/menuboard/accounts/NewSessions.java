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
        var now = clock.instant();
        return new Session(
                id(),
                account.id(),
                account.credentialVersion(),
                now,
                address,
                shortened(userAgent),
                now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS));
    }

    /** The same session under another id, with the credentials that the account has now. */
    Session insteadOf(Session before, Account account) {
        return new Session(
                id(),
                account.id(),
                account.credentialVersion(),
                before.createdAt(),
                before.address(),
                before.userAgent(),
                before.endsAt());
    }

    private String id() {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** As much of what a browser says of itself as is kept. */
    static String shortened(String userAgent) {
        return userAgent.substring(0, Math.min(MAX_USER_AGENT, userAgent.length()));
    }
}
