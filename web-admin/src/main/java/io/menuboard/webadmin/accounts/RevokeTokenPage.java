package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Token;
import io.menuboard.webadmin.ui.Actors;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Reference;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/revoke}: the question before a token is revoked.
 *
 * @param refusal why nothing was done, or null
 */
record RevokeTokenPage(
        Confirmation confirmation,
        List<Fact> facts,
        @Nullable String refusal) {
    static RevokeTokenPage of(Token token, Instant now, @Nullable String refusal) {
        var tokens = AccountWords.tokens();
        return new RevokeTokenPage(
                Confirmation.of(
                                List.of(Reference.of("Tokens", tokens)),
                                "Revoke the token " + token.name() + "?",
                                "Whatever uses it is refused from then on, everywhere within two seconds. A token that is"
                                        + " revoked stays so; make another one instead.",
                                "Revoke the token",
                                TokensPage.revoke(token.id()),
                                Reference.of("Back to the tokens", tokens))
                        .dangerous(true),
                List.of(
                        new Fact("Name", token.name(), null),
                        new Fact("Roles", AccountWords.text(token.grants()), null),
                        new Fact("Made by", Actors.text(token.createdBy()), null),
                        new Fact("Made", Moments.utc(token.createdAt()), null),
                        new Fact("Status", AccountWords.status(token, now).label(), null)),
                refusal);
    }
}
