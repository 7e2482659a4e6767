package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.env.Environment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenamedSettingsTest {
    @Test
    void theOldNameOfASettingIsRead() {
        for (var names : RenamedSettings.NAMES.entrySet()) {
            try (var environment = environment(Map.of(names.getKey(), 7))) {
                assertThat(environment.getProperty(names.getValue(), Integer.class))
                        .contains(7);
            }
        }
    }

    @Test
    void theNewNameOfASettingCountsBeforeTheOldOne() {
        for (var names : RenamedSettings.NAMES.entrySet()) {
            try (var environment = environment(Map.of(names.getKey(), 7, names.getValue(), 9))) {
                assertThat(environment.getProperty(names.getValue(), Integer.class))
                        .contains(9);
            }
        }
    }

    private static Environment environment(Map<String, Object> properties) {
        return ApplicationContext.builder()
                .deduceEnvironment(false)
                .properties(properties)
                .build()
                .getEnvironment()
                .start();
    }
}
