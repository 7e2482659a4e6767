package io.menuboard.app.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.app.local.LocalAws;
import io.menuboard.billing.ReportFiles;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class S3FactoryTest {

    @Test
    void filesAreKeptInTheBucketThatIsConfiguredAndNowhereWithoutOne(@TempDir Path folder) throws IOException {
        var content = Files.writeString(folder.resolve("a.csv"), "first");
        try (var aws = LocalAws.start(folder.resolve("data"), "files")) {
            try (var context = start(aws.properties())) {
                assertThat(context.getBean(ReportFiles.class).create("a.csv", content, "text/csv"))
                        .isTrue();
            }

            var without = new TreeMap<>(aws.properties());
            without.remove("menuboard.files.bucket");
            try (var context = start(without)) {
                assertThat(context.findBean(ReportFiles.class)).isEmpty();
            }
        }

        try (var aws = LocalAws.start(folder.resolve("data"), "files");
                var context = start(aws.properties());
                var kept = context.getBean(ReportFiles.class).open("a.csv").orElseThrow()) {
            assertThat(kept).hasContent("first");
        }
    }

    private static ApplicationContext start(Map<String, Object> properties) {
        var all = new TreeMap<>(properties);
        // It would begin while the context is being closed.
        all.put("micronaut.health.monitor.enabled", false);
        return ApplicationContext.builder().properties(all).start();
    }
}
