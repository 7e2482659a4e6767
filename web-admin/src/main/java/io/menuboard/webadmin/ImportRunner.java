package io.menuboard.webadmin;

import io.menuboard.pricing.ImportAbout;
import io.menuboard.pricing.ImportFile;
import io.menuboard.pricing.ImportListener;
import io.menuboard.pricing.ImportStatus;
import io.menuboard.pricing.ImportTasks;
import io.menuboard.pricing.Imports;
import io.menuboard.querydb.Actor;
import io.menuboard.querydb.InvalidInput;
import io.menuboard.querydb.Workload;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Imports uploads behind the scenes of this instance, a few at a time, each as a task. Thread-safe. */
final class ImportRunner implements AutoCloseable {
    static final String TOO_MANY = "TOO_MANY_IMPORTS";

    private static final Logger log = LoggerFactory.getLogger(ImportRunner.class);
    private static final int SECONDS_TO_STOP = 10;

    private final Imports imports;
    private final ImportTasks tasks;
    private final Semaphore places;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    ImportRunner(Imports imports, ImportTasks tasks, int atOnce) {
        this.imports = imports;
        this.tasks = tasks;
        this.places = new Semaphore(atOnce);
    }

    /**
     * Begins an import and returns; it goes on without the caller.
     *
     * @param about what the change set is called that is drafted
     * @param afterwards called once the files are not needed any more, also where this method throws
     * @throws InvalidInput {@value #TOO_MANY}, or what {@link Imports#begin} refuses
     */
    ImportStatus start(List<ImportFile> files, ImportAbout about, Actor actor, Runnable afterwards) {
        var begun = false;
        if (!places.tryAcquire()) {
            afterwards.run();
            throw new InvalidInput(
                    TOO_MANY,
                    "stores",
                    "As many imports as this instance can run are running. Try again when one is done.");
        }
        try {
            var status = imports.begin(files, actor);
            threads.execute(() -> Workload.BACKGROUND.run(() -> run(status, files, about, afterwards)));
            begun = true;
            return status;
        } finally {
            if (!begun) {
                places.release();
                afterwards.run();
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

    private void run(ImportStatus begun, List<ImportFile> files, ImportAbout about, Runnable afterwards) {
        try {
            tasks.run(begun, files, about, ImportListener.NONE);
        } catch (RuntimeException e) {
            // The edge of this thread; the import itself shows as failed, or in a minute as interrupted.
            if (threads.isShutdown()) {
                log.warn("import interrupted: import={}", begun.id());
            } else {
                log.error("import failed: import={}", begun.id(), e);
            }
        } finally {
            places.release();
            afterwards.run();
        }
    }
}
