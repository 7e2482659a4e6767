package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.querydb.coordination.SharedSetting;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an instance makes of settings that the one which was started before it has otherwise. */
final class ComparedSettingsTest {
    private static final Map<String, Object> STRICT = Map.of(
            "menuboard.pricing.changes.approval-lines",
            100,
            "menuboard.pricing.changes.approval-percent",
            20,
            "menuboard.pricing.changes.approval-products",
            "BURGER,COLA");

    @Test
    void boundsOfApprovalAreComparedWithThoseOfTheInstanceBefore() {
        try (var strict = ApplicationServer.start(STRICT);
                var alike = ApplicationServer.startOn(strict, STRICT);
                var lenient = ApplicationServer.startOn(strict, Map.of())) {
            assertThat(different(strict)).isZero();
            assertThat(different(alike)).isZero();
            assertThat(different(lenient)).isEqualTo(3);
        }
    }

    @Test
    void theGuideSaysOfWhatIsComparedThatItIsTheSameOnAllInstances() throws IOException {
        var rows = Files.readAllLines(ProjectFiles.OPERATIONS_GUIDE);
        var equal = ApplicationServer.shared().beans(SharedSetting.class).stream()
                .filter(setting -> setting.rule() == SharedSetting.Rule.EQUAL)
                .map(setting -> setting.name().replaceAll("[.-]", "_").toUpperCase(Locale.ROOT))
                .toList();

        assertThat(equal).hasSizeGreaterThan(6).allSatisfy(name -> assertThat(rows)
                .anyMatch(row -> row.startsWith("| `" + name + "`") && row.contains("same on all")));
    }

    private static double different(GraphQlServer server) {
        return server.bean(MeterRegistry.class)
                .get("menuboard.settings.different")
                .gauge()
                .value();
    }
}
