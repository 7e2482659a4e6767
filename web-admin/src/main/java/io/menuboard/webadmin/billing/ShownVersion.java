package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.billing.reports.Reports;
import io.menuboard.billing.reports.RunId;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.Link;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A version of a run, as an address asks for it.
 *
 * @param version 0 while the first one is being made
 * @param result null while the first one is being made
 */
record ShownVersion(ReportRun run, int version, ReportRun.@Nullable Result result) {
    private static final String VERSION = "version";

    /**
     * Finds it.
     *
     * @param version as it was sent; the one that counts where nothing was
     * @throws InvalidInput on {@code run} or {@code version} where there is none, or it cannot be one
     */
    static ShownVersion find(Access access, ReportRuns runs, Reports reports, String run, @Nullable String version) {
        var id = RunId.parse(run);
        var found = runs.find(access, id).orElseThrow(() -> BillingWords.notFound(id));
        var asked = Objects.requireNonNullElse(version, "").strip();
        var number = asked.isEmpty() ? found.effectiveVersion() : number(asked);
        if (number == found.effectiveVersion()) {
            return new ShownVersion(found, number, found.result());
        }
        var result = reports.version(access, id, number).orElseThrow(() -> BillingWords.notFound(id, number));
        return new ShownVersion(found, number, result);
    }

    /** The same, where it must have reports. */
    static ShownVersion findMade(
            Access access, ReportRuns runs, Reports reports, String run, @Nullable String version) {
        var shown = find(access, runs, reports, run, version);
        if (shown.result == null) {
            throw BillingWords.notFound(shown.run.id(), 1);
        }
        return shown;
    }

    boolean counts() {
        return version == run.effectiveVersion();
    }

    /** An address of something in this version. */
    Link on(Link link) {
        return on(link, version, run);
    }

    /** An address of something in a version of a run, which is not named where it counts. */
    static Link on(Link link, int version, ReportRun run) {
        return link.with(VERSION, version == run.effectiveVersion() ? null : Integer.toString(version));
    }

    /** Name of its file where people keep it. */
    String fileName(String name) {
        return run.id() + "-v" + version + "-" + name;
    }

    private static int number(String text) {
        try {
            var number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new InvalidInput("INVALID_VERSION", VERSION, "must be a whole number from 1 on");
    }
}
