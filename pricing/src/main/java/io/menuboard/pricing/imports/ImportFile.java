package io.menuboard.pricing.imports;

import java.io.IOException;
import java.io.InputStream;

/**
 * A file to import.
 *
 * @param name what its owner calls it
 * @param bytes its size, for progress; need not be exact
 * @param content opened once, read once from its beginning, and closed
 */
public record ImportFile(ImportKind kind, String name, long bytes, Content content) {

    /** Where the bytes come from. */
    @FunctionalInterface
    public interface Content {
        InputStream open() throws IOException;
    }
}
