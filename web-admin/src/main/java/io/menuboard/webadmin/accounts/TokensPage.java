package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Token;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.lists.Listing;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/tokens}.
 *
 * @param notice what was just done, or null
 */
record TokensPage(@Nullable String notice, Listing list, List<Row> rows) {

    /**
     * @param lastUsed to the hour
     * @param revokeHref null where it is not active
     */
    record Row(
            String id,
            String name,
            List<String> roles,
            String by,
            String through,
            String created,
            String expires,
            String lastUsed,
            Badge status,
            @Nullable String revokeHref) {

        static Row of(Token token, Instant now) {
            return new Row(
                    token.id(),
                    token.name(),
                    AccountWords.names(token.grants()),
                    token.createdBy().name(),
                    Actors.through(token.createdBy()),
                    Moments.utc(token.createdAt()),
                    Moments.utc(token.expiresAt()),
                    token.lastUsedAt() == null ? "Never" : lastUsed(token.lastUsedAt()),
                    AccountWords.status(token, now),
                    AccountWords.isActive(token, now) ? revoke(token.id()).toString() : null);
        }

        private static String lastUsed(Instant hour) {
            return "In the hour from " + Moments.utc(hour);
        }
    }

    static Link revoke(String token) {
        return Link.to("tokens", token, "revoke");
    }
}
