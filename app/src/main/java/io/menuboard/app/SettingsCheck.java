package io.menuboard.app;

import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.SharedSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, before this instance serves, the settings that instances share, and stops its start where data would not be
 * found. Where the table cannot be reached it starts all the same: it may be that it is needed most then. A command, which is
 * no instance, is stopped in the same way, and its other settings are nobody's concern.
 */
@Context
final class SettingsCheck {
    private static final Logger log = LoggerFactory.getLogger(SettingsCheck.class);

    SettingsCheck(QueryDb db, List<SharedSetting> settings, MeterRegistry registry, Environment environment) {
        var command = environment.getActiveNames().contains(ImportCommand.ENVIRONMENT);
        var different = compare(new SharedSettings(db), settings, command);
        Gauge.builder("menuboard.settings.different", () -> different)
                .description("Settings in which this instance differed, at its start, from the one started before it")
                .register(registry);
    }

    private static int compare(SharedSettings shared, List<SharedSetting> settings, boolean command) {
        try {
            if (command) {
                shared.requireNotLowered(settings);
                return 0;
            }
            return shared.compare(settings).size();
        } catch (QueryDbException e) {
            log.warn("settings not compared with those of other instances: cause={}", e.getMessage());
            return 0;
        }
    }
}
