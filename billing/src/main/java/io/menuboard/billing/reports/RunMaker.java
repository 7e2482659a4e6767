package io.menuboard.billing.reports;

import io.menuboard.billing.reports.ReportBuilder.Reports;
import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.querydb.requests.Concurrently;
import io.menuboard.tasks.TaskProgress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes the reports of a run. Any instance that takes up a run makes the same files, because its ledger is stored once and the rest
 * follows from it (ADR 15). Thread-safe.
 */
final class RunMaker {
    private static final int UPLOADS_AT_ONCE = 8;
    private static final int LINES_PER_PROGRESS = 1000;

    private final DynamoRunVersions versions;
    private final DynamoQuarters quarters;
    private final LedgerLines lines;
    private final ReportFiles files;
    private final Clock clock;

    RunMaker(DynamoRunVersions versions, DynamoQuarters quarters, LedgerLines lines, ReportFiles files, Clock clock) {
        this.versions = versions;
        this.quarters = quarters;
        this.lines = lines;
        this.files = files;
        this.clock = clock;
    }

    /**
     * Makes the version that is to be made, which counts once it is committed with what this answers. Doing it again, or cutting it off
     * anywhere and doing it again, is the same.
     */
    Result make(ReportRun run, Consumer<TaskProgress> progress) throws InterruptedException {
        var names = new RunFiles(run.id(), run.latestVersion());
        try (var folder = WorkFolder.open()) {
            var reports = reports(run, names, folder, progress);
            upload(reports);
            if (run.isFirstVersion()) {
                quarters.save(reports.parts());
            } else {
                versions.saveParts(run.latestVersion(), reports.parts());
                compare(run, names, folder);
                versions.saveAbsent(run.id(), run.latestVersion(), absent(run, reports));
            }
            versions.saveAgencies(reports.agencies());
            var totals = ReportBuilder.sum(reports.agencies());
            return new Result(clock.instant(), reports.agencies().size(), totals);
        } catch (IOException e) {
            throw new UncheckedIOException("reports of run " + run.id() + " could not be written here", e);
        }
    }

    /**
     * Makes reports of what is stored as the run's ledger, by whichever instance; or of what the table says, which is the
     * ledger from then on.
     */
    private Reports reports(ReportRun run, RunFiles names, WorkFolder folder, Consumer<TaskProgress> progress)
            throws IOException, InterruptedException {
        var stored = stored(run, names, folder, progress);
        if (stored.isPresent()) {
            return stored.get();
        }
        var made = new ReportBuilder(names, folder.folder("made"));
        LedgerLines.Sink sink = line -> {
            made.add(line);
            reportProgress(made, run, progress);
        };
        if (run.isFirstVersion()) {
            lines.ofRange(run.id(), sink);
        } else {
            lines.ofVersion(run.id(), run.effectiveVersion(), sink);
        }
        var reports = made.finish();
        return files.create(names.ledger(), reports.ledger().path(), RunFiles.CSV)
                ? reports
                : stored(run, names, folder, progress).orElseThrow();
    }

    private Optional<Reports> stored(ReportRun run, RunFiles names, WorkFolder folder, Consumer<TaskProgress> progress)
            throws IOException, InterruptedException {
        var ledger = files.open(names.ledger());
        if (ledger.isEmpty()) {
            return Optional.empty();
        }
        try (var stored = LedgerReader.file(ledger.get())) {
            var again = new ReportBuilder(names, folder.folder("stored"));
            for (var line = stored.next(); line.isPresent(); line = stored.next()) {
                again.add(line.get());
                reportProgress(again, run, progress);
            }
            return Optional.of(again.finish());
        }
    }

    private static void reportProgress(ReportBuilder builder, ReportRun run, Consumer<TaskProgress> progress)
            throws InterruptedException {
        if (builder.lines() % LINES_PER_PROGRESS == 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            progress.accept(new TaskProgress(
                    builder.lines(), null, String.format(Locale.ROOT, "%,d lines of %s", builder.lines(), run.id())));
        }
    }

    /** Stores files, several at a time; one that exists already is the same, byte by byte. */
    private void upload(Reports reports) throws InterruptedException {
        Concurrently.forEachInterruptibly(
                UPLOADS_AT_ONCE,
                reports.others().stream(),
                file -> files.create(file.name(), file.path(), file.mediaType()));
    }

    /** Agencies that have something in an earlier version, none of which has a line that the first one has not, and nothing in this. */
    private Set<AgencyId> absent(ReportRun run, Reports reports) {
        var absent = versions.agencies(run.id(), 1);
        reports.agencies().forEach(agency -> absent.remove(agency.agency()));
        return absent;
    }

    private void compare(ReportRun run, RunFiles names, WorkFolder folder) throws IOException {
        var difference =
                new ReportFile(folder.file("difference"), new ReportFile.Unwritten(ReportBuilder.MOST_UNWRITTEN));
        try (var before = LedgerReader.file(lines.ledger(run.id(), run.effectiveVersion()));
                var after = LedgerReader.file(lines.ledger(run.id(), run.latestVersion()))) {
            Difference.write(before, after, difference);
        }
        difference.finish();
        files.create(names.difference(), difference.path(), RunFiles.CSV);
    }
}
