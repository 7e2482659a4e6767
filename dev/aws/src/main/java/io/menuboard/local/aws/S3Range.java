package io.menuboard.local.aws;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Bytes of an object, both inclusive. */
record S3Range(long first, long last, boolean partial) {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,19})-(\\d{0,19})");

    /** Of a header; what is no range is ignored, as S3 does. */
    static S3Range of(@Nullable String header, long size) {
        var range = RANGE.matcher(header == null ? "" : header);
        if (!range.matches()) {
            return new S3Range(0, size - 1, false);
        }
        var first = Long.parseLong(range.group(1));
        var last = range.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.group(2));
        if (last < first) {
            return new S3Range(0, size - 1, false);
        }
        if (first >= size) {
            throw new S3Refusal(416, "InvalidRange", "The requested range is not satisfiable");
        }
        return new S3Range(first, Math.min(last, size - 1), true);
    }

    long length() {
        return last - first + 1;
    }
}
