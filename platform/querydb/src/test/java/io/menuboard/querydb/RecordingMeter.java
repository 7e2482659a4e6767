package io.menuboard.querydb;

import io.menuboard.querydb.requests.Meter;
import io.menuboard.querydb.requests.Usage;
import java.util.ArrayList;
import java.util.List;

/** Remembers what every request cost, for tests that assert it. Thread-safe. */
public final class RecordingMeter implements Meter {

    private final List<Usage> usages = new ArrayList<>();

    @Override
    public synchronized void record(Usage usage) {
        usages.add(usage);
    }

    /** Every request since the start or the last {@link #during}. */
    public synchronized List<Usage> usages() {
        return List.copyOf(usages);
    }

    /** Forgets, runs, and sums up what that cost. */
    public Units during(Runnable action) {
        forget();
        action.run();
        var all = usages();
        return new Units(
                all.size(),
                all.stream().mapToDouble(Usage::readUnits).sum(),
                all.stream().mapToDouble(Usage::writeUnits).sum());
    }

    private synchronized void forget() {
        usages.clear();
    }

    /**
     * A sum of usages.
     *
     * @param requests requests to DynamoDB, repeated attempts not counted
     * @param read consumed read capacity units
     * @param write consumed write capacity units
     */
    public record Units(int requests, double read, double write) {}
}
