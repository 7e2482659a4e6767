package io.menuboard.billing.reports;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Storage of ledgers and reports: files by name, which readers find whole or not at all, and which never change.
 * Thread-safe. What goes wrong
 * is the storage's own exception, after its retries.
 */
public interface ReportFiles {

    /**
     * Stores a file unless there is one of that name: of many who do so at once, one has stored its own. One request.
     *
     * @param name parts separated by slashes; letters, digits and {@code -_.%}
     * @param content at most 5 GB
     * @param mediaType for browsers
     * @return false where a file was there already, which may be this one, of an attempt whose answer was lost
     */
    boolean create(String name, Path content, String mediaType);

    /**
     * Reads a part of a file as it is consumed; close it. One request.
     *
     * @param from bytes before the part; a file that has no more gives nothing to read
     * @param length most bytes of the part
     * @return empty where there is no such file
     */
    Optional<InputStream> open(String name, long from, long length);

    /** Size of a file in bytes; empty where there is none. One request. */
    OptionalLong length(String name);

    /** Reads a whole file as it is consumed; close it. */
    default Optional<InputStream> open(String name) {
        return open(name, 0, Long.MAX_VALUE);
    }
}
