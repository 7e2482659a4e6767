package io.menuboard.webadmin.imports;

import io.menuboard.access.Access;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportIds;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.StagedImports;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.webadmin.uploads.UploadPlaces.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has uploads imported in the background, each as a task: by any instance where they have a place that all of them read, otherwise
 * by this one, for as long as it lives. Thread-safe.
 */
final class ImportRunner implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ImportRunner.class);
    private static final int SECONDS_TO_STOP = 10;

    private final Imports imports;
    private final ImportTasks tasks;
    private final StagedImports staged;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    ImportRunner(Imports imports, ImportTasks tasks, StagedImports staged) {
        this.imports = imports;
        this.tasks = tasks;
        this.staged = staged;
    }

    /**
     * Keeps the files of a form where they outlive it, begins to import them and returns; the import goes on without the caller.
     * Takes as long as it takes: large files are copied, and stored where every instance reads them, for longer than a page may
     * take. A form that is sent again, because its answer was lost or by a second click, is answered with the import that it has begun
     * already, unless that came to no good end.
     *
     * @param place of the request, shared until this instance does not need the files any more
     * @param about what the change set is called that is drafted
     * @param key of the form
     * @throws io.menuboard.kernel.InvalidInput what {@link StagedImports#begin(Access, ImportIds, List, ImportAbout)} refuses
     */
    ImportStatus start(Access access, Place place, List<UploadedFiles.Field> fields, ImportAbout about, String key) {
        return Workload.BACKGROUND.call(() -> {
            try {
                return keepAndBegin(access, place, fields, about, key);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private ImportStatus keepAndBegin(
            Access access, Place place, List<UploadedFiles.Field> fields, ImportAbout about, String key)
            throws IOException {
        var folder = Files.createTempDirectory("menuboard-import");
        var runsHere = false;
        try {
            var files = UploadedFiles.keep(fields, folder);
            var ids = ImportIds.of(access, key, files, about);
            var before = imports.find(access, ids.importId());
            while (before.filter(ImportRunner::isToBeImportedAgain).isPresent()) {
                ids = ids.next();
                before = imports.find(access, ids.importId());
            }
            if (before.isPresent()) {
                return before.get();
            }
            if (staged.isAvailable()) {
                return staged.begin(access, ids, files, about);
            }
            var begun = imports.begin(access, ids.importId(), files);
            if (begun.isEmpty()) {
                // The same form came at the same time.
                return imports.find(access, ids.importId()).orElseThrow();
            }
            runHere(access, place, begun.get(), files, about, folder);
            runsHere = true;
            return begun.get();
        } finally {
            if (!runsHere) {
                UploadedFiles.delete(folder);
            }
        }
    }

    private static boolean isToBeImportedAgain(ImportStatus before) {
        return switch (before.state()) {
            case WAITING, RUNNING, FINISHED -> false;
            case REFUSED, FAILED, INTERRUPTED -> true;
        };
    }

    private void runHere(
            Access access, Place place, ImportStatus begun, List<ImportFile> files, ImportAbout about, Path folder) {
        place.share();
        try {
            threads.execute(() -> Workload.BACKGROUND.run(() -> {
                try {
                    run(access, begun, files, about);
                } finally {
                    UploadedFiles.delete(folder);
                    place.leave();
                }
            }));
        } catch (RejectedExecutionException e) {
            place.leave();
            throw e;
        }
    }

    /** Stops what is running, which then shows as interrupted. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                log.warn("imports did not stop: seconds={}", SECONDS_TO_STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Access access, ImportStatus begun, List<ImportFile> files, ImportAbout about) {
        try {
            tasks.run(access, begun, files, about, ImportListener.NONE);
        } catch (RuntimeException e) {
            // The edge of this thread; the import itself shows as failed, or in a minute as interrupted.
            if (threads.isShutdown()) {
                log.warn("import interrupted: import={}", begun.id());
            } else {
                log.error("import failed: import={}", begun.id(), e);
            }
        }
    }
}
