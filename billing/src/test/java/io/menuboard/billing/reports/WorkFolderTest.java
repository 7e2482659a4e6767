package io.menuboard.billing.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class WorkFolderTest {

    @Test
    void isGoneWithWhatIsInItWhenItIsClosed() throws IOException {
        Path made;
        try (var folder = WorkFolder.open()) {
            made = folder.folder("made");
            Files.writeString(made.resolve("ledger"), "lines");
        }

        assertThat(made.getParent()).doesNotExist();
    }

    @Test
    void whatAKilledProcessLeftIsRemovedAndWhatIsInUseIsNot() throws IOException, InterruptedException {
        var left = Files.createTempDirectory(WorkFolder.PREFIX);
        Files.createFile(left.resolve(WorkFolder.LOCK));
        Files.writeString(Files.createDirectory(left.resolve("made")).resolve("ledger"), "lines");
        var others = Files.createTempDirectory("menuboard-");
        try (var first = WorkFolder.open()) {
            Files.writeString(first.file("difference"), "lines");

            try (var second = WorkFolder.open()) {
                assertThat(second.file(WorkFolder.LOCK)).exists();
                assertThat(first.file("difference")).exists();

                anotherProcessOpensOne();
                assertThat(second.file(WorkFolder.LOCK)).exists();
                assertThat(first.file("difference")).exists();
            }
        }

        assertThat(left).doesNotExist();
        assertThat(others).exists();
        Files.delete(others);
    }

    @Test
    void whatAKilledProcessOfTheSameIdLeftIsRemoved() throws IOException {
        var left = Files.createTempDirectory(
                WorkFolder.PREFIX + ProcessHandle.current().pid() + "-");
        Files.createFile(left.resolve(WorkFolder.LOCK));

        WorkFolder.open().close();

        assertThat(left).doesNotExist();
    }

    @Test
    void opensWhileAnotherRunOfThisProcessRemovesWhatAKilledOneLeft() throws IOException {
        var left = Files.createTempDirectory(WorkFolder.PREFIX);
        var file = left.resolve(WorkFolder.LOCK);
        try (var remover = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                var _ = remover.lock()) {
            WorkFolder.open().close();

            assertThat(file).exists();
        }
        Files.delete(file);
        Files.delete(left);
    }

    private static void anotherProcessOpensOne() throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var other = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), Other.class.getName())
                .inheritIO()
                .start();
        assertThat(other.waitFor()).isZero();
    }

    /** A process of its own. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            WorkFolder.open().close();
        }
    }
}
