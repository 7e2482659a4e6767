package io.menuboard.app.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.billing.reports.ReportFiles;
import io.menuboard.local.aws.LocalAws;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** Fifty people who read slowly have all connections of downloads. */
    @Test
    void downloadsThatAreNotReadDoNotKeepARunFromItsFiles(@TempDir Path folder) throws IOException {
        var content = Files.writeString(folder.resolve("a.csv"), "x".repeat(5_000_000));
        try (var aws = LocalAws.start(folder.resolve("data"), "files");
                var context = start(aws.properties())) {
            var runs = context.getBean(ReportFiles.class);
            var downloads = context.getBean(ReportFiles.class, Qualifiers.byName("downloads"));
            runs.create("a.csv", content, "text/csv");
            var open = new ArrayList<InputStream>();
            try {
                for (var i = 0; i < 50; i++) {
                    open.add(downloads.open("a.csv").orElseThrow());
                }

                assertThat(runs.create("b.csv", content, "text/csv")).isTrue();
                assertThat(runs.length("b.csv")).hasValue(5_000_000);
            } finally {
                for (var download : open) {
                    download.close();
                }
            }
        }
    }

    private static ApplicationContext start(Map<String, Object> properties) {
        var all = new TreeMap<>(properties);
        // It would begin while the context is being closed.
        all.put("micronaut.health.monitor.enabled", false);
        return ApplicationContext.builder().properties(all).start();
    }
}
