package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.AgencyId;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Names of the files of a version of a run: {@code billing/{run}/v0001/ledger.csv} and beside it.
 *
 * @param version from 1
 */
record RunFiles(RunId run, int version) {
    static final String CSV = "text/csv; charset=utf-8";
    static final String JSON = "application/json";

    String of(Reports.Kind kind) {
        return name(kind.fileName());
    }

    /** Every line of the run, in the order of arrival, late ones at the end. The other files follow from it. */
    String ledger() {
        return name("ledger.csv");
    }

    String manifest() {
        return name("manifest.json");
    }

    String summaryCsv() {
        return name("summary.csv");
    }

    String summaryJson() {
        return name("summary.json");
    }

    /** Differences from the version before; of versions from 2 on. */
    String difference() {
        return name("difference.csv");
    }

    String agencyCsv(AgencyId agency) {
        return name("agencies/" + encoded(agency) + ".csv");
    }

    String agencyJson(AgencyId agency) {
        return name("agencies/" + encoded(agency) + ".json");
    }

    private static String encoded(AgencyId agency) {
        return URLEncoder.encode(agency.value(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    private String name(String file) {
        return String.format(Locale.ROOT, "billing/%s/v%04d/%s", run, version, file);
    }
}
