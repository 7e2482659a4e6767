package io.menuboard.webadmin.audit;

import static java.util.stream.Collectors.joining;

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
            "dead letters sent back",
            "downloaded",
            "grants changed",
            "import begun",
            "import ended",
            "loaded prices removed",
            "missing marks counted",
            "password change refused",
            "password changed",
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
            "webhook changed",
            "webhook created",
            "webhook deleted",
            "webhook deliveries sent again",
            "webhook secret rotated",
            "webhook switched off",
            "webhook switched on",
            "webhook tested");

    private AuditWords() {}

    /** A name for people, and the page of what it names, where there is one. */
    static Reference subject(String subject) {
        var end = subject.indexOf('#');
        var kind = end < 0 ? subject : subject.substring(0, end);
        var key = end < 0 ? "" : subject.substring(end + 1);
        return switch (kind) {
            case "STORE", "STORE-DATA" -> Reference.of("Store " + key, Link.to("stores", key));
            case "CHANGESET" -> Reference.of("Change set " + key, Link.to("changes", key));
            case "IMPORT" -> Reference.of("Import " + key, Link.to("imports", key));
            case "PRICE-EVENTS" -> Reference.of("Price events", Link.to("operations", "price-events"));
            case "TASK" -> Reference.of("Task " + key, Link.to("tasks", key));
            case "QUEUE" -> Reference.of("Queue " + key, Link.to("dead-letters"));
            case "BILLING" -> Reference.of("Billing", Link.to("billing"));
            case "BILLRUN" -> Reference.of("Report run " + key, Link.to("billing", "runs", key));
            case "COMMISSION-RULE" -> Reference.of("Commission rule " + key, Link.to("billing", "rules"));
            case "FAVORITES" -> Reference.of("Restaurant " + key, Link.to("favorites", "restaurants", key));
            case "RECOUNT" -> Reference.of("Recount " + key, Link.to("favorites", "recounts", key));
            case "ACCOUNT" -> Reference.of("User " + key, Link.to("users", key));
            case "TOKEN" -> Reference.of("Token " + key, Link.to("tokens"));
            case "WEBHOOK" -> Reference.of("Webhook " + key, Link.to("webhooks", key));
            case "ADDRESS" -> Reference.of("Address " + key, null);
            case "DOWNLOAD" -> Reference.of("File " + key, null);
            default -> Reference.of(subject, null);
        };
    }

    /** Page of who did it; null for a part of the system, and where nobody was signed in. */
    static @Nullable String page(Actor actor) {
        if (actor.id() == null) {
            return null;
        }
        return switch (actor.kind()) {
            case USER -> Link.to("users", actor.id()).toString();
            case TOKEN -> Link.to("tokens").toString();
            case SYSTEM, UNKNOWN -> null;
        };
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
