package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.NewToken;
import io.menuboard.webadmin.ui.Fact;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;

/**
 * View model of {@code accounts/created-token}, the only page that ever has a token.
 *
 * @param text the token itself
 * @param header of a request that has it
 * @param command which sends such a request from a shell
 */
record CreatedTokenPage(String name, String text, String header, String command, List<Fact> facts) {
    static CreatedTokenPage of(NewToken created) {
        var token = created.token();
        var header = "Authorization: Bearer " + created.text();
        return new CreatedTokenPage(
                token.name(),
                created.text(),
                header,
                "curl https://menuboard.example/graphql -H 'Content-Type: application/json' \\\n  -H '" + header
                        + "' \\\n  -d '{\"query\": \"{ __typename }\"}'",
                List.of(
                        new Fact("Name", token.name(), null),
                        new Fact("Roles", AccountWords.text(token.grants()), null),
                        new Fact("Valid until", Moments.utc(token.expiresAt()), null)));
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "CreatedTokenPage[" + name + "]";
    }
}
