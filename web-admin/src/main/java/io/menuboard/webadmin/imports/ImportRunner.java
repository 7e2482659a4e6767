package io.menuboard.webadmin.imports;

import io.menuboard.access.Access;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.StagedImports;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.webadmin.uploads.UploadPlaces.Place;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
     * Begins an import and returns; it goes on without the caller.
     *
     * @param place of the request, shared until this instance does not need the files any more
     * @param about what the change set is called that is drafted
     * @param afterwards called once the files are not needed any more, also where this method throws
     * @throws io.menuboard.kernel.InvalidInput what {@link Imports#begin} refuses
     */
    ImportStatus start(Access access, Place place, List<ImportFile> files, ImportAbout about, Runnable afterwards)
            throws IOException {
        if (!staged.isAvailable()) {
            return startHere(access, place, files, about, afterwards);
        }
        try {
            return staged.begin(access, files, about);
        } finally {
            afterwards.run();
        }
    }

    private ImportStatus startHere(
            Access access, Place place, List<ImportFile> files, ImportAbout about, Runnable afterwards) {
        var begun = false;
        place.share();
        try {
            var status = imports.begin(access, files);
            threads.execute(() -> Workload.BACKGROUND.run(() -> run(access, place, status, files, about, afterwards)));
            begun = true;
            return status;
        } finally {
            if (!begun) {
                afterwards.run();
                place.leave();
            }
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

    private void run(
            Access access,
            Place place,
            ImportStatus begun,
            List<ImportFile> files,
            ImportAbout about,
            Runnable afterwards) {
        try {
            tasks.run(access, begun, files, about, ImportListener.NONE);
        } catch (RuntimeException e) {
            // The edge of this thread; the import itself shows as failed, or in a minute as interrupted.
            if (threads.isShutdown()) {
                log.warn("import interrupted: import={}", begun.id());
            } else {
                log.error("import failed: import={}", begun.id(), e);
            }
        } finally {
            afterwards.run();
            place.leave();
        }
    }
}
