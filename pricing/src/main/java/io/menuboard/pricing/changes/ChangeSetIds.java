package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import java.time.Clock;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Makes ids of change sets, which sort by the time, and of their previews. */
record ChangeSetIds(Clock clock, RandomGenerator random) {

    ChangeSetId next() {
        return ChangeSetId.random(now(), random);
    }

    /** The id of a preview, 16 hexadecimal digits. */
    String nextPreview() {
        return HexFormat.of().toHexDigits(random.nextLong());
    }

    Instant now() {
        return clock.instant();
    }
}
