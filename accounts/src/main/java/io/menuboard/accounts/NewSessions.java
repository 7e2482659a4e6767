package io.menuboard.accounts;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** Makes sessions with secrets that nobody can guess. */
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

    NewSession of(Account account, String address, String userAgent) {
        var now = clock.instant();
        return session(
                account, now, address, shortened(userAgent), now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS));
    }

    /** The same session with another secret, and the credentials that the account has now. */
    NewSession insteadOf(Session before, Account account) {
        return session(account, before.createdAt(), before.address(), before.userAgent(), before.endsAt());
    }

    private NewSession session(Account account, Instant createdAt, String address, String userAgent, Instant endsAt) {
        var bytes = new byte[BYTES];
        random.nextBytes(bytes);
        var secret = HexFormat.of().formatHex(bytes);
        var key = SessionKey.ofSecret(account.id(), account.credentialVersion(), secret);
        return new NewSession(
                secret,
                new Session(key.id(), key.account(), key.credentialVersion(), createdAt, address, userAgent, endsAt));
    }

    /** As much of what a browser says of itself as is kept. */
    static String shortened(String userAgent) {
        return userAgent.substring(0, Math.min(MAX_USER_AGENT, userAgent.length()));
    }
}
