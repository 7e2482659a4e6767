package io.menuboard.graphql;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Access to whatever fetchers read, as far as the endpoint has to know it: deadlines, faults and its clock. Thread-safe. */
public interface DataAccess {

    /** Starts the time that a request has: nothing is read or written for it after that long from now. */
    Deadline deadline(Duration atMost);

    /** The known fault that a throwable or one of its causes stands for; empty for bugs. */
    Optional<KnownFault> explain(Throwable fault);

    /** Whether a read of several things failed because of one of them, so that the others can be read without it. */
    default boolean isOfOneThing(Throwable fault) {
        return false;
    }

    /**
     * What every instance says that reads the same data and hands out the same cursors, and no other: part of what an answer may be
     * recognized by.
     */
    default String identity() {
        return "";
    }

    /** Server time: by what clock data changes at an instant, which all instances agree on. */
    InstantSource clock();

    /** Time limit of one request. */
    interface Deadline {
        /** Does some work on the calling thread under this limit. */
        <T> T call(Supplier<T> work);

        /** The same with another end, that long from now. What is used under either counts for both. */
        Deadline goingOn(Duration atMost);

        /** What was used under this limit so far, in camelCase names that go to the client; empty where nothing is counted. */
        default Map<String, Number> usage() {
            return Map.of();
        }
    }

    /**
     * A transient fault, not the caller's mistake.
     *
     * @param code stable, in UPPER_SNAKE, for clients
     * @param message for people; goes to the client as it is
     */
    record KnownFault(String code, String message) {}
}
