package io.menuboard.webadmin.accounts;

import static java.util.stream.Collectors.joining;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.access.Scope.Kind;
import io.menuboard.accounts.Account;
import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.Token;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Users, tokens and roles as pages name and link them. */
final class AccountWords {
    private static final int STORES_NAMED = 5;

    private AccountWords() {}

    static Link users() {
        return Link.to("users");
    }

    static Link link(AccountId id) {
        return Link.to("users", id.value());
    }

    static Link tokens() {
        return Link.to("tokens");
    }

    static InvalidInput notFound(AccountId id) {
        return NotFound.of("account", "There is no user with the id " + id + ".");
    }

    static Badge status(Account account) {
        if (account.disabled()) {
            return new Badge("badge-bad", "Disabled");
        }
        if (!account.hasPassword() && account.identity() == null) {
            return new Badge("badge-warn", "No password");
        }
        return account.mustChangePassword()
                ? new Badge("badge-info", "Must change password")
                : new Badge("badge-good", "Active");
    }

    static Badge status(Token token, Instant now) {
        if (token.revokedAt() != null) {
            return new Badge("badge-bad", "Revoked");
        }
        return isActive(token, now) ? new Badge("badge-good", "Active") : new Badge("", "Expired");
    }

    static boolean isActive(Token token, Instant now) {
        return token.revokedAt() == null && now.isBefore(token.expiresAt());
    }

    /** In the order of {@link Role}, those for everything before those for a part. */
    static List<String> names(Set<Grant> grants) {
        return grants.stream()
                .sorted(Comparator.comparing(Grant::role)
                        .thenComparing(grant -> !isForAll(grant))
                        .thenComparing(Grant::text))
                .map(AccountWords::name)
                .toList();
    }

    /** The same in one text; says so where there is none. */
    static String text(Set<Grant> grants) {
        return grants.isEmpty() ? "No roles" : String.join(", ", names(grants));
    }

    static String name(Grant grant) {
        var role = name(grant.role());
        return switch (grant.scope()) {
            case Scope.All _ -> role;
            case Scope.Stores stores -> role + " for " + stores(new TreeSet<>(stores.ids()));
            case Scope.Only only -> role + " for the " + only.kind().name().toLowerCase(Locale.ROOT) + " " + only.id();
        };
    }

    private static String stores(Set<String> ids) {
        var first = ids.stream().limit(STORES_NAMED).collect(joining(", "));
        var rest = ids.size() - STORES_NAMED;
        return (ids.size() == 1 ? "the store " : "the stores ") + first + (rest > 0 ? " and " + rest + " more" : "");
    }

    /** What roles can be limited to, as a label has it. */
    static String plural(Kind limit) {
        return switch (limit) {
            case NONE -> throw new IllegalArgumentException("nothing to limit");
            case STORES -> "stores";
            case AGENCY -> "agencies";
            case USER -> "users of the app";
            case WORKER -> "workers";
        };
    }

    /** That not all sessions are there; null where they are. */
    static @Nullable String more(Sessions.Listed listed) {
        return listed.hasMore()
                ? "More than " + Sessions.MOST_LISTED + " sessions; only " + Sessions.MOST_LISTED
                        + " of them are shown."
                : null;
    }

    static boolean isForAll(Grant grant) {
        return grant.scope() instanceof Scope.All;
    }

    static String name(Role role) {
        return switch (role) {
            case VIEWER -> "Viewer";
            case PRICING_EDITOR -> "Pricing editor";
            case PRICING_APPROVER -> "Pricing approver";
            case TASK_OPERATOR -> "Task operator";
            case WORKER -> "Worker";
            case PARTNER -> "Partner";
            case BILLING -> "Billing";
            case FAVORITES_CLIENT -> "Favorites client";
            case OPERATOR -> "Operator";
            case ADMINISTRATOR -> "Administrator";
        };
    }

    /** What the role may do, as {@link Role#permissions} has it. */
    static String about(Role role) {
        return switch (role) {
            case VIEWER -> "Sees stores, prices, changes, tasks and the ranking of restaurants, and changes nothing.";
            case PRICING_EDITOR -> "Drafts and applies changes of prices, imports prices, and edits stores.";
            case PRICING_APPROVER -> "Sees prices, and approves or rejects what somebody else has drafted.";
            case TASK_OPERATOR -> "Submits tasks, and cancels, retries, reassigns and clones them.";
            case WORKER -> "Claims tasks and completes them. For programs that do the work.";
            case PARTNER -> "Sees transactions, reports and statements of agencies.";
            case BILLING -> "Records transactions, runs billing, and changes its rules and its interval.";
            case FAVORITES_CLIENT -> "Marks restaurants for users, and sees marks and rankings. For apps.";
            case OPERATOR ->
                "Redrives dead letters, publishes price events again, recounts, and sees tasks and rankings.";
            case ADMINISTRATOR ->
                "Manages users, their roles and sessions, tokens, and webhooks, and reads the audit trail.";
        };
    }
}
