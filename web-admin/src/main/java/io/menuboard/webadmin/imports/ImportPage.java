package io.menuboard.webadmin.imports;

import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.webadmin.changes.ChangeWords;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code imports/show}.
 *
 * @param open whether something may still happen, so that the page asks again
 * @param done bytes that were read, of {@code total}
 * @param message what to know about how it ended, or null
 * @param changeSetHref address of what its prices would change; null for nothing
 * @param rate how fast it was, empty where that says nothing
 * @param alert kind of alert for the message
 * @param rejections the first ones
 * @param rejectionsNote how many of all rejections are shown and can be had, or null
 */
record ImportPage(
        String href,
        String title,
        String begun,
        String actor,
        Badge state,
        boolean open,
        long done,
        long total,
        String detail,
        @Nullable String message,
        String alert,
        String summary,
        @Nullable String changeSetHref,
        String rate,
        List<File> files,
        String rejectedCsv,
        List<Rejection> rejections,
        @Nullable String rejectionsNote) {

    /** Rejections on the page; the others are in the file. */
    static final int SHOWN = 50;

    static ImportPage of(ImportStatus status, List<ImportRejection> rejections) {
        var href = Link.to("imports", status.id().value());
        return new ImportPage(
                href.toString(),
                status.files().stream().map(ImportFileStatus::name).collect(Collectors.joining(" and ")),
                Moments.utc(status.startedAt()),
                status.actor().name(),
                badge(status.state()),
                status.state().isOpen(),
                Math.min(status.bytesRead(), status.bytes()),
                Math.max(1, status.bytes()),
                Counts.bytes(status.bytesRead()) + " of " + Counts.bytes(status.bytes()),
                status.message(),
                status.state() == ImportState.FINISHED ? "warning" : "error",
                summary(status),
                status.changeSet() == null
                        ? null
                        : ChangeWords.link(status.changeSet()).toString(),
                rate(status),
                status.files().stream().map(File::of).toList(),
                Link.to("imports", status.id().value(), "rejected.csv").toString(),
                rejections.stream().map(Rejection::of).toList(),
                note(status, rejections.size()));
    }

    private static String summary(ImportStatus status) {
        return status.state() == ImportState.FINISHED
                ? status.files().stream().map(ImportPage::summary).collect(Collectors.joining(" "))
                : "";
    }

    private static String summary(ImportFileStatus file) {
        var rejected =
                switch (file.rejected()) {
                    case 0 -> ".";
                    case 1 -> "; 1 row was rejected.";
                    default -> "; " + Counts.of(file.rejected()) + " rows were rejected.";
                };
        return switch (file.kind()) {
            case STORES -> stores(file) + rejected;
            case PRICES, CHANGES -> prices(file) + rejected;
        };
    }

    private static String stores(ImportFileStatus file) {
        var in = file.rows() - file.rejected();
        if (file.created() + file.changed() == 0) {
            return in == 0 ? "No store is in" : "No store has changed";
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
        if (kept < status.rejected()) {
            return "The first " + Counts.of(shown) + ". The file has the " + Counts.of(kept)
                    + " problems that were kept; the others were only counted.";
        }
        return shown < kept ? "The first " + Counts.of(shown) + "; the file has all " + Counts.of(kept) + "." : null;
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
