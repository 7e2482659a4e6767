package io.menuboard.kernel;

/**
 * Bounds of page sizes.
 *
 * @param defaultSize when the client does not say
 * @param maxSize a request for more is refused, not clamped
 */
public record PageLimits(int defaultSize, int maxSize) {

    public PageLimits {
        if (defaultSize < 1 || maxSize < defaultSize) {
            throw new IllegalArgumentException(
                    "page limits must be 1 <= defaultSize <= maxSize: " + defaultSize + ", " + maxSize);
        }
    }

    /** 64 and 2,048, architecture section 6. */
    public static PageLimits standard() {
        return new PageLimits(64, 2048);
    }
}
