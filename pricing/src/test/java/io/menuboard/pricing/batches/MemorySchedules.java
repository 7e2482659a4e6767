package io.menuboard.pricing.batches;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Schedules that fire when a test takes them. */
public final class MemorySchedules implements BatchSchedules {
    private final Map<PriceBatch, Instant> schedules = new ConcurrentHashMap<>();

    /** The first one stays, as the service has it. */
    @Override
    public void schedule(PriceBatch batch, Instant at) {
        schedules.putIfAbsent(batch, at);
    }

    @Override
    public void cancel(PriceBatch batch) {
        schedules.remove(batch);
    }

    @Override
    public boolean isScheduled(PriceBatch batch) {
        return schedules.containsKey(batch);
    }

    public Map<PriceBatch, Instant> all() {
        return Map.copyOf(schedules);
    }

    /** Those whose time has come, which are gone now. */
    public List<PriceBatch> fired(Instant now) {
        var due = schedules.entrySet().stream()
                .filter(schedule -> !schedule.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(schedules::remove);
        return due;
    }
}
