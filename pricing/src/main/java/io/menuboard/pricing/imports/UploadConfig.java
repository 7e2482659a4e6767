package io.menuboard.pricing.imports;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/**
 * Settings under {@code menuboard.uploads.*} of files that are uploaded before they are imported.
 *
 * @param maxBytes largest file, also of pages, 5 GB at most, as S3 takes it in one request; default 500 MB
 * @param lifetime how long a file can be sent and imported; 12 hours at most, so that it is there as long as its import may
 *     take to begin. Default 6 hours
 */
@ConfigurationProperties("menuboard.uploads")
record UploadConfig(
        @Bindable(defaultValue = "500MB") @ReadableBytes long maxBytes,
        @Bindable(defaultValue = "6h") Duration lifetime) {
    private static final long MOST_BYTES = 5L << 30;
    private static final Duration LONGEST = Duration.ofHours(12);

    UploadConfig {
        if (maxBytes < 1 || maxBytes > MOST_BYTES || !lifetime.isPositive() || lifetime.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "menuboard.uploads: max-bytes must be between 1 and 5 GB, lifetime above 0 and at most 12 hours: "
                            + maxBytes + ", " + lifetime);
        }
    }
}
