package io.menuboard.app.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Ulid;
import io.menuboard.pricing.imports.UploadId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStagedFilesTest {
    private static final Instant NOW = Instant.parse("2036-06-15T12:00:00Z");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private Path folder;

    @Test
    void oldUploadsAreDeletedAndNothingElse() throws IOException {
        var upload = old(Files.createFile(folder.resolve(id(1))));
        var part = old(Files.createFile(folder.resolve("part-1.tmp")));
        var notes = old(Files.createFile(folder.resolve("notes.txt")));
        var snapshot = Files.createDirectory(folder.resolve(".snapshot"));
        Files.createFile(snapshot.resolve(id(2)));
        old(snapshot);
        var likeAnUpload = old(Files.createDirectory(folder.resolve(id(3))));
        var young = Files.createFile(folder.resolve(id(4)));
        Files.setLastModifiedTime(young, FileTime.from(NOW));

        new FolderStagedFiles(folder, Clock.fixed(NOW, ZoneOffset.UTC))
                .target(new UploadId(id(5)), 1, Duration.ofHours(1));

        assertThat(upload).doesNotExist();
        assertThat(part).doesNotExist();
        assertThat(notes).exists();
        assertThat(snapshot.resolve(id(2))).exists();
        assertThat(likeAnUpload).exists();
        assertThat(young).exists();
    }

    private static Path old(Path file) throws IOException {
        return Files.setLastModifiedTime(file, FileTime.from(NOW.minus(Duration.ofDays(2))));
    }

    private static String id(long seed) {
        return Ulid.random(NOW, new Random(seed));
    }
}
