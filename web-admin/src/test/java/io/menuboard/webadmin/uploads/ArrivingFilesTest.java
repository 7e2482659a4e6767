package io.menuboard.webadmin.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.server.HttpServerConfiguration.MultipartConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArrivingFilesTest {
    @Test
    void keepsWhatMayBelongToAFormThatIsArriving(@TempDir Path given) throws IOException {
        var multipart = new MultipartConfiguration();
        multipart.setLocation(given.toFile());
        try (var files = new ArrivingFiles()) {
            var folder = files.located(multipart).getLocation().orElseThrow().toPath();
            assertThat(folder).hasParent(given);

            var first = files.begin();
            var own = Files.createFile(folder.resolve("own"));
            var second = files.begin();
            var later = Files.createFile(folder.resolve("later"));

            files.end(first);
            assertThat(own).doesNotExist();
            assertThat(later).exists();

            files.end(second);
            assertThat(later).doesNotExist();
            Files.createFile(folder.resolve("left"));
        }
        assertThat(given).isEmptyDirectory();
    }
}
