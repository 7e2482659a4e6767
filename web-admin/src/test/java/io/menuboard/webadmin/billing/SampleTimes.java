package io.menuboard.webadmin.billing;

import io.menuboard.webadmin.pages.BillingSample;
import java.time.Instant;

/** Times of the sample as pages and forms write them. */
final class SampleTimes {
    private SampleTimes() {}

    /** So many minutes after the sample's begin, as pages write it. */
    static String minute(BillingSample sample, int minutes) {
        return minute(sample.quarter(minutes).start());
    }

    static String minute(Instant instant) {
        return instant.toString().replace('T', ' ').substring(0, 16) + " UTC";
    }

    /** So many minutes after the sample's begin, as date-time fields send it. */
    static String field(BillingSample sample, int minutes) {
        return sample.quarter(minutes).start().toString().substring(0, 16);
    }
}
