package io.menuboard.graphql;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Access to data in memory, which takes no time and fails where a test wants it to. */
enum SampleDataAccess implements DataAccess {
    UNLIMITED;

    /** Code of a fault of one thing, without which others can be read. */
    static final String OTHER_VERSION = "OTHER_VERSION";

    /** A fault that clients are told about. */
    @SuppressWarnings("serial") // thrown and caught in one process
    static final class Fault extends RuntimeException {
        private final KnownFault known;

        Fault(String cause, String code, String message) {
            super(cause);
            this.known = new KnownFault(code, message);
        }
    }

    @Override
    public Deadline deadline(Duration atMost) {
        return new Deadline() {
            @Override
            public <T> T call(Supplier<T> work) {
                return work.get();
            }

            @Override
            public Deadline goingOn(Duration other) {
                return this;
            }

            @Override
            public Map<String, Number> usage() {
                return Map.of("sampleReads", 7);
            }
        };
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public Optional<KnownFault> explain(Throwable fault) {
        for (var cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof Fault sample) {
                return Optional.of(sample.known);
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isOfOneThing(Throwable fault) {
        return explain(fault)
                .filter(known -> known.code().equals(OTHER_VERSION))
                .isPresent();
    }
}
