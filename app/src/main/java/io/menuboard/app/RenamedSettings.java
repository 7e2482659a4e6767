package io.menuboard.app;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns, at start, of settings that are still given under the name which they had before. {@code application.yml} has them
 * take effect for one release.
 */
@Context
final class RenamedSettings {
    private static final Logger log = LoggerFactory.getLogger(RenamedSettings.class);

    /** New names by old ones. */
    static final Map<String, String> NAMES = Map.of("menuboard.favorites.lanes", "menuboard.favorites.counter-shards");

    RenamedSettings(Environment environment) {
        NAMES.forEach((before, now) -> {
            if (environment.containsProperty(before)) {
                log.warn(
                        "setting has a new name, and the old one is not read any more in the next release: old={} new={}",
                        before,
                        now);
            }
        });
    }
}
