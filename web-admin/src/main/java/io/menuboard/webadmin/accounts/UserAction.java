package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Something that an administrator does with a user, as pages say it. Questions go on with the username. */
enum UserAction {
    RENAME(
            "rename",
            "Rename",
            "Rename",
            "The name is for people: pages and the history of changes show it. The username stays.",
            "Rename the user",
            "The user is renamed."),
    ROLES(
            "roles",
            "Change roles",
            "Change the roles of",
            "They count within two seconds, also for sessions that have begun.",
            "Change the roles",
            "The roles are changed."),
    PASSWORD(
            "password",
            "Reset password",
            "Reset the password of",
            "All sessions end. Whoever signs in with the new password must change it before anything else. What the user"
                    + " has begun goes on: if somebody else did, disable the user, and cancel the change sets that are scheduled.",
            "Reset the password",
            "The password is reset. It must be changed at the next sign-in."),
    DISABLE(
            "disable",
            "Disable",
            "Disable",
            "All sessions end, and nobody can sign in as this user until it is enabled again. Nothing is deleted: tokens"
                    + " that the user made and webhooks that the user registered go on.",
            "Disable the user",
            "The user is disabled, and all its sessions have ended."),
    ENABLE(
            "enable",
            "Enable",
            "Enable",
            "The user can sign in again, with the password and the roles of before.",
            "Enable the user",
            "The user is enabled."),
    SESSIONS(
            "sessions",
            "End all sessions",
            "End all sessions of",
            "Every browser is signed out within two seconds. The user can sign in again.",
            "End all sessions",
            "All sessions have ended.");

    private final String path;
    private final String label;
    private final String question;
    private final String consequence;
    private final String confirmation;
    private final String done;

    UserAction(String path, String label, String question, String consequence, String confirmation, String done) {
        this.path = path;
        this.label = label;
        this.question = question;
        this.consequence = consequence;
        this.confirmation = confirmation;
        this.done = done;
    }

    /** The action with that last segment of its address. */
    static Optional<UserAction> of(String path) {
        return Stream.of(values()).filter(action -> action.path.equals(path)).findFirst();
    }

    /** Those that the page of a user links to. */
    static List<UserAction> offered(Account account) {
        return Stream.of(values())
                .filter(action -> switch (action) {
                    case RENAME, ROLES, PASSWORD -> account.identity() == null;
                    case DISABLE, SESSIONS -> !account.disabled();
                    case ENABLE -> account.disabled();
                })
                .toList();
    }

    boolean isDangerous() {
        return switch (this) {
            case RENAME, ROLES, ENABLE -> false;
            case PASSWORD, DISABLE, SESSIONS -> true;
        };
    }

    String path() {
        return path;
    }

    String label() {
        return label;
    }

    String question() {
        return question;
    }

    String consequence() {
        return consequence;
    }

    String confirmation() {
        return confirmation;
    }

    /** Result of the action; null where the user is not as that action leaves it. */
    @Nullable
    String said(Account account) {
        return switch (this) {
            case DISABLE -> account.disabled() ? done : null;
            case ENABLE -> account.disabled() ? null : done;
            case RENAME, ROLES, PASSWORD, SESSIONS -> done;
        };
    }
}
