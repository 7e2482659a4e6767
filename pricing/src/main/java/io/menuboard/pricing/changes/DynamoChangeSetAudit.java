package io.menuboard.pricing.changes;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.changes.ChangeSet.Transition;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Audit records of what is done with change sets, to be written with it; three write units each, four where the actor has an id.
 * There is one of every step that somebody takes, however many the set itself remembers, and one of the end of a run that takes
 * long, which has no actor but the system. Previews have none: they change no price, and what was approved or applied says of
 * which preview it was.
 */
final class DynamoChangeSetAudit {
    private static final Actor SYSTEM = Actor.system("change sets", Actor.Source.SCHEDULER);

    private final AuditTrail audit;
    private final Clock clock;

    /** @param clock tells what has come into effect by itself */
    DynamoChangeSetAudit(AuditTrail audit, Clock clock) {
        this.audit = audit;
        this.clock = clock;
    }

    /** Record of a new one. */
    Write drafted(ChangeSet set) {
        var details = about(set);
        details.put("reason", set.reason());
        put(details, "effectiveDate", set.effectiveDate());
        put(details, "undoes", set.undoes());
        put(details, "retries", set.retries());
        put(details, "import", set.imported());
        return write(set.actor(), set, "change set drafted", details);
    }

    /** Record of a step; empty for one that nobody takes and that ends no run. */
    Optional<Write> of(Transition<?> step) {
        var by = step.by();
        if (by != null) {
            var details = changed(step.from(), step.to());
            put(details, "preview", step.from().token());
            put(details, "reason", by.reason());
            return Optional.of(write(by.actor(), step.to(), action(by, step), details));
        }
        if (step.from() instanceof ChangeSet.Applying && !(step.to() instanceof ChangeSet.Applying)) {
            var details = changed(step.from(), step.to());
            details.put("failed", Integer.toString(step.to().data().unwritten()));
            put(details, "problem", step.to().problem());
            return Optional.of(write(SYSTEM, step.to(), "change set run ended", details));
        }
        return Optional.empty();
    }

    private static String action(Event by, Transition<?> step) {
        return switch (by.action()) {
            case APPLY -> "change set applied";
            case CANCEL -> "change set cancelled";
            case RESCHEDULE ->
                Objects.equals(step.from().effectiveDate(), step.to().effectiveDate())
                        ? "change set move begun"
                        : "change set moved";
            case REQUEST_APPROVAL -> "change set approval requested";
            case APPROVE -> "change set approved";
            case REJECT -> "change set rejected";
            case PREVIEW, RETRY, UNDO ->
                throw new IllegalArgumentException("is no step of a set's own life: " + by.action());
        };
    }

    /** Record of one whose prices another one has put back. */
    Write undone(ChangeSet undone, ChangeSet by, Actor actor) {
        return marked(undone, ChangeSetStatus.UNDONE, by, actor, "change set undone");
    }

    /** Record of one that is in effect again, because what had put it back was put back. */
    Write restored(ChangeSet restored, ChangeSet by, Actor actor) {
        return marked(restored, DynamoChangeSets.statusOf(restored), by, actor, "change set restored");
    }

    private Write marked(ChangeSet set, ChangeSetStatus status, ChangeSet by, Actor actor, String action) {
        var details = about(set);
        putChange(details, "status", set.asOf(clock.instant()).status(), status);
        details.put("changeSet", by.id().value());
        details.put("reason", by.reason());
        return write(actor, set, action, details);
    }

    private Map<String, String> changed(ChangeSet from, ChangeSet to) {
        var details = about(to);
        var now = clock.instant();
        putChange(details, "status", from.asOf(now).status(), to.asOf(now).status());
        putChange(details, "effectiveDate", from.effectiveDate(), to.effectiveDate());
        return details;
    }

    private static Map<String, String> about(ChangeSet set) {
        var details = new HashMap<String, String>();
        details.put("name", set.name());
        var summary = set.summary();
        put(details, "lines", summary == null ? null : summary.written());
        return details;
    }

    private static void putChange(
            Map<String, String> details, String name, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            put(details, name + " before", before);
            put(details, name + " after", after);
        }
    }

    private static void put(Map<String, String> details, String name, @Nullable Object value) {
        if (value != null) {
            details.put(name, value.toString());
        }
    }

    private Write write(Actor actor, ChangeSet set, String action, Map<String, String> details) {
        return audit.write(actor, DynamoChangeSets.partition(set.id()), action, details);
    }
}
