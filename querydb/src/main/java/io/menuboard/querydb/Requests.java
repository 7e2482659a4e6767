package io.menuboard.querydb;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Sends requests: repeats what may be repeated, bounded and with pauses, and meters what was sent. */
final class Requests {

    /** Code of the reason why a transaction was cancelled. */
    static final String CONDITION_FAILED = "ConditionalCheckFailed";

    private static final int SERVER_ERROR = 500;

    private final RetryPolicy retries;
    private final Meter meter;
    private final Sleeper sleeper;
    private final RandomGenerator random;

    Requests(RetryPolicy retries, Meter meter, Sleeper sleeper, RandomGenerator random) {
        this.retries = retries;
        this.meter = meter;
        this.sleeper = sleeper;
        this.random = random;
    }

    /** Sends until there is an answer, a refusal, or no attempt left. Never throws an {@link SdkException}. */
    <R> Reply<R> send(Request<R> request) {
        var start = System.nanoTime();
        var unknown = false;
        for (var attempt = 1; ; attempt++) {
            try {
                var response = request.call().get();
                var units = units(request.consumed().apply(response));
                meter(request, units, start, attempt, Usage.Outcome.DONE);
                return new Done<>(response);
            } catch (SdkException e) {
                var effect = effect(e);
                unknown |= effect == Effect.UNKNOWN && !request.read();
                var again = effect == Effect.NONE
                        || (effect == Effect.UNKNOWN && request.repeatable() && !(e instanceof AbortedException));
                if (!again || attempt == retries.maxAttempts() || !pause(attempt)) {
                    var refused = conditionFailed(e);
                    meter(request, 0, start, attempt, refused ? Usage.Outcome.REFUSED : Usage.Outcome.FAILED);
                    return new Failed<>(e, effect == Effect.REFUSED, unknown, attempt);
                }
            }
        }
    }

    /** Waits before the attempt after that one; false, with the interrupt flag set, when the thread was interrupted. */
    boolean pause(int attempt) {
        try {
            sleeper.sleep(retries.pauseAfter(attempt, random));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    int maxAttempts() {
        return retries.maxAttempts();
    }

    private void meter(Request<?> request, double units, long start, int attempts, Usage.Outcome outcome) {
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

    static boolean conditionFailed(SdkException e) {
        return e instanceof ConditionalCheckFailedException
                || (e instanceof TransactionCanceledException canceled
                        && canceled.cancellationReasons().stream()
                                .anyMatch(reason -> CONDITION_FAILED.equals(reason.code())));
    }

    // Error codes and what to do about them: Amazon DynamoDB Developer Guide, "Error handling with DynamoDB".
    private static Effect effect(SdkException e) {
        return switch (e) {
            case TransactionCanceledException canceled -> passing(canceled) ? Effect.NONE : Effect.REFUSED;
            case AwsServiceException service when service.statusCode() >= SERVER_ERROR -> Effect.UNKNOWN;
            case AwsServiceException service ->
                switch (String.valueOf(service.awsErrorDetails().errorCode())) {
                    case "ProvisionedThroughputExceededException",
                            "ThrottlingException",
                            "RequestLimitExceeded",
                            "ReplicatedWriteConflictException",
                            "TransactionConflictException",
                            "TransactionInProgressException" -> Effect.NONE;
                    default -> Effect.REFUSED;
                };
            default -> Effect.UNKNOWN;
        };
    }

    /** Whether every reason of the cancellation is one that goes away by itself. */
    private static boolean passing(TransactionCanceledException canceled) {
        return canceled.hasCancellationReasons()
                && canceled.cancellationReasons().stream().allMatch(reason -> switch (String.valueOf(reason.code())) {
                    case "None", "TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded" -> true;
                    default -> false;
                });
    }

    /** What a failed attempt did to the table. */
    private enum Effect {
        /** Nothing, and the next attempt may succeed. */
        NONE,
        /** Nothing, and no attempt will succeed. */
        REFUSED,
        /** Nobody knows. */
        UNKNOWN
    }

    /**
     * @param repeatable whether making the call twice has the effect of making it once
     * @param consumed picks the consumed capacity out of a response
     */
    record Request<R>(
            String operation,
            @Nullable String index,
            boolean read,
            boolean repeatable,
            Supplier<R> call,
            Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {

        static <R> Request<R> read(
                String operation,
                @Nullable String index,
                Supplier<R> call,
                Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, index, true, true, call, consumed);
        }

        /** A write that may be made twice. */
        static <R> Request<R> write(
                String operation, Supplier<R> call, Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, null, false, true, call, consumed);
        }

        /** A write that must not be made twice. */
        static <R> Request<R> writeOnce(
                String operation, Supplier<R> call, Function<R, Collection<@Nullable ConsumedCapacity>> consumed) {
            return new Request<>(operation, null, false, false, call, consumed);
        }
    }

    /** How a request ended. */
    sealed interface Reply<R> {

        /** The response, or what the failure is for the caller. */
        default R orThrow(Function<Failed<R>, ? extends RuntimeException> failure) {
            return switch (this) {
                case Done<R>(var response) -> response;
                case Failed<R> failed -> throw failure.apply(failed);
            };
        }

        default <T> Reply<T> map(Function<R, T> change) {
            return switch (this) {
                case Done<R>(var response) -> new Done<>(change.apply(response));
                case Failed<R>(var cause, var refused, var maybeApplied, var attempts) ->
                    new Failed<>(cause, refused, maybeApplied, attempts);
            };
        }
    }

    record Done<R>(R response) implements Reply<R> {}

    /**
     * @param refused whether DynamoDB said no, and would again
     * @param maybeApplied whether some attempt of a write may have had its effect
     */
    record Failed<R>(SdkException cause, boolean refused, boolean maybeApplied, int attempts) implements Reply<R> {

        String reason() {
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
