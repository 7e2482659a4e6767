package io.menuboard.webadmin.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class ArrivingFilesTest {
    @Test
    void keepsWhatMayBelongToAFormThatIsArriving() throws IOException {
        var files = new ArrivingFiles();
        var folder = files.folder();

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
        files.close();
        assertThat(folder).doesNotExist();
    }
}
