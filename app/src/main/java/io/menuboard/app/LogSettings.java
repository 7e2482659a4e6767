package io.menuboard.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the log, as {@code logback.xml} reads them. Logback refuses nothing: with a format that there is not it logs nothing
 * at all, not even why an instance does not start, and a level that it does not know it takes for {@code DEBUG}.
 */
final class LogSettings {
    private static final List<String> FORMATS = List.of("json", "plain");
    private static final List<String> LEVELS = List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");

    private LogSettings() {}

    /**
     * A sentence about the one that is wrong; empty where none is.
     *
     * @param format null where it is not set
     * @param level of Menuboard's own loggers, in capitals or not; null or blank where it is not set
     */
    static Optional<String> problem(@Nullable String format, @Nullable String level) {
        if (format != null && !FORMATS.contains(format)) {
            return Optional.of("MENUBOARD_LOG_FORMAT (menuboard.log.format) must be one of "
                    + String.join(", ", FORMATS) + ", not '" + format + "'.");
        }
        if (level != null && !level.isBlank() && !LEVELS.contains(level.strip().toUpperCase(Locale.ROOT))) {
            return Optional.of(
                    "MENUBOARD_LOG_LEVEL must be one of " + String.join(", ", LEVELS) + ", not '" + level + "'.");
        }
        return Optional.empty();
    }
}
