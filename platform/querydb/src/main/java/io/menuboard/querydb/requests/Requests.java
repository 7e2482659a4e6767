package io.menuboard.querydb.requests;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLHandshakeException;
import org.apache.http.conn.ConnectTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends requests through the {@link Bulkhead} of who asks: repeats what may be repeated, bounded and with pauses, and meters
 * what was sent.
 */
public final class Requests {

    /** Code of the reason why a transaction was cancelled. */
    public static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private static final int SERVER_ERROR = 500;

    private final Side interactive;
    private final Side background;
    private final Meter meter;
    private final Sleeper sleeper;
    private final RandomGenerator random;

    /** One bulkhead for all work. */
    public Requests(Bulkhead all, Meter meter) {
        this(all, all, meter);
    }

    /**
     * Two bulkheads, so that the work of one {@link Workload} cannot take connections, retries and places of batches from the
     * other.
     *
     * @param interactive for what somebody waits for
     * @param background for the rest
     */
    public Requests(Bulkhead interactive, Bulkhead background, Meter meter) {
        this(interactive, background, meter, Thread::sleep, () -> ThreadLocalRandom.current()
                .nextLong());
    }

    Requests(Bulkhead interactive, Bulkhead background, Meter meter, Sleeper sleeper, RandomGenerator random) {
        this.interactive = new Side(interactive);
        this.background = interactive.equals(background) ? this.interactive : new Side(background);
        this.meter = meter;
        this.sleeper = sleeper;
        this.random = random;
    }

    /** Sends until there is an answer, a refusal, or no attempt or time left. Never throws an {@link SdkException}. */
    public <R> Reply<R> send(Request<R> request) {
        return send(request, false);
    }

    /**
     * The same for a part of a batch.
     *
     * @param rest whether it asks again for what DynamoDB has left unprocessed, which is metered as another attempt
     */
    public <R> Reply<R> send(Request<R> request, boolean rest) {
        var before = rest ? 1 : 0;
        var start = System.nanoTime();
        var side = side();
        var unknown = false;
        for (var attempt = 1; ; attempt++) {
            if (Workload.current().isOverAfter(Duration.ZERO)) {
                meter(request, 0, start, before + attempt, Usage.Outcome.FAILED);
                return new Failed<>(
                        SdkClientException.create("not sent, because the time for it had passed"),
                        false,
                        unknown,
                        attempt);
            }
            try {
                var response = request.call().apply(side.bulkhead.client());
                side.budget.refill();
                var units = units(request.consumed().apply(response));
                meter(request, units, start, before + attempt, Usage.Outcome.DONE);
                return new Done<>(response, unknown);
            } catch (SdkException e) {
                var effect = effect(e);
                unknown |= effect == Effect.UNKNOWN && !request.read();
                var again = effect.isNothing()
                        || (effect == Effect.UNKNOWN && request.repeatable() && !(e instanceof AbortedException));
                if (!again || !pauseBeforeRepeat(attempt, effect == Effect.CONFLICT)) {
                    var refused = conditionFailed(e);
                    var outcome = refused ? Usage.Outcome.REFUSED : Usage.Outcome.FAILED;
                    meter(request, 0, start, before + attempt, outcome);
                    return new Failed<>(e, effect == Effect.REFUSED, unknown, attempt);
                }
            }
        }
    }

    /** Meters the end of a batch of which DynamoDB has left something unprocessed to the last attempt. */
    public void leftUnprocessed(Request<?> request) {
        meter.record(new Usage(request.operation(), request.index(), 0, 0, Duration.ZERO, 1, Usage.Outcome.FAILED));
    }

    /** Waits before the next attempt; false when there must be none, with the interrupt flag set after an interrupt. */
    public boolean pauseBeforeRepeat(int attempt) {
        return pauseBeforeRepeat(attempt, false);
    }

    /**
     * @param conflict whether others were faster, rather than the table too slow: who loses a race makes no overload by
     *     running again
     */
    private boolean pauseBeforeRepeat(int attempt, boolean conflict) {
        var side = side();
        var retries = side.bulkhead.retries();
        if (attempt >= retries.maxAttempts()) {
            return false;
        }
        var pause = retries.pauseAfter(attempt, random);
        if (!conflict && !side.budget.take()) {
            if (!Workload.current().isBackground()) {
                return false;
            }
            // Background work: as few requests as there can be, rather than work that fails.
            pause = retries.maxDelay();
        }
        if (Workload.current().isOverAfter(pause)) {
            return false;
        }
        try {
            sleeper.sleep(pause);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Bound of the requests of batches that are under way at once. */
    public Semaphore batches() {
        return side().batches;
    }

    private Side side() {
        return Workload.current().isBackground() ? background : interactive;
    }

    /** One bulkhead and what it has left. */
    private static final class Side {
        final Bulkhead bulkhead;
        final RetryBudget budget = new RetryBudget();
        final Semaphore batches;

        Side(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
            this.batches = new Semaphore(bulkhead.batchConcurrency(), true);
        }
    }

    /** Most attempts of one request, the first one included. */
    public int maxAttempts() {
        return side().bulkhead.retries().maxAttempts();
    }

    private void meter(Request<?> request, double units, long start, int attempts, Usage.Outcome outcome) {
        Workload.current().record(units);
        meter.record(new Usage(
                request.operation(),
                request.index(),
                request.read() ? units : 0,
                request.read() ? 0 : units,
                Duration.ofNanos(System.nanoTime() - start),
                attempts,
                outcome));
    }

    private static double units(Collection<@Nullable ConsumedCapacity> consumed) {
        var units = 0.0;
        for (var capacity : consumed) {
            if (capacity != null && capacity.capacityUnits() != null) {
                units += capacity.capacityUnits();
            }
        }
        return units;
    }

    /** Tells a write that was refused, alone or in a transaction, because a condition did not hold. */
    public static boolean conditionFailed(SdkException e) {
        return e instanceof ConditionalCheckFailedException
                || (e instanceof TransactionCanceledException canceled
                        && canceled.cancellationReasons().stream()
                                .anyMatch(reason -> CONDITION_FAILED.equals(reason.code())));
    }

    /** Tells what DynamoDB did not do because it was overloaded, or others were at the same items. */
    public static boolean maySucceedLater(SdkException e) {
        return effect(e).isNothing();
    }

    // Error codes and what to do about them: Amazon DynamoDB Developer Guide, "Error handling with DynamoDB".
    private static Effect effect(SdkException e) {
        return switch (e) {
            case TransactionCanceledException canceled -> cancellation(canceled);
            case AwsServiceException service when service.statusCode() >= SERVER_ERROR -> Effect.UNKNOWN;
            case AwsServiceException service ->
                switch (code(service)) {
                    case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded" ->
                        Effect.NONE;
                    case "ReplicatedWriteConflictException",
                            "TransactionConflictException",
                            "TransactionInProgressException" -> Effect.CONFLICT;
                    default -> Effect.REFUSED;
                };
            default -> wasNeverSent(e) ? Effect.NONE : Effect.UNKNOWN;
        };
    }

    /** Empty where an exception does not come from an answer. */
    private static String code(AwsServiceException service) {
        var details = service.awsErrorDetails();
        return details == null ? "" : String.valueOf(details.errorCode());
    }

    /** True if no connection came about, so that there was none to send the request through. */
    private static boolean wasNeverSent(SdkException e) {
        for (var cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectTimeoutException
                    || cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException
                    || cause instanceof SSLHandshakeException) {
                return true;
            }
        }
        return false;
    }

    /** By the reason that is the worst: one that stays, one that an overloaded table has, or a race. */
    private static Effect cancellation(TransactionCanceledException canceled) {
        var worst = canceled.hasCancellationReasons() ? Effect.CONFLICT : Effect.REFUSED;
        for (var reason : canceled.cancellationReasons()) {
            switch (String.valueOf(reason.code())) {
                case "None", "TransactionConflict" -> {}
                case "ThrottlingError", "ProvisionedThroughputExceeded" ->
                    worst = worst == Effect.CONFLICT ? Effect.NONE : worst;
                default -> worst = Effect.REFUSED;
            }
        }
        return worst;
    }

    /** Effect of a failed attempt on the table. */
    private enum Effect {
        /** Nothing, and the next attempt may succeed. */
        NONE,
        /** Nothing, because another request was at the same items; the next attempt may succeed. */
        CONFLICT,
        /** Nothing, and no attempt will succeed. */
        REFUSED,
        /** Unknown. */
        UNKNOWN;

        boolean isNothing() {
            return this == NONE || this == CONFLICT;
        }
    }

    /**
     * One call of DynamoDB, and what the sender has to know of it.
     *
     * @param operation for messages and metering
     * @param index that is read; null for the table
     * @param repeatable whether making the call twice has the effect of making it once
     * @param consumed picks the consumed capacity out of a response
     */
    public record Request<R>(
            String operation,
            @Nullable String index,
            boolean read,
            boolean repeatable,
            Function<DynamoDbClient, R> call,
            Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {

        /** A read, which may be made as often as it takes. */
        public static <R> Request<R> read(
                String operation,
                @Nullable String index,
                Function<DynamoDbClient, R> call,
                Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, index, true, true, call, consumed);
        }

        /** A write that may be made twice. */
        public static <R> Request<R> write(
                String operation,
                Function<DynamoDbClient, R> call,
                Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, null, false, true, call, consumed);
        }

        /** A write that must not be made twice. */
        public static <R> Request<R> writeOnce(
                String operation,
                Function<DynamoDbClient, R> call,
                Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, null, false, false, call, consumed);
        }
    }

    /** End of a request. */
    public sealed interface Reply<R> {

        /** The response, or what the failure is for the caller. */
        default R orThrow(Function<Failed<R>, ? extends RuntimeException> failure) {
            return switch (this) {
                case Done<R>(var response, var _) -> response;
                case Failed<R> failed -> throw failure.apply(failed);
            };
        }

        /** The same end, with another response. */
        default <T> Reply<T> map(Function<R, T> change) {
            return switch (this) {
                case Done<R>(var response, var maybeApplied) -> new Done<>(change.apply(response), maybeApplied);
                case Failed<R>(var cause, var refused, var maybeApplied, var attempts) ->
                    new Failed<>(cause, refused, maybeApplied, attempts);
            };
        }
    }

    /**
     * An answer came.
     *
     * @param maybeApplied whether an attempt of a write that was not answered may have had its effect before
     */
    public record Done<R>(R response, boolean maybeApplied) implements Reply<R> {}

    /**
     * No answer came, or a refusal.
     *
     * @param refused whether DynamoDB said no, and would again
     * @param maybeApplied whether some attempt of a write may have had its effect
     */
    public record Failed<R>(SdkException cause, boolean refused, boolean maybeApplied, int attempts)
            implements Reply<R> {

        /** The same, where an earlier request for the same may have had its effect. */
        public Failed<R> after(boolean maybeApplied) {
            return new Failed<>(cause, refused, this.maybeApplied || maybeApplied, attempts);
        }

        /** The cause for messages, with the number of attempts where there were several. */
        public String reason() {
            var tried = attempts == 1 ? "" : " after " + attempts + " attempts";
            return cause.getMessage() + tried;
        }
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }
}
