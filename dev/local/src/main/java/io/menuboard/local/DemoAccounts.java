package io.menuboard.local;

import static java.util.stream.Collectors.toSet;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** People who can sign in to the sample, and a token for clients. Their password is printed: nobody else reaches this machine. */
final class DemoAccounts {
    static final String PASSWORD = "menu board demo";

    /** Has every role. */
    static final String ADMINISTRATOR = "ada";

    /** Only looks at things. */
    static final String VIEWER = "vera";

    private static final int MOST = 100;
    private static final ClientAddress ADDRESS = ClientAddress.of("127.0.0.1");
    private static final String FIRST_PASSWORD = "menu board first";

    /** Those of a first start anywhere. */
    static final Map<String, Object> SETTINGS = Map.of(
            "menuboard.administrator.username", ADMINISTRATOR, "menuboard.administrator.password", FIRST_PASSWORD);

    private static final Duration LIFETIME = Duration.ofDays(7);
    private static final Access ACCESS = Access.ofCommandLine("sample data");

    private final ApplicationContext context;

    DemoAccounts(ApplicationContext context) {
        this.context = context;
    }

    /** Adds those that are not there yet; the administrator is there since the start. */
    void create() {
        context.getBean(Accounts.class)
                .create(ACCESS, new Username(VIEWER), "Vera Rubin", FIRST_PASSWORD, Set.of(Grant.of(Role.VIEWER)));
        choosePassword(ADMINISTRATOR);
        choosePassword(VIEWER);
    }

    /** Who has every role, on pages; without an account where nobody signs in. */
    Access administrator() {
        return context.getBean(Accounts.class).list(ACCESS, PageRequest.forward(MOST, null)).nodes().stream()
                .filter(account -> account.username().equals(new Username(ADMINISTRATOR)))
                .map(account -> new Principal(account.id().value(), Actor.Kind.USER, account.name(), account.grants()))
                .findFirst()
                .map(principal -> new Access(principal, Actor.Source.PAGE))
                .orElseGet(() -> new Access(Principal.withEveryRole(ADMINISTRATOR), Actor.Source.PAGE));
    }

    /** A new token with every role. */
    String token(Instant now) {
        return context.getBean(Tokens.class)
                .create(ACCESS, "README and examples", everyRole(), now.plus(LIFETIME))
                .text();
    }

    /** As a person would at the first sign-in, where the password is one that somebody else has set. */
    private void choosePassword(String username) {
        var signIns = context.getBean(SignIns.class);
        if (signIns.signIn(username, FIRST_PASSWORD, ADDRESS, "", null, null)
                instanceof SignInResult.SignedIn(var begun, var _, var _)) {
            signIns.changePassword(begun.session(), ADDRESS, FIRST_PASSWORD, PASSWORD, null);
        }
    }

    static Set<Grant> everyRole() {
        return Arrays.stream(Role.values()).map(Grant::of).collect(toSet());
    }
}
