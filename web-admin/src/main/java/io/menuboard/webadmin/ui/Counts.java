package io.menuboard.webadmin.ui;

import java.util.Locale;

/** Numbers as pages write them. */
public final class Counts {
    private static final String[] UNITS = {"bytes", "KB", "MB", "GB"};

    private Counts() {}

    /** {@code 1,234,567}. */
    public static String of(long count) {
        return String.format(Locale.ENGLISH, "%,d", count);
    }

    /** {@code 3.4 MB}; a KB has 1,024 bytes. */
    public static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " bytes";
        }
        var unit = 0;
        var size = (double) bytes;
        while (size >= 1024 && unit < UNITS.length - 1) {
            size /= 1024;
            unit++;
        }
        return String.format(Locale.ENGLISH, "%.1f %s", size, UNITS[unit]);
    }
}
