package io.menuboard.webadmin.audit;

import static io.menuboard.access.Permission.ACCOUNTS_MANAGE;
import static io.menuboard.access.Permission.BILLING_READ;
import static io.menuboard.access.Permission.MARKS_READ;
import static io.menuboard.access.Permission.OPERATIONS_ACT;
import static io.menuboard.access.Permission.OPERATIONS_READ;
import static io.menuboard.access.Permission.PRICES_READ;
import static io.menuboard.access.Permission.TASKS_READ;
import static io.menuboard.access.Permission.WEBHOOKS_MANAGE;
import static java.util.stream.Collectors.joining;

import io.menuboard.access.Access;
import io.menuboard.access.Scope.Kind;
import io.menuboard.audit.AuditDetail;
import io.menuboard.kernel.Actor;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Reference;
import io.menuboard.webadmin.ui.Views.AuditLinks;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the audit trail has, as pages and files write it. */
final class AuditWords {
    /** What contexts record that was done, for the filter. */
    static final List<String> ACTIONS = List.of(
            "account created",
            "account disabled",
            "account enabled",
            "account renamed",
            "all sessions ended",
            "bulk change begun",
            "change set applied",
            "change set approval requested",
            "change set approved",
            "change set cancelled",
            "change set drafted",
            "change set move begun",
            "change set moved",
            "change set rejected",
            "change set restored",
            "change set run ended",
            "change set undone",
            "commission rule set",
            "counts corrected",
            "dead letters may not have been sent back",
            "dead letters not sent back",
            "dead letters sent back",
            "downloaded",
            "grants changed",
            "import begun",
            "import ended",
            "loaded prices removed",
            "missing marks counted",
            "password change refused",
            "password changed",
            "password removed",
            "password reset",
            "prices changed",
            "prices loaded",
            "recount begun",
            "replay begun",
            "replay finished",
            "report run begun",
            "report run begun again",
            "report run given up",
            "report run taken over",
            "run interval set",
            "session ended",
            "sign-in failed",
            "sign-in with unknown usernames",
            "signed in",
            "signed out",
            "store added",
            "store changed",
            "task cancelled",
            "task cloned",
            "task reassigned",
            "task retried",
            "token created",
            "token revoked",
            "undelivered events noted",
            "webhook changed",
            "webhook created",
            "webhook deleted",
            "webhook deliveries sent again",
            "webhook secret rotated",
            "webhook switched off",
            "webhook switched on",
            "webhook tested");

    private AuditWords() {}

    /** A name for people, and the page of what it names, where there is one that the reader may open. */
    static Reference subject(Access reader, String subject) {
        var end = subject.indexOf('#');
        var kind = end < 0 ? subject : subject.substring(0, end);
        var key = end < 0 ? "" : subject.substring(end + 1);
        var readsStore = reader.may(PRICES_READ, Kind.STORES, key);
        var readsPrices = reader.may(PRICES_READ);
        var readsBilling = reader.may(BILLING_READ);
        var readsOperations = reader.may(OPERATIONS_READ);
        return switch (kind) {
            case "STORE", "STORE-DATA" -> reference("Store " + key, readsStore, Link.to("stores", key));
            case "CHANGESET" -> reference("Change set " + key, readsPrices, Link.to("changes", key));
            case "IMPORT" -> reference("Import " + key, readsPrices, Link.to("imports", key));
            case "PRICE-EVENTS" ->
                reference("Price events", reader.may(OPERATIONS_ACT), Link.to("operations", "price-events"));
            case "TASK" -> reference("Task " + key, reader.isForAll(TASKS_READ), Link.to("tasks", key));
            case "QUEUE" -> reference("Queue " + key, readsOperations, Link.to("dead-letters"));
            case "BILLING" -> reference("Billing", readsBilling, Link.to("billing"));
            case "BILLRUN" -> reference("Report run " + key, readsBilling, Link.to("billing", "runs", key));
            case "COMMISSION-RULE" ->
                reference("Commission rule " + key, reader.isForAll(BILLING_READ), Link.to("billing", "rules"));
            case "FAVORITES" ->
                reference("Restaurant " + key, reader.may(MARKS_READ), Link.to("favorites", "restaurants", key));
            case "RECOUNT" -> reference("Recount " + key, readsOperations, Link.to("favorites", "recounts", key));
            case "ACCOUNT" -> reference("User " + key, reader.may(ACCOUNTS_MANAGE), Link.to("users", key));
            case "TOKEN" -> reference("Token " + key, reader.may(ACCOUNTS_MANAGE), Link.to("tokens"));
            case "WEBHOOK" -> reference("Webhook " + key, reader.may(WEBHOOKS_MANAGE), Link.to("webhooks", key));
            case "ADDRESS" -> Reference.of("Address " + key, null);
            case "DOWNLOAD" -> Reference.of("File " + key, null);
            default -> Reference.of(subject, null);
        };
    }

    private static Reference reference(String name, boolean opens, Link page) {
        return Reference.of(name, opens ? page : null);
    }

    /**
     * Who did it, and their page, where the reader may open it; no page for a part of the system, and where nobody was signed in.
     */
    static Reference by(Access reader, Actor actor) {
        var id = actor.id();
        var page = id == null || !reader.may(ACCOUNTS_MANAGE)
                ? null
                : switch (actor.kind()) {
                    case USER -> Link.to("users", id);
                    case TOKEN -> Link.to("tokens");
                    case SYSTEM, UNKNOWN -> null;
                };
        return Reference.of(actor.name(), page);
    }

    /** All that who did it has done; null for a part of the system, and where nobody was signed in. */
    static @Nullable String trail(Actor actor) {
        return actor.id() == null
                ? null
                : Link.to(AuditLinks.PATH).with("person", actor.id()).toString();
    }

    /** {@code NAME: A → B}, or {@code reason: moved}. */
    static String text(AuditDetail detail) {
        var value = detail.value();
        var text = value != null
                ? value
                : Stream.of(detail.before(), detail.after())
                        .map(side -> side == null ? "nothing" : side)
                        .collect(joining(" → "));
        return detail.name() == null ? text : detail.name() + ": " + text;
    }
}
