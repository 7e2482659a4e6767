package io.menuboard.local.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** A schedule of {@link LocalScheduler}, and how far its delivery is; guarded by its lock. */
final class Schedule {
    final String group;
    final String name;
    final Instant created;
    ObjectNode definition;
    Instant modified;
    Instant at;
    boolean completed;
    int failures;
    Instant nextAttempt;

    Schedule(String group, String name, ObjectNode definition, Instant at, Instant now) {
        this.group = group;
        this.name = name;
        this.created = now;
        this.definition = definition;
        this.modified = now;
        this.at = at;
        this.nextAttempt = at;
    }

    void replace(ObjectNode newDefinition, Instant newAt, Instant now) {
        definition = newDefinition;
        modified = now;
        at = newAt;
        nextAttempt = newAt;
        completed = false;
        failures = 0;
    }

    String arn() {
        return Schedules.ARN + "schedule/" + group + "/" + name;
    }

    boolean isEnabled() {
        return text("State").equals("ENABLED");
    }

    String text(String field) {
        return definition.path(field).asText();
    }
}
