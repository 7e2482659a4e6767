package io.menuboard.webadmin.accounts;

import io.menuboard.access.Grant;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.Token;
import io.menuboard.webadmin.ui.Actors;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows of the files of users and tokens, in the order of their columns. */
final class AccountCsv {
    static final List<String> USER_COLUMNS =
            List.of("id", "username", "name", "roles", "status", "createdAt", "updatedAt");

    static final List<String> TOKEN_COLUMNS = List.of(
            "id", "name", "roles", "by", "through", "createdAt", "expiresAt", "lastUsedAt", "revokedAt", "status");

    private AccountCsv() {}

    static List<List<?>> rows(Account account) {
        return List.of(List.of(
                account.id(),
                account.username(),
                account.name(),
                texts(account.grants()),
                AccountWords.status(account).label(),
                account.createdAt(),
                account.updatedAt()));
    }

    static List<List<?>> rows(Token token, Instant now) {
        var by = Actors.cells(token.createdBy());
        return List.of(List.of(
                token.id(),
                token.name(),
                texts(token.grants()),
                by.getFirst(),
                by.getLast(),
                token.createdAt(),
                token.expiresAt(),
                orEmpty(token.lastUsedAt()),
                orEmpty(token.revokedAt()),
                AccountWords.status(token, now).label()));
    }

    private static String texts(Set<Grant> grants) {
        return grants.stream().map(Grant::text).sorted().collect(Collectors.joining("; "));
    }

    private static Object orEmpty(@Nullable Object value) {
        return Objects.requireNonNullElse(value, "");
    }
}
