package io.menuboard.tasks;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.beginsWith;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.greater;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Update;
import io.menuboard.tasks.TaskTransition.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Transitions as conditional updates of a task's item: the condition is that the task is in the state that a transition
 * leaves.
 *
 * @param tokens makes fencing tokens and secrets that cannot be guessed
 * @param retention how long a finished task is kept
 */
record DynamoTaskUpdates(DynamoTaskItem items, RandomGenerator tokens, Duration retention) {
    private static final int SECRET_BYTES = 16;

    /** The update that saves a transition, but for its event. */
    Update of(TaskTransition transition) {
        return change(transition).when(left(transition));
    }

    /** Gives a lease another end, and reports progress. */
    Update extend(TaskId id, Lease.Proof proof, Instant now, Instant leaseEnd, @Nullable TaskProgress progress) {
        var place = items.place(TaskStatus.RUNNING, id, leaseEnd);
        var update = Update.of(DynamoTaskItem.key(id))
                .index(place.partition(), place.sort())
                .set("leaseEnd", leaseEnd.toEpochMilli())
                .when(equal("status", TaskStatus.RUNNING.name()))
                .when(equal("attempt", proof.token().fencingToken()))
                .when(lasts(now));
        if (!proof.needsNoSecret()) {
            update = update.when(hasSecretOf(proof.token()));
        }
        if (proof.workers() != null) {
            update = update.when(isHeldByOneOf(proof.workers()));
        }
        return progress == null
                ? update
                : update.set("done", progress.done())
                        .setOrRemove("total", progress.total())
                        .setOrRemove("message", progress.message())
                        .set("progressAt", now.toEpochMilli());
    }

    /** Holds of a lease with that token, or, where that has no secret, of a lease of that fencing token without one. */
    private static Condition hasSecretOf(Lease.Token token) {
        return token.secret() != null
                ? equal(DynamoTaskItem.LEASE_TOKEN, token.text())
                : absent(DynamoTaskItem.LEASE_TOKEN)
                        .or(beginsWith(DynamoTaskItem.LEASE_TOKEN, token.fencingToken() + ".")
                                .not());
    }

    private static Condition isHeldByOneOf(Set<String> workers) {
        return workers.stream()
                .map(worker -> equal("worker", worker))
                .reduce(Condition::or)
                .orElseThrow(() -> new IllegalArgumentException("no worker"));
    }

    /** Holds of tasks that are no operations of the application's own. */
    static Condition ofClients() {
        return beginsWith("taskType", TaskType.OPERATION_PREFIX).not();
    }

    /** Condition that the task is in the state that the transition leaves. */
    private static Condition left(TaskTransition transition) {
        var from = transition.from();
        var state = equal("status", from.status().name()).and(equal("attempt", from.token()));
        return switch (from) {
            case Task.Pending _, Task.Finished _ -> state;
            case Task.Scheduled scheduled -> {
                var due = state.and(equal("availableAt", scheduled.availableAt().toEpochMilli()));
                yield scheduled.reservedFor() == null
                        ? due
                        : due.and(equal("reservedFor", scheduled.reservedFor().value()));
            }
            case Task.Running running ->
                switch (transition.step().kind()) {
                    // What its worker does, only while its lease lasts; and that ends only if it was not extended.
                    case COMPLETED, FAILED, RELEASED ->
                        state.and(lasts(transition.step().at()))
                                .and(hasSecretOf(running.leaseToken()))
                                .and(equal("worker", running.lease().worker().value()));
                    case LEASE_EXPIRED ->
                        state.and(equal("leaseEnd", running.lease().endsAt().toEpochMilli()));
                    default -> state;
                };
        };
    }

    private static Condition lasts(Instant now) {
        return greater("leaseEnd", now.toEpochMilli());
    }

    private Update change(TaskTransition transition) {
        var at = transition.step().at();
        return switch (transition) {
            case TaskTransition.Claim claim -> claimed(claim);
            case TaskTransition.Complete(var _, var result, var _) -> {
                var inline = result != null && DynamoTaskItem.isInline(result);
                var update = finished(transition)
                        .setOrRemove("result", inline ? result.text() : null)
                        .remove("reason");
                yield result == null || inline ? update : update.set("resultApart", true);
            }
            case TaskTransition.Requeue requeue ->
                to(transition, requeue.availableAt())
                        .set("availableAt", requeue.availableAt().toEpochMilli())
                        .set("failures", requeue.failures())
                        .setOrRemove("reason", requeue.step().reason());
            case TaskTransition.Bury(var _, var failures, var step) ->
                finished(transition).set("failures", failures).setOrRemove("reason", step.reason());
            case TaskTransition.Promote _ -> to(transition, at).remove("reservedFor");
            case TaskTransition.Cancel(var _, var step) ->
                finished(transition).remove("reservedFor").setOrRemove("reason", step.reason());
            case TaskTransition.Retry retry ->
                to(transition, retry.availableAt())
                        .set("availableAt", retry.availableAt().toEpochMilli())
                        .set("failures", 0)
                        .remove("finishedAt", "reason", "result", "resultApart", "ttl");
            case TaskTransition.Reserve(var _, var worker, var until, var _) ->
                to(transition, until).set("availableAt", until.toEpochMilli()).set("reservedFor", worker.value());
        };
    }

    /** The item of a task that its submitter has claimed already, but for its events. */
    Item.Builder submittedAndClaimed(TaskId id, SubmitTask command, int token, Instant leaseEnd, Step claimed) {
        var place = items.place(TaskStatus.RUNNING, id, leaseEnd);
        return DynamoTaskItem.submitted(id, command, claimed.actor(), claimed.at())
                .index(place.partition(), place.sort())
                .string("status", TaskStatus.RUNNING.name())
                .number("attempt", token)
                .string(DynamoTaskItem.LEASE_TOKEN, withSecret(token).text())
                .number(DynamoTaskItem.SKIPPED, token - 1)
                .string("worker", Objects.requireNonNull(claimed.worker()).value())
                .number("leaseEnd", leaseEnd.toEpochMilli())
                .number("startedAt", claimed.at().toEpochMilli());
    }

    private Update claimed(TaskTransition.Claim claim) {
        var from = claim.from();
        var token = nextToken(from.attempt(), from.token());
        return to(claim, claim.leaseEnd())
                .set("worker", claim.worker().value())
                .set("leaseEnd", claim.leaseEnd().toEpochMilli())
                .set("attempt", token)
                .set(DynamoTaskItem.LEASE_TOKEN, withSecret(token).text())
                .set(DynamoTaskItem.SKIPPED, token - (from.attempt() + 1L))
                .set("startedAt", claim.step().at().toEpochMilli())
                .remove("done", "total", "message", "progressAt", "reservedFor");
    }

    private Update finished(TaskTransition transition) {
        var at = transition.step().at();
        return to(transition, at).set("finishedAt", at.toEpochMilli()).ttl(at.plus(retention));
    }

    /** @param due when it is due, or its lease ends, where its list is in that order */
    private Update to(TaskTransition transition, Instant due) {
        var task = transition.from();
        var status = transition.to();
        var place = items.place(status, task.id(), task.type(), task.priority(), due);
        var update = Update.of(DynamoTaskItem.key(task.id()))
                .set("status", status.name())
                .index(place.partition(), place.sort());
        return status == TaskStatus.RUNNING ? update : update.remove("leaseEnd");
    }

    /** A new token with that fencing token. */
    private Lease.Token withSecret(int fencingToken) {
        var secret = new byte[SECRET_BYTES];
        tokens.nextBytes(secret);
        return new Lease.Token(
                fencingToken, Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /**
     * Greater than the last one by a step that is drawn from as many as leave room for millions of attempts: 25 bits for
     * the first, 20 for the two hundredth.
     */
    int nextToken(int attempt, int last) {
        var steps = (int) ((Integer.MAX_VALUE - last) / (64 + 8L * attempt));
        return last + 1 + (steps > 1 ? tokens.nextInt(steps) : 0);
    }
}
