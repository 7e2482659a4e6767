package io.menuboard.querydb.coordination;

import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.coordination.SharedSetting.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings that instances share, as the one that was started last has them: item {@code SETTINGS}/{@code META}. Numbers
 * that must never be lowered are kept as the greatest that any instance ever had.
 */
public final class SharedSettings {
    private static final Logger log = LoggerFactory.getLogger(SharedSettings.class);
    private static final Key KEY = new Key("SETTINGS", "META");
    private static final String VALUES = "values";

    private final QueryDb db;

    /** A setting is lower than it was: not all data would be found. */
    public static final class Lowered extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private Lowered(List<String> lowered) {
            super("settings that must never be lowered, because not all data would be found: "
                    + String.join("; ", lowered));
        }
    }

    public SharedSettings(QueryDb db) {
        this.db = db;
    }

    /**
     * Compares this instance's settings with the others', logs where they differ, and keeps them for those that come. A read
     * unit, and a write unit where something is new.
     *
     * @return the names of those that must be equal and were not
     * @throws Lowered naming each setting that is lower than it was: this instance must not serve
     */
    public List<String> compare(List<SharedSetting> own) {
        while (true) {
            var before = db.get(KEY, Consistency.STRONG);
            var known = before.map(item -> item.stringMap(VALUES)).orElse(Map.of());
            var next = new TreeMap<>(known);
            var different = new ArrayList<SharedSetting>();
            for (var setting : own) {
                var theirs = known.get(setting.key());
                next.put(setting.key(), setting.value());
                if (setting.rule() == Rule.EQUAL && theirs != null && !theirs.equals(setting.value())) {
                    different.add(setting);
                }
            }
            requireNotLowered(own, known);
            if (next.equals(known) || isKept(before.isPresent() ? known : null, next)) {
                different.forEach(setting -> log.warn(
                        "setting differs from that of the instance that was started before: name={} here={} there={}",
                        setting.name(),
                        setting.value(),
                        known.get(setting.key())));
                return different.stream().map(SharedSetting::name).toList();
            }
        }
    }

    /**
     * Does of {@link #compare} what a process needs that is no instance: keeps nothing, so that instances do not differ from it. A
     * read unit.
     *
     * @throws Lowered naming each setting that is lower than it was
     */
    public void requireNotLowered(List<SharedSetting> own) {
        requireNotLowered(
                own,
                db.get(KEY, Consistency.STRONG)
                        .map(item -> item.stringMap(VALUES))
                        .orElse(Map.of()));
    }

    private static void requireNotLowered(List<SharedSetting> own, Map<String, String> known) {
        var lowered = new ArrayList<String>();
        for (var setting : own) {
            var theirs = known.get(setting.key());
            if (setting.rule() == Rule.NEVER_LOWERED
                    && theirs != null
                    && Integer.parseInt(theirs) > Integer.parseInt(setting.value())) {
                lowered.add(setting.name() + " is " + setting.value() + " here, and was " + theirs);
            }
        }
        if (!lowered.isEmpty()) {
            throw new Lowered(lowered);
        }
    }

    private boolean isKept(@Nullable Map<String, String> known, Map<String, String> next) {
        var update = Update.of(KEY)
                .type("settings")
                .set(VALUES, next)
                .when(known == null ? Condition.absent() : Condition.equal(VALUES, known));
        try {
            db.update(update, item -> item.stringMap(VALUES).equals(next));
            return true;
        } catch (ConditionFailed _) {
            return false; // Another instance is starting, too.
        }
    }
}
