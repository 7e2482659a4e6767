package io.menuboard.pricing.imports;

import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.changes.DynamoImportedDraft;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One import while it runs. Its thread reads and reports, in the order of the rows; chunks are written on virtual
 * threads, several at a time. Not thread-safe.
 */
final class ImportRun implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ImportRun.class);
    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(1);

    /** Advice after an import that did not come to its end. */
    static final String AGAIN = "Import the same files again: rows that are in stay as they are.";

    /** What is said of stores that another attempt has read before. */
    static final String BEGUN_AGAIN =
            "This import was begun again: stores that it had written before count as unchanged.";

    private final DynamoImports imports;
    private final Clock clock;
    private final ImportConfig config;
    private final ImportListener listener;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ImportRejection> notKept = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private ImportStatus status;
    private Instant nextReport;
    private int kept;
    private int itemsKept;
    private int chunksLostInARow;
    private boolean isTableLost;
    private boolean hasLostRows;
    /** Whether this run has nothing more to say, because the import has ended or is left to another attempt. */
    private boolean isOver;

    private boolean isBegunAgain;

    ImportRun(ImportStatus status, DynamoImports imports, Clock clock, ImportConfig config, ImportListener listener) {
        this.status = status;
        this.imports = imports;
        this.clock = clock;
        this.config = config;
        this.listener = listener;
        this.kept = status.keptRejections();
        this.nextReport = status.updatedAt().plus(BETWEEN_REPORTS);
    }

    /** Notes that another attempt may have written stores before. Of prices nothing but drafts was written, which count for nothing. */
    void beginAgain() {
        isBegunAgain = status.hasStores();
        if (isBegunAgain) {
            notes.add(BEGUN_AGAIN);
        }
    }

    /** Imports one file; false where the import has ended with it, or is left to another attempt. */
    <D extends RowDraft> boolean file(ImportFile file, ImportFormat<D> format) {
        hasLostRows = false;
        var index = status.files().stream().map(ImportFileStatus::kind).toList().indexOf(file.kind());
        var label = file.kind().label();
        try (var content = file.content().open();
                var reader = ImportReader.open(file.kind(), format, content, config)) {
            readToTheEnd(index, format, reader);
        } catch (InvalidInput e) {
            var rest = status.files().subList(index + 1, status.files().size()).stream()
                    .map(unread -> " The " + unread.kind().label() + " file was not read.")
                    .collect(joining());
            end(ImportState.REFUSED, e.getMessage() + "." + rest);
        } catch (IOException e) {
            log.warn("file of an import cannot be read: import={} file={}", status.id(), label, e);
            end(
                    ImportState.FAILED,
                    "The " + label + " file could not be read to its end. Import the same files again.");
        } catch (InterruptedException e) {
            if (status.upload() == null) {
                end(ImportState.INTERRUPTED, "What ran this import was stopped. " + AGAIN);
            }
            // An upload is there for another instance, which begins again.
            isOver = true;
            Thread.currentThread().interrupt();
        }
        return !isOver;
    }

    /**
     * Drafts the change set and notes it, so that who takes over an upload does not draft another one, nor who was taken over.
     *
     * @throws ConditionFailed where the import was taken over
     * @throws QueryDbException where it may not have been drafted; an upload is left to another attempt then, which knows
     */
    void draft(DynamoImportedDraft draft) {
        keepRejections();
        var drafted = status.at(clock.instant(), kept).drafted(draft.id()).state(ImportState.RUNNING, message());
        try {
            imports.draft(drafted, draft);
        } catch (QueryDbException e) {
            // To end it here might take away the note of a set that there is.
            isOver = status.upload() != null || e.maybeApplied();
            throw e;
        }
        status = drafted;
    }

    private @Nullable String message() {
        return notes.isEmpty() ? status.message() : String.join(" ", notes);
    }

    /**
     * Says that every file was read, unless something else has been said.
     *
     * @param changeSet the draft of what prices would change; null for none
     */
    ImportStatus finish(@Nullable ChangeSetId changeSet) {
        if (!isOver) {
            status = status.drafted(changeSet);
            end(ImportState.FINISHED, message());
        }
        return status;
    }

    /** Says that nothing is read, because of a rule; that it has failed where another attempt may have written stores. */
    ImportStatus refuse(String rule) {
        if (status.attempt() > 1 && status.hasStores()) {
            end(ImportState.FAILED, rule + " Stores that were written before stay.");
        } else {
            end(ImportState.REFUSED, rule);
        }
        return status;
    }

    /** Says that the import failed, unless something else has been said. */
    @Override
    public void close() {
        threads.shutdownNow();
        if (!isOver && !isLeftToOthers()) {
            end(ImportState.FAILED, "Something unexpected stopped this import; the log has the details. " + AGAIN);
        }
    }

    /** Tells whether another instance goes on, because this one was stopped. */
    private boolean isLeftToOthers() {
        return status.upload() != null && Thread.currentThread().isInterrupted();
    }

    private record Writing(ImportReader.Chunk<?> chunk, Future<List<SaveOutcome>> outcomes) {}

    private <D extends RowDraft> void readToTheEnd(int index, ImportFormat<D> format, ImportReader<D> reader)
            throws IOException, InterruptedException {
        var writing = new ArrayDeque<Writing>();
        try {
            for (var next = reader.next(); next.isPresent() && !isTableLost; next = reader.next()) {
                if (writing.size() == config.chunksInFlight()) {
                    collect(index, writing.remove());
                }
                var chunk = next.get();
                writing.add(new Writing(chunk, threads.submit(() -> save(format, chunk))));
            }
        } finally {
            // Whatever ended the reading: what is being written counts.
            while (!writing.isEmpty()) {
                collect(index, writing.remove());
            }
        }
        var file = status.files().get(index);
        var label = file.kind().label();
        if (hasLostRows && status.upload() != null) {
            // It is there for the next attempt of its task, which begins again.
            isOver = true;
        } else if (isTableLost) {
            end(
                    ImportState.FAILED,
                    "The table could not be written any more, so the " + label
                            + " file was read only as far as its first " + file.rows() + " rows. " + AGAIN);
        } else if (hasLostRows && file.kind() != ImportKind.STORES) {
            // What could be drafted would not be all of the file.
            end(ImportState.FAILED, "Rows could not be looked at, so that nothing was drafted. " + AGAIN);
        } else if (hasLostRows && file.created() + file.changed() == 0) {
            end(ImportState.FAILED, "The table could not be read or written, so that no store was saved. " + AGAIN);
        } else if (reader.isCutOff()) {
            var tooLong = "The " + label + " file has more than " + config.maxRows() + " rows";
            if (file.kind() == ImportKind.STORES) {
                notes.add(tooLong + "; those after them were not read. Import them as another file.");
            } else {
                end(ImportState.FAILED, tooLong + ", so that nothing was drafted. Import it in parts.");
            }
        } else if (file.rows() == 0) {
            notes.add("The " + label + " file has a header and no rows.");
        }
    }

    private <D extends RowDraft> List<SaveOutcome> save(ImportFormat<D> format, ImportReader.Chunk<D> chunk) {
        if (chunk.drafts().isEmpty()) {
            return List.of();
        }
        try {
            return format.save(chunk.drafts());
        } catch (QueryDbException | UnreadableItem e) {
            log.warn(
                    "rows of an import not saved: import={} rows={}",
                    status.id(),
                    chunk.drafts().size(),
                    e);
            return chunk.rows().stream()
                    .filter(CsvRecord::isValid)
                    .<SaveOutcome>map(_ -> new SaveOutcome.TableFailed())
                    .toList();
        }
    }

    private void collect(int index, Writing writing) throws InterruptedException {
        var outcomes = await(writing.outcomes);
        var next = outcomes.iterator();
        var kind = status.files().get(index).kind();
        var created = 0;
        var changed = 0;
        var unchanged = 0;
        var lost = 0;
        var rejected = 0;
        // A draft is all of its file: the next attempt reads the row again, perhaps where its store can be read.
        var isForNextAttempt = status.upload() != null && kind != ImportKind.STORES;
        for (var row : writing.chunk.rows()) {
            if (row.isValid()) {
                switch (next.next()) {
                    case SaveOutcome.Created() -> created++;
                    case SaveOutcome.Changed() -> changed++;
                    case SaveOutcome.Unchanged() -> unchanged++;
                    case SaveOutcome.Refused(var rule) -> row.refuse(rule);
                    case SaveOutcome.NotSaved(var _) when isForNextAttempt -> lost++;
                    case SaveOutcome.NotSaved(var reason) -> refuse(row, reason);
                    case SaveOutcome.TableFailed() -> {
                        lost++;
                        // The next attempt of an upload reads the row again.
                        if (status.upload() == null) {
                            refuse(row, "the table could not be read or written");
                        }
                    }
                }
            }
            if (!row.isValid()) {
                rejected++;
                row.problems().forEach(problem -> reject(ImportRejection.of(kind, problem)));
            }
        }
        hasLostRows |= lost > 0;
        isTableLost |= lost > 0 && isForNextAttempt;
        if (!outcomes.isEmpty()) {
            chunksLostInARow = lost == outcomes.size() ? chunksLostInARow + 1 : 0;
            // Going on would only reject the rest one by one. An upload is begun again in any case.
            isTableLost |= chunksLostInARow > (status.upload() == null ? 2 * config.chunksInFlight() : 0);
        }
        status = status.file(
                index,
                status.files()
                        .get(index)
                        .plus(created, changed, unchanged, rejected)
                        .read(writing.chunk.bytesRead()));
        reportIfDue();
    }

    private List<SaveOutcome> await(Future<List<SaveOutcome>> outcomes) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        while (true) {
            try {
                return outcomes.get(BETWEEN_REPORTS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                reportIfDue();
            } catch (ExecutionException e) {
                throw new IllegalStateException("rows could not be imported", e.getCause());
            }
        }
    }

    private static void refuse(CsvRecord row, String reason) {
        row.refuse(
                CsvRecord.WHOLE_ROW,
                row.text(),
                "row was not saved: " + reason + "; import the same file again",
                "NOT_SAVED");
    }

    private void reject(ImportRejection rejection) {
        listener.rejected(rejection);
        if (kept + notKept.size() < config.maxKeptRejections()) {
            notKept.add(rejection);
        }
        if (notKept.size() == DynamoImportRejections.AT_ONCE) {
            keepRejections();
        }
    }

    private void keepRejections() {
        if (notKept.isEmpty()) {
            return;
        }
        try {
            imports.rejections().keep(status, ++itemsKept, notKept);
            kept += notKept.size();
        } catch (QueryDbException e) {
            log.warn("rejections not kept: import={} count={}", status.id(), notKept.size(), e);
        }
        notKept.clear();
    }

    private void reportIfDue() {
        var now = clock.instant();
        if (now.isBefore(nextReport)) {
            return;
        }
        nextReport = now.plus(BETWEEN_REPORTS);
        keepRejections();
        status = status.at(now, kept);
        try {
            imports.progress(status);
        } catch (QueryDbException e) {
            log.warn("progress not saved: import={}", status.id(), e);
        }
        listener.progress(status);
    }

    /** @throws QueryDbException where the end of an upload was not written, or another attempt has taken it over */
    private void end(ImportState state, @Nullable String message) {
        isOver = true;
        keepRejections();
        status = status.at(clock.instant(), kept).state(state, message);
        try {
            imports.finish(status, details());
            log.info(
                    "import ended: import={} state={} rows={} rejected={}",
                    status.id(),
                    state,
                    status.rows(),
                    status.rejected());
        } catch (QueryDbException e) {
            if (status.upload() != null) {
                // Its files stay, and its task is done again.
                throw e;
            }
            log.error("end of an import not saved: import={} state={}", status.id(), state, e);
        }
        listener.progress(status);
    }

    private Map<String, String> details() {
        var details = new TreeMap<String, String>();
        details.put("state", status.state().name());
        var changeSet = status.changeSet();
        if (changeSet != null) {
            details.put("changeSet", changeSet.value());
        }
        if (isBegunAgain) {
            details.put("begunAgain", BEGUN_AGAIN);
        }
        for (var file : status.files()) {
            details.put(
                    file.kind().label(),
                    file.name() + ": " + file.rows() + " rows, " + file.created() + " created, " + file.changed()
                            + " changed, " + file.unchanged() + " unchanged, " + file.rejected() + " rejected");
        }
        return details;
    }
}
