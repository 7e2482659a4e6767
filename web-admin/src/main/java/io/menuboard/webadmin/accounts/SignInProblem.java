package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.oidc.OidcFailure;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Why somebody came back from the issuer and is not signed in, as addresses name it and the sign-in page says it. */
enum SignInProblem {
    CANCELLED("You did not sign in with %s, or it did not let you."),
    STALE("This way of signing in was begun in another window or too long ago, or has been used already. Begin again."),
    UNTRUSTED("What %s answered cannot be trusted. Try again, and tell an administrator if it happens again."),
    UNAVAILABLE("%s does not answer at the moment. Try again in a minute."),
    NO_ROLES("%s knows you, but gives you no role in Menuboard. Ask whoever manages your roles there."),
    DISABLED("Your account in Menuboard is disabled. Ask an administrator of Menuboard."),
    BUSY("Your account was just changed. Try again.");

    private final String text;

    SignInProblem(String text) {
        this.text = text;
    }

    static SignInProblem of(OidcFailure failure) {
        return switch (failure) {
            case CANCELLED -> CANCELLED;
            case STALE -> STALE;
            case UNTRUSTED -> UNTRUSTED;
            case UNAVAILABLE -> UNAVAILABLE;
        };
    }

    /** The one that an address names. */
    static Optional<SignInProblem> of(String code) {
        return Stream.of(values())
                .filter(problem -> problem.code().equals(code))
                .findFirst();
    }

    String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @param issuer its name for people */
    String text(String issuer) {
        var said = text.formatted(issuer);
        return said.substring(0, 1).toUpperCase(Locale.ROOT) + said.substring(1);
    }
}
