package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A person who may sign in.
 *
 * @param name for people; not unique
 * @param hasPassword false until a password is set; till then nobody can sign in with it
 * @param mustChangePassword true while the password is one that somebody else has set; until it is changed, whoever signs in may do
 *     nothing else. What the account asked for before goes on, with its grants
 * @param credentialVersion raised by whatever ends all sessions: sessions of an earlier one are no longer valid
 * @param grants those that this version knows
 * @param unknownGrants how many more it has, which only another version knows
 * @param identity with which its person signs in at an issuer, which says what name and grants it has; null for an account of
 *     ours alone
 * @param updatedAt when the account was last changed
 */
public record Account(
        AccountId id,
        Username username,
        String name,
        boolean hasPassword,
        boolean mustChangePassword,
        boolean disabled,
        long credentialVersion,
        Set<Grant> grants,
        int unknownGrants,
        @Nullable ExternalIdentity identity,
        Instant createdAt,
        Instant updatedAt) {
    public Account {
        grants = Set.copyOf(grants);
    }

    /**
     * Whether it is one of those of which the last cannot be lost: it can sign in with a password and administer accounts. What
     * an issuer gives it can take, or be away.
     */
    boolean isWorkingAdministrator() {
        return hasPassword && !disabled && grants.stream().anyMatch(grant -> grant.role() == Role.ADMINISTRATOR);
    }
}
