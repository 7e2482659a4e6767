package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogSettingsTest {
    @Test
    void formatsAndLevelsThatThereAreAreTaken() {
        for (var format : List.of("json", "plain")) {
            assertThat(LogSettings.problem(format, null)).isEmpty();
        }
        for (var level : List.of("TRACE", "debug", "INFO", "Warn", "ERROR", "OFF", "")) {
            assertThat(LogSettings.problem(null, level)).isEmpty();
        }
        assertThat(LogSettings.problem(null, null)).isEmpty();
    }

    @Test
    void anythingElseIsRefusedByItsName() {
        for (var format : List.of("JSON", "text", "json ", "command", "")) {
            assertThat(LogSettings.problem(format, null))
                    .contains("MENUBOARD_LOG_FORMAT (menuboard.log.format) must be one of json, plain, not '" + format
                            + "'.");
        }
        assertThat(LogSettings.problem("plain", "WARNING"))
                .contains("MENUBOARD_LOG_LEVEL must be one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL, not"
                        + " 'WARNING'.");
    }
}
