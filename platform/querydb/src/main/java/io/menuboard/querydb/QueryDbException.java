package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** An operation on the table that did not happen, or not certainly. The cause, if any, is the SDK's exception. */
public abstract sealed class QueryDbException extends RuntimeException
        permits NotLoaded, AlreadyExists, NotSaved, NotCounted, NotDeleted, BatchNotFullyWritten, ConditionFailed {

    private static final long serialVersionUID = 1L;
    private static final int KEYS_IN_MESSAGE = 10;
    private static final int SERVER_ERROR = 500;

    private final String operation;
    private final transient List<Key> keys;
    private final boolean maybeApplied;

    QueryDbException(
            String operation, List<Key> keys, String failure, boolean maybeApplied, @Nullable Throwable cause) {
        super(message(operation, keys, failure, maybeApplied), cause);
        this.operation = operation;
        this.keys = List.copyOf(keys);
        this.maybeApplied = maybeApplied;
    }

    /** The {@link QueryDb} method, or the access pattern of the query. */
    public String operation() {
        return operation;
    }

    /** Keys that were not read or written; empty for a read of a partition, which the message names. */
    public List<Key> keys() {
        return keys;
    }

    /**
     * True when some attempt got no answer, or a server error: the write may have been made all the same. False means
     * that it certainly was not made.
     */
    public boolean maybeApplied() {
        return maybeApplied;
    }

    /**
     * True if what failed with this may succeed a little later: throttling, others at the same items, a failing service, the
     * network, a deadline.
     */
    public static boolean isPassing(@Nullable Throwable fault) {
        for (var cause = fault; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case SdkServiceException service -> {
                    return service.isThrottlingException()
                            || service.statusCode() >= SERVER_ERROR
                            || Requests.maySucceedLater(service);
                }
                case SdkClientException _ -> {
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }

    /**
     * Warns of a fault that the caller copes with: in one line where it passes by itself, because that is expected and
     * comes often, and with the stack trace where it does not.
     *
     * @param message as SLF4J has it, with a place for each argument
     */
    public static void warn(Logger log, RuntimeException fault, String message, Object... arguments) {
        var line = log.atWarn().setMessage(isPassing(fault) ? message + " cause={}" : message);
        for (var argument : arguments) {
            line = line.addArgument(argument);
        }
        (isPassing(fault) ? line.addArgument(fault.getMessage()) : line.setCause(fault)).log();
    }

    private static String message(String operation, List<Key> keys, String failure, boolean maybeApplied) {
        var named = keys.stream().limit(KEYS_IN_MESSAGE).map(Key::toString).collect(Collectors.joining(", "));
        var more = keys.size() > KEYS_IN_MESSAGE ? " and " + (keys.size() - KEYS_IN_MESSAGE) + " more" : "";
        return operation + (keys.isEmpty() ? "" : " of ") + named + more + ": " + failure
                + (maybeApplied ? "; it may have been applied" : "");
    }
}
