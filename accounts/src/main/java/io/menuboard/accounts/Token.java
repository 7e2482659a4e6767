package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client authenticates with, without its secret.
 *
 * @param name for people
 * @param grants those that this version knows
 * @param revokedAt null if it has not been revoked
 * @param lastUsedAt the hour in which it was last used; null if it never was
 */
public record Token(
        String id,
        String name,
        Set<Grant> grants,
        Actor createdBy,
        Instant createdAt,
        Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt) {
    public Token {
        grants = Set.copyOf(grants);
    }

    boolean isValidAt(Instant now) {
        return revokedAt == null && now.isBefore(expiresAt);
    }
}
