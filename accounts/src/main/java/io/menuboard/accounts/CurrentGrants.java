package io.menuboard.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ulid;
import java.time.Clock;
import java.util.Set;

/**
 * Reads the account or token that asked, strongly consistent. An account whose password must be changed keeps its grants here: a
 * password is reset because it was forgotten, too, and what its person has begun must not fail for that.
 */
final class CurrentGrants implements CurrentAccess {
    private final DynamoAccounts accounts;
    private final DynamoTokens tokens;
    private final Clock clock;

    CurrentGrants(DynamoAccounts accounts, DynamoTokens tokens, Clock clock) {
        this.accounts = accounts;
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Access of(Actor actor) {
        var id = actor.id();
        if (id == null) {
            return EVERYTHING.of(actor);
        }
        var grants =
                switch (actor.kind()) {
                    case USER -> grantsOfAccount(new AccountId(id));
                    case TOKEN -> grantsOfToken(id);
                    case SYSTEM, UNKNOWN -> Set.<Grant>of();
                };
        return new Access(new Principal(id, actor.kind(), actor.name(), grants), actor.source());
    }

    private Set<Grant> grantsOfAccount(AccountId id) {
        return accounts.find(id)
                .map(StoredAccount::account)
                .filter(account -> !account.disabled())
                .map(Account::grants)
                .orElse(Set.of());
    }

    private Set<Grant> grantsOfToken(String id) {
        Ulid.check("token", id);
        return tokens.find(id)
                .map(DynamoTokens.Stored::token)
                .filter(token -> token.isValidAt(clock.instant()))
                .map(Token::grants)
                .orElse(Set.of());
    }
}
