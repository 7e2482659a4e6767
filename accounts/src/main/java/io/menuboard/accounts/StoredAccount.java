package io.menuboard.accounts;

import io.menuboard.access.Grant;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An account with what only its store and sign-ins see.
 *
 * @param passwordHash in PHC string format; null without a password
 * @param unknownGrants texts of grants that another version wrote and this one cannot read; kept as they are
 * @param version raised by every change of the item
 */
record StoredAccount(Account account, @Nullable String passwordHash, List<String> unknownGrants, long version) {
    StoredAccount {
        unknownGrants = List.copyOf(unknownGrants);
    }

    List<String> grantTexts() {
        return Stream.concat(account.grants().stream().map(Grant::text).sorted(), unknownGrants.stream())
                .toList();
    }

    StoredAccount renamed(String name, Instant now) {
        return with(name, account.mustChangePassword(), account.disabled(), 0, account.grants(), passwordHash, now);
    }

    /** Itself where it has those already. */
    StoredAccount granted(Set<Grant> grants, Instant now) {
        return grants.equals(account.grants())
                ? this
                : with(account.name(), account.mustChangePassword(), account.disabled(), 0, grants, passwordHash, now);
    }

    /** Ends all sessions. Disabled once more where it is already, so that whoever was about to enable it has seen another one. */
    StoredAccount disabled(Instant now) {
        return with(account.name(), account.mustChangePassword(), true, 1, account.grants(), passwordHash, now);
    }

    /** Itself where it is enabled already. */
    StoredAccount enabled(Instant now) {
        return account.disabled()
                ? with(account.name(), account.mustChangePassword(), false, 0, account.grants(), passwordHash, now)
                : this;
    }

    /** Ends all sessions. */
    StoredAccount withPassword(String hash, boolean mustChange, Instant now) {
        return with(account.name(), mustChange, account.disabled(), 1, account.grants(), hash, now);
    }

    /** The same password, hashed with other parameters. */
    StoredAccount rehashed(String hash, Instant now) {
        return with(account.name(), account.mustChangePassword(), account.disabled(), 0, account.grants(), hash, now);
    }

    /** Ends all sessions. */
    StoredAccount withoutSessions(Instant now) {
        return with(
                account.name(),
                account.mustChangePassword(),
                account.disabled(),
                1,
                account.grants(),
                passwordHash,
                now);
    }

    private StoredAccount with(
            String name,
            boolean mustChange,
            boolean disabled,
            int raise,
            Set<Grant> grants,
            @Nullable String hash,
            Instant now) {
        var changed = new Account(
                account.id(),
                account.username(),
                name,
                hash != null,
                mustChange,
                disabled,
                account.credentialVersion() + raise,
                grants,
                unknownGrants.size(),
                account.identity(),
                account.createdAt(),
                now);
        return new StoredAccount(changed, hash, unknownGrants, version + 1);
    }

    /**
     * As its issuer says: with that name, and those grants alone. Without grants all sessions end. A password that another version
     * has set goes, with all sessions too.
     */
    StoredAccount identified(IdentifiedPerson person, Instant now) {
        var ends = (person.grants().isEmpty() && !grantTexts().isEmpty()) || passwordHash != null;
        return new StoredAccount(account, passwordHash, List.of(), version)
                .with(person.name(), false, account.disabled(), ends ? 1 : 0, person.grants(), null, now);
    }

    /** Whether more than the time of the last change is another one. */
    boolean differs(StoredAccount other) {
        return !account.name().equals(other.account.name())
                || account.credentialVersion() != other.account.credentialVersion()
                || !grantTexts().equals(other.grantTexts());
    }
}
