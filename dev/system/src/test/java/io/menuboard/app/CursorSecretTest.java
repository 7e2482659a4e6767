package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.querydb.QueryDb;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorSecretTest {
    private static final String URL = "http://127.0.0.1:1/queue";

    @ParameterizedTest
    @ValueSource(
            strings = {"menuboard.queues.changes-url", "menuboard.queues.due-url", "menuboard.queues.favorites-url"})
    void anInstanceThatConsumesAQueueDoesNotStartWithoutIt(String queue) {
        assertThatThrownBy(() -> start(Map.of(queue, URL)).close())
                .hasRootCauseInstanceOf(IllegalStateException.class)
                .rootCause()
                .message()
                .startsWith(
                        "menuboard.cursor-secret (MENUBOARD_CURSOR_SECRET) must be set where queues are, to at least 32");
    }

    @Test
    void oneThatConsumesNoneMakesItsOwn() {
        try (var context = start(Map.of("menuboard.queues.long-poll", "1s"))) {
            assertThat(context.getBean(QueryDb.class)).isNotNull();
        }
    }

    private static ApplicationContext start(Map<String, Object> properties) {
        return ApplicationContext.run(properties, ApplicationServer.ENVIRONMENT);
    }
}
