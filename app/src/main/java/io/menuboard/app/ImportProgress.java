package io.menuboard.app;

import io.menuboard.pricing.imports.ImportStatus;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Shows how an import proceeds: in place on a terminal, otherwise a line every five seconds. For one thread. */
final class ImportProgress {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintStream err;
    private final boolean terminal;
    private final Clock clock;
    private Instant nextLine;
    private int width;

    /** @param terminal whether {@code err} can show a line over the one before */
    ImportProgress(PrintStream err, boolean terminal, Clock clock) {
        this.err = err;
        this.terminal = terminal;
        this.clock = clock;
        this.nextLine = clock.instant().plus(BETWEEN_LINES);
    }

    void show(ImportStatus status) {
        var line = line(status);
        if (terminal) {
            // Over the line before, with blanks where that was longer.
            err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            err.flush();
            width = line.length();
        } else if (!clock.instant().isBefore(nextLine)) {
            nextLine = clock.instant().plus(BETWEEN_LINES);
            err.println(line);
        }
    }

    /** Leaves the line that was shown in place. */
    void end() {
        if (width > 0) {
            err.println();
        }
    }

    private static String line(ImportStatus status) {
        return String.format(
                Locale.ROOT,
                "%3d%%  %,d rows, %,d rows/s: %,d new, %,d changed, %,d unchanged, %,d rejected",
                status.bytes() == 0 ? 100 : 100 * status.bytesRead() / status.bytes(),
                status.rows(),
                status.rowsPerSecond(),
                status.created(),
                status.changed(),
                status.unchanged(),
                status.rejected());
    }
}
