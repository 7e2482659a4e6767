package io.menuboard.local.aws;

import io.menuboard.local.aws.LocalHttp.Refusal;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Groups of schedules; guarded by the lock of {@link LocalScheduler}. */
final class Schedules {
    static final String ARN = "arn:aws:scheduler:eu-central-1:000000000000:";
    static final String DEFAULT_GROUP = "default";

    private final NavigableMap<String, Group> groups = new TreeMap<>();

    Schedules(Instant now) {
        create(DEFAULT_GROUP, now);
    }

    record Group(Instant created, NavigableMap<String, Schedule> schedules) {}

    /** In the order of their names. */
    NavigableMap<String, Group> groups() {
        return groups;
    }

    /** False where there is one of that name. */
    boolean create(String name, Instant now) {
        return groups.putIfAbsent(name, new Group(now, new TreeMap<>())) == null;
    }

    Group group(String name) {
        var group = groups.get(name);
        if (group == null) {
            throw new Refusal(404, "ResourceNotFoundException", "Schedule group " + name + " does not exist.");
        }
        return group;
    }

    Schedule schedule(String groupName, String name) {
        var schedule = group(groupName).schedules().get(name);
        if (schedule == null) {
            throw new Refusal(404, "ResourceNotFoundException", "Schedule " + name + " does not exist.");
        }
        return schedule;
    }

    /** Delivers what is due, and forgets what is delivered and asked for that. */
    void fire(ScheduleDelivery delivery, Instant now) {
        for (var group : groups.values()) {
            group.schedules().values().stream()
                    .filter(schedule -> schedule.isEnabled()
                            && !schedule.completed
                            && !schedule.nextAttempt
                                    .plus(delivery.delay(schedule))
                                    .isAfter(now))
                    .forEach(schedule -> delivery.fire(schedule, now));
            group.schedules()
                    .values()
                    .removeIf(schedule -> schedule.completed
                            && schedule.text("ActionAfterCompletion").equals("DELETE"));
        }
    }
}
