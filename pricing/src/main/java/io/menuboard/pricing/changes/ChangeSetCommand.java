package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.workers.TaskFailed;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of a change set, which the task that is made of it does.
 *
 * @param run number of the run
 * @param token of the preview that is applied; null otherwise
 * @param date to which the set is moved; null otherwise
 */
record ChangeSetCommand(
        Action action,
        ChangeSetId set,
        int run,
        @Nullable String token,
        @Nullable EffectiveDate date) {

    /** Work of a run. */
    enum Action {
        PREVIEW,
        APPLY,
        CANCEL,
        RESCHEDULE,
        /** Was how earlier versions ended sets whose time had come; there is nothing to end. */
        FINISH
    }

    static ChangeSetCommand preview(ChangeSet set) {
        return new ChangeSetCommand(Action.PREVIEW, set.id(), set.run() + 1, null, null);
    }

    static ChangeSetCommand apply(ChangeSet set, String token) {
        return new ChangeSetCommand(Action.APPLY, set.id(), set.run() + 1, token, null);
    }

    static ChangeSetCommand cancel(ChangeSet set) {
        return new ChangeSetCommand(Action.CANCEL, set.id(), set.run() + 1, null, null);
    }

    static ChangeSetCommand reschedule(ChangeSet set, EffectiveDate date) {
        return new ChangeSetCommand(Action.RESCHEDULE, set.id(), set.run() + 1, null, date);
    }

    /** The task that does it. */
    SubmitTask task() {
        var payload = new HashMap<String, String>();
        payload.put("changeSet", set.value());
        payload.put("action", action.name());
        payload.put("run", Integer.toString(run));
        if (token != null) {
            payload.put("token", token);
        }
        if (date != null) {
            payload.put("effectiveDate", date.toString());
        }
        return SubmitTask.operation(ChangeSets.TYPE, Json.of(payload));
    }

    /** The same for whoever asks for the same, so that it makes one task: short enough for a key, with an id and a time in it. */
    String key() {
        return set + "-" + run + "-" + action + (date == null ? "" : "-" + date);
    }

    /** The command that such a task does, of this version or another one. */
    static ChangeSetCommand of(Task task) throws TaskFailed {
        var payload = Objects.requireNonNull(task.payload()).tree();
        var members = payload instanceof Map<?, ?> all ? all : Map.of();
        var action = action(String.valueOf(members.get("action")));
        return new ChangeSetCommand(
                action,
                read(members, "changeSet", ChangeSetId::new),
                read(members, "run", Integer::valueOf),
                action == Action.APPLY ? String.valueOf(members.get("token")) : null,
                action == Action.RESCHEDULE ? read(members, "effectiveDate", EffectiveDate::inKey) : null);
    }

    private static Action action(String name) throws TaskFailed {
        return Stream.of(Action.values())
                .filter(action -> action.name().equals(name))
                .findFirst()
                .orElseThrow(() -> TaskFailed.ofAnotherVersion("action " + name));
    }

    private static <T> T read(Map<?, ?> members, String name, Function<String, T> reader) {
        var text = String.valueOf(members.get(name));
        return UnreadableItem.read(name + " " + text, () -> reader.apply(text));
    }
}
