package io.menuboard.pricing.imports;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Ulid;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * The id of one staged upload, which nobody can guess.
 *
 * @param value a ULID; anything else is refused with {@link InvalidInput} {@code INVALID_ID}
 */
public record UploadId(String value) {

    public UploadId {
        Ulid.check("upload", value);
    }

    /** @param random must not be predictable */
    static UploadId random(Instant now, RandomGenerator random) {
        return new UploadId(Ulid.random(now, random));
    }

    /** When the upload was staged, to the millisecond. */
    Instant madeAt() {
        return Ulid.instant(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
