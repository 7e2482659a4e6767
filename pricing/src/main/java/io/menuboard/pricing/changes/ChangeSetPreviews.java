package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.changes.ChangePreview.Unwritten;
import io.menuboard.pricing.changes.ChangeSetData.Preview;
import io.menuboard.pricing.changes.DynamoChangeLines.Lines;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.Suspicion;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Gatherers;

/** Makes previews of change sets, which change no price. Thread-safe. */
final class ChangeSetPreviews {
    /** Rows that are previewed together where a set was imported. */
    private static final int ROWS_AT_ONCE = 500;

    private final DynamoChangeSets sets;
    private final DynamoChangeLines lines;
    private final LineSources sources;
    private final PriceBook book;
    private final ChangeSetIds ids;
    private final ChangesConfig config;

    ChangeSetPreviews(
            DynamoChangeSets sets,
            DynamoChangeLines lines,
            LineSources sources,
            PriceBook book,
            ChangeSetIds ids,
            ChangesConfig config) {
        this.sets = sets;
        this.lines = lines;
        this.sources = sources;
        this.book = book;
        this.ids = ids;
        this.config = config;
    }

    ChangesConfig config() {
        return config;
    }

    /**
     * Begins a preview of lines that come from elsewhere.
     *
     * @param access of who previews, and sees no store but those that they may draft changes for
     * @param size about how many there will be
     */
    ChangePreview begin(Access access, ChangeSet set, long size) {
        var shards = size <= config.inline() ? 1 : sets.shards();
        var found = new Lines(set.id(), ids.nextPreview(), shards, Lines.kindOf(set));
        var suspicion = new Suspicion(config.suspiciousPercent());
        var check = new LineCheck(set.effectiveDate(), set.retries() != null, suspicion, book.versions(), ids.now());
        return new ChangePreview(access, found, book, lines, check, new LineCounts(config.approvals(), mostLines(set)));
    }

    /** A file has as many as an import takes, and what it changed can be undone and tried again whatever their number. */
    private int mostLines(ChangeSet set) {
        return set.imported() == null && set.undoes() == null && set.retries() == null
                ? config.maxLines()
                : Integer.MAX_VALUE;
    }

    /**
     * Previews everything that a set asks for, by the file or the rules that are kept of it, of stores that the access is for.
     *
     * @param progress gets the number of lines so far
     */
    Preview preview(Access access, ChangeSet set, long size, IntConsumer progress) throws InterruptedException {
        if (set.imported() != null) {
            return previewFile(access, set, size, progress);
        }
        try (var kept = sets.rules().of(set.id())) {
            return previewRules(access, set, kept.toList(), size, progress);
        }
    }

    /** Previews everything that a set that was not imported asks for, by those rules. */
    Preview previewRules(Access access, ChangeSet set, List<ChangeRule> rules, long size, IntConsumer progress)
            throws InterruptedException {
        var preview = begin(access, set, size);
        try (var requested = sources.requested(access, set, rules)) {
            if (set.undoes() == null) {
                if (rules.size() > 1) {
                    preview.check(requested.iterator(), progress);
                } else {
                    preview.checkDistinct(requested.iterator(), progress);
                }
                return preview.finished();
            }
            // First prices that come back are loaded as they were.
            var loaded = new ArrayList<RequestedChange>();
            var others = requested.filter(one -> {
                if (one.date() != null) {
                    loaded.add(one);
                    if (loaded.size() == ROWS_AT_ONCE) {
                        preview.checkRows(List.copyOf(loaded), Unwritten.REFUSED_LISTED);
                        loaded.clear();
                    }
                }
                return one.date() == null;
            });
            preview.checkDistinct(others.iterator(), progress);
            preview.checkRows(loaded, Unwritten.REFUSED_LISTED);
            return preview.finished();
        }
    }

    /** A file of changes has a rule for each row, which are read as they are consumed; a file of prices has none. */
    private Preview previewFile(Access access, ChangeSet set, long size, IntConsumer progress)
            throws InterruptedException {
        var preview = begin(access, set, size);
        try (var kept = sets.rules().of(set.id())) {
            var rules = kept.iterator();
            if (rules.hasNext()) {
                preview.check(sources.requested(access, rules).iterator(), progress);
            } else {
                previewAgain(set, preview, progress);
            }
        }
        return preview.finished();
    }

    private void previewAgain(ChangeSet set, ChangePreview preview, IntConsumer progress) {
        var stored = sets.now(set.id());
        var done = new AtomicInteger();
        try (var refused = lines.refused(stored)) {
            refused.gather(Gatherers.windowFixed(ROWS_AT_ONCE)).forEach(preview::keep);
        }
        try (var again = sources.again(stored)) {
            again.gather(Gatherers.windowFixed(ROWS_AT_ONCE)).forEach(rows -> {
                preview.checkRows(rows, Unwritten.REFUSED_LISTED);
                progress.accept(done.addAndGet(rows.size()));
            });
        }
    }
}
