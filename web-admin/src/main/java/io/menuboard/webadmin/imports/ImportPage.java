package io.menuboard.webadmin.imports;

import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.webadmin.changes.ChangeWords;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Refresh;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code imports/show}.
 *
 * @param progress null once it has ended
 * @param alert what to know about how it ended, or null
 * @param changes what has become of its prices; null where none would change
 * @param rate how fast it was, empty where that says nothing
 */
record ImportPage(
        Header header,
        Refresh refresh,
        Badge state,
        String summary,
        @Nullable Progress progress,
        @Nullable Alert alert,
        @Nullable Changes changes,
        String rate,
        List<File> files,
        Rejections rejections) {

    private static final int SECONDS = 1;

    /** Rejections on the page; the others are in the file. */
    static final int SHOWN = 50;

    /** @param set of its prices; null where there is none to be seen */
    static ImportPage of(ImportStatus status, @Nullable ChangeSet set, List<ImportRejection> rejections) {
        var href = Link.to("imports", status.id().value());
        return new ImportPage(
                Header.of(status),
                Refresh.of(href, status.state().isOpen(), SECONDS),
                badge(status.state()),
                summary(status),
                status.state().isOpen() ? Progress.of(status) : null,
                status.message() == null
                        ? null
                        : new Alert(status.state() == ImportState.FINISHED ? "warning" : "error", status.message()),
                status.changeSet() == null ? null : Changes.of(set),
                rate(status),
                status.files().stream().map(File::of).toList(),
                new Rejections(
                        Link.to("imports", status.id().value(), "rejected.csv").toString(),
                        note(status, rejections.size()),
                        rejections.stream().map(Rejection::of).toList()));
    }

    /** What was imported, when it was begun, and by whom. */
    record Header(String id, String title, String begun, String actor) {
        static Header of(ImportStatus status) {
            return new Header(
                    status.id().value(),
                    status.files().stream().map(ImportFileStatus::name).collect(Collectors.joining(" and ")),
                    Moments.utc(status.startedAt()),
                    status.actor().name());
        }
    }

    /**
     * The change set of its prices.
     *
     * @param href its address; null where it is not to be seen
     * @param isDraft true if somebody has to say that it is to be applied
     */
    record Changes(String text, @Nullable String href, boolean isDraft) {
        static Changes of(@Nullable ChangeSet set) {
            if (set == null) {
                return new Changes("Its change set was discarded, or is not yours to see.", null, false);
            }
            var isDraft = set.status() == ChangeSetStatus.DRAFT;
            return new Changes(
                    isDraft ? "No price has changed yet." : ChangeWords.summary(set, null),
                    ChangeWords.link(set.id()).toString(),
                    isDraft);
        }
    }

    /** @param done bytes that were read, of {@code total} */
    record Progress(long done, long total, String detail) {
        static Progress of(ImportStatus status) {
            return new Progress(
                    Math.min(status.bytesRead(), status.bytes()),
                    Math.max(1, status.bytes()),
                    Counts.bytes(status.bytesRead()) + " of " + Counts.bytes(status.bytes()));
        }
    }

    /** @param kind of {@code components :: alert} */
    record Alert(String kind, String text) {}

    /**
     * The first rejected rows.
     *
     * @param csv address of the file of all that were kept
     * @param note how many rejections are shown and can be had, or null
     */
    record Rejections(String csv, @Nullable String note, List<Rejection> rows) {}

    private static String summary(ImportStatus status) {
        // Stores that an earlier attempt has written count as unchanged.
        var isAgain = status.attempt() > 1;
        return status.state() == ImportState.FINISHED
                ? status.files().stream().map(file -> summary(file, isAgain)).collect(Collectors.joining(" "))
                : "";
    }

    private static String summary(ImportFileStatus file, boolean isAgain) {
        var rejected =
                switch (file.rejected()) {
                    case 0 -> ".";
                    case 1 -> "; 1 row was rejected.";
                    default -> "; " + Counts.of(file.rejected()) + " rows were rejected.";
                };
        return switch (file.kind()) {
            case STORES -> stores(file, isAgain) + rejected;
            case PRICES, CHANGES -> prices(file) + rejected;
        };
    }

    private static String stores(ImportFileStatus file, boolean isAgain) {
        var in = file.rows() - file.rejected();
        if (in == 0) {
            return "No store is in";
        }
        if (file.created() + file.changed() == 0 && !isAgain) {
            return "No store has changed";
        }
        return in == 1 && file.rows() == 1
                ? "The store is in"
                : Counts.of(in) + " of " + Counts.of(file.rows()) + " stores are in";
    }

    private static String prices(ImportFileStatus file) {
        var changing = file.created() + file.changed();
        if (changing == 0) {
            return "No price would change";
        }
        return file.rows() == 1
                ? "The price would change"
                : Counts.of(changing) + " of " + ChangeWords.prices(file.rows()) + " would change";
    }

    /** A rate is worth a word from a second on. */
    private static String rate(ImportStatus status) {
        var elapsed = status.elapsed();
        if (elapsed.toSeconds() == 0) {
            return status.state().isOpen() ? "" : "Done in less than a second";
        }
        var took = elapsed.toMinutes() > 0
                ? elapsed.toMinutes() + " min " + elapsed.toSecondsPart() + " s"
                : String.format(Locale.ENGLISH, "%.1f s", elapsed.toMillis() / 1000.0);
        var perSecond = status.rowsPerSecond();
        return (status.state().isOpen() ? took + " so far" : "Done in " + took)
                + (perSecond > 1 ? ", " + Counts.of(perSecond) + " rows a second" : "");
    }

    private static @Nullable String note(ImportStatus status, int shown) {
        if (status.rejected() == 0) {
            return null;
        }
        if (status.state().isOpen()) {
            return "The first ones; there may be more to come.";
        }
        var kept = status.keptRejections();
        var file =
                "The first " + Counts.of(shown) + ". The file has the " + Counts.of(kept) + " problems that were kept";
        if (kept < status.rejected()) {
            return file + "; the others were only counted.";
        }
        // A row may have several, so that there may have been more than were kept.
        return shown < kept ? file + "." : null;
    }

    record File(
            String name, String kind, String rows, String created, String changed, String unchanged, String rejected) {
        static File of(ImportFileStatus file) {
            return new File(
                    file.name(),
                    file.kind().label(),
                    Counts.of(file.rows()),
                    Counts.of(file.created()),
                    Counts.of(file.changed()),
                    Counts.of(file.unchanged()),
                    Counts.of(file.rejected()));
        }
    }

    record Rejection(String file, String row, String field, String value, String rule, String code) {
        static Rejection of(ImportRejection rejection) {
            return new Rejection(
                    rejection.file().label(),
                    Counts.of(rejection.row()),
                    rejection.field(),
                    rejection.value(),
                    rejection.rule(),
                    rejection.code());
        }
    }

    static Badge badge(ImportState state) {
        return switch (state) {
            case WAITING -> new Badge("", "Waiting");
            case RUNNING -> new Badge("badge-info", "Running");
            case FINISHED -> new Badge("badge-good", "Finished");
            case REFUSED -> new Badge("badge-bad", "Refused");
            case FAILED -> new Badge("badge-bad", "Failed");
            case INTERRUPTED -> new Badge("badge-warn", "Interrupted");
        };
    }
}
