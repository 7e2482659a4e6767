package io.menuboard.billing.reports;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder for the files of one run, which is gone when it is closed. A process that is killed leaves its folder behind,
 * and no lock: the next process that opens one on that machine removes it. Where it is killed while it opens one, a folder without
 * files of a run stays.
 */
final class WorkFolder implements Closeable {
    private static final Logger log = LoggerFactory.getLogger(WorkFolder.class);

    static final String PREFIX = "menuboard-billing-";
    /**
     * Never looked into: a process loses its lock of a file when it closes any channel of that file. By chance, as in a
     * container each process has the id of the one before it.
     */
    private static final String OWN = PREFIX + UUID.randomUUID() + "-";

    static final String LOCK = "lock";

    private final Path path;
    private final FileChannel lock;

    private WorkFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes one in the folder for temporary files. */
    static WorkFolder open() throws IOException {
        // It gets the name that others look for once it is locked.
        var unnamed = Files.createTempDirectory("menuboard-");
        var root = unnamed.resolveSibling("");
        var path = unnamed.resolveSibling(OWN + unnamed.getFileName().toString().replace("menuboard-", ""));
        var lock = FileChannel.open(unnamed.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock.lock();
        Files.move(unnamed, path);
        removeAbandoned(root);
        return new WorkFolder(path, lock);
    }

    /** A folder in it, which is empty. */
    Path folder(String name) throws IOException {
        return Files.createDirectory(path.resolve(name));
    }

    Path file(String name) {
        return path.resolve(name);
    }

    private static void removeAbandoned(Path root) throws IOException {
        try (var folders = Files.newDirectoryStream(root, PREFIX + "*")) {
            for (var folder : folders) {
                if (folder.getFileName().toString().startsWith(OWN)) {
                    continue;
                }
                try (var lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE)) {
                    if (lock.tryLock() != null) {
                        delete(folder);
                        log.info("files of a run that was cut off are removed: folder={}", folder);
                    }
                } catch (IOException | OverlappingFileLockException e) {
                    // The latter where another run of this process is removing it.
                    log.debug("a folder is somebody else's: folder={}", folder, e);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            delete(path);
        } catch (IOException e) {
            log.warn("temporary files are left: folder={}", path, e);
        }
    }
}
