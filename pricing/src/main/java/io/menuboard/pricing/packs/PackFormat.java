package io.menuboard.pricing.packs;

/** How a pack is written. Both have the same prices. */
public enum PackFormat {
    JSON("json", "application/json"),
    /** RFC 4180. */
    CSV("csv", "text/csv;charset=utf-8;header=present");

    private final String extension;
    private final String mediaType;

    PackFormat(String extension, String mediaType) {
        this.extension = extension;
        this.mediaType = mediaType;
    }

    /** What names of such files end with, without the dot. */
    public String extension() {
        return extension;
    }

    /** With its parameters. */
    public String mediaType() {
        return mediaType;
    }
}
