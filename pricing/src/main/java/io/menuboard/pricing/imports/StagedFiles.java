package io.menuboard.pricing.imports;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Port to where the files of uploads are, which every instance can read. A file is there whole or not at all.
 * Thread-safe.
 */
public interface StagedFiles {

    /**
     * Request with which a client sends a file.
     *
     * @param url absolute, or relative to the address of the application
     * @param headers that the request must have, exactly so
     */
    record Target(String url, String method, Map<String, String> headers) {
        public Target {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * The way for a client to send a file of exactly that size, and nothing else, for so long. Nothing is stored.
     *
     * @param bytes at least 1
     */
    Target target(UploadId id, long bytes, Duration lifetime);

    /**
     * Stores a file that is at hand, in place of what there was.
     *
     * @param file whose size is exact, and whose content may be opened more than once
     */
    void store(UploadId id, ImportFile file) throws IOException;

    /** Size of what was sent; empty where nothing was, or it is deleted. */
    OptionalLong length(UploadId id);

    /** Content from its beginning, all of it at hand, for the caller to close; empty where nothing was sent, or it is deleted. */
    Optional<InputStream> open(UploadId id) throws IOException;

    /** Deletes what was sent, if anything. */
    void delete(UploadId id);
}
