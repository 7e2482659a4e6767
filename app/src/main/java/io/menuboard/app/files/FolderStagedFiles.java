package io.menuboard.app.files;

import io.menuboard.kernel.Ulid;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.StagedFiles;
import io.menuboard.pricing.imports.UploadId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploads as files of a folder, which clients send to {@link UploadController}. What nobody has imported in a day is deleted when
 * the next upload comes.
 */
final class FolderStagedFiles implements StagedFiles {
    private static final Duration KEPT_FOR = Duration.ofDays(1);
    private static final int BUFFER = 1 << 16;
    private static final String PART = "part-";
    private static final Logger log = LoggerFactory.getLogger(FolderStagedFiles.class);

    private final Path folder;
    private final Clock clock;

    /** @param folder which is created if need be */
    FolderStagedFiles(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("menuboard.uploads.folder cannot be used: " + folder, e);
        }
    }

    @Override
    public Target target(UploadId id, long bytes, Duration lifetime) {
        deleteOld();
        return new Target(UploadController.PATH + "/" + id, "PUT", Map.of());
    }

    @Override
    public void store(UploadId id, ImportFile file) throws IOException {
        deleteOld();
        try (var content = file.content().open()) {
            if (!receive(id, file.bytes(), content, () -> true)) {
                throw new IOException("not " + file.bytes() + " bytes: " + file.name());
            }
        }
    }

    private void deleteOld() {
        try (var files = Files.newDirectoryStream(folder)) {
            var old = clock.instant().minus(KEPT_FOR);
            for (var file : files) {
                if (isUpload(file) && isOlder(file, old)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            log.warn("old uploads not deleted: folder={}", folder, e);
        }
    }

    /** Everything else in the folder is somebody else's. */
    private static boolean isUpload(Path file) {
        var name = file.getFileName().toString();
        return (Ulid.isValid(name) || name.startsWith(PART)) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isOlder(Path file, Instant than) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /**
     * Stores what a client sends, whole or not at all, in place of what it sent before.
     *
     * @param isOpen asked once all has arrived, which may be hours later: whether it is still to be stored
     * @return false where it has another size, or comes too late; nothing was stored then
     */
    boolean receive(UploadId id, long bytes, InputStream content, BooleanSupplier isOpen) throws IOException {
        var part = Files.createTempFile(folder, PART, null);
        try {
            if (copy(content, part, bytes) != bytes || !isOpen.getAsBoolean()) {
                return false;
            }
            Files.move(part, file(id), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** As many as were read: more than {@code most} where there are more. */
    private static long copy(InputStream from, Path to, long most) throws IOException {
        var copied = 0L;
        try (var out = Files.newOutputStream(to)) {
            var buffer = new byte[BUFFER];
            for (var read = from.read(buffer); read >= 0 && copied <= most; read = from.read(buffer)) {
                out.write(buffer, 0, read);
                copied += read;
            }
        }
        return copied;
    }

    @Override
    public OptionalLong length(UploadId id) {
        try {
            return OptionalLong.of(Files.size(file(id)));
        } catch (NoSuchFileException _) {
            return OptionalLong.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<InputStream> open(UploadId id) throws IOException {
        try {
            return Optional.of(Files.newInputStream(file(id)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    @Override
    public void delete(UploadId id) {
        try {
            Files.deleteIfExists(file(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(UploadId id) {
        return folder.resolve(id.value());
    }
}
