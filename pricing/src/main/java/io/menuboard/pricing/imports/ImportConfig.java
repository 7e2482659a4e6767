package io.menuboard.pricing.imports;

import io.menuboard.kernel.csv.SeenKeys;
import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.import.*}.
 *
 * @param maxRows most rows of one file, header not counted; those after it are not read, and that is said. Of a longer file of
 *     prices or changes there is no draft. Default 5,000,000, for which finding duplicates needs 134 MB, and 200 MB for
 *     moments; see {@link SeenKeys}
 * @param maxRowBytes longest row of a file; a longer one is rejected. Default 64 KB
 * @param chunkRows rows that are looked up and written together, default 500
 * @param chunksInFlight chunks of one file that are written at the same time, default 8
 * @param maxKeptRejections rejections of one import that are kept for its page; the others are only counted. Default
 *     10,000
 * @param interruptedAfter an import that has not shown any life for so long has been interrupted; default 1 minute
 * @param keptFor how long an import is listed after it began; default 30 days
 */
@ConfigurationProperties("menuboard.import")
record ImportConfig(
        @Bindable(defaultValue = "5000000") int maxRows,
        @Bindable(defaultValue = "65536") int maxRowBytes,
        @Bindable(defaultValue = "500") int chunkRows,
        @Bindable(defaultValue = "8") int chunksInFlight,
        @Bindable(defaultValue = "10000") int maxKeptRejections,
        @Bindable(defaultValue = "1m") Duration interruptedAfter,
        @Bindable(defaultValue = "30d") Duration keptFor) {}
