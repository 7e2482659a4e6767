package io.menuboard.pricing.imports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A file to import.
 *
 * @param name its owner's
 * @param bytes its size, for progress; need not be exact
 * @param content opened once, read once from its beginning, and closed
 */
public record ImportFile(ImportKind kind, String name, long bytes, Content content) {

    /** A file in memory, called after its kind. */
    static ImportFile of(ImportKind kind, byte[] csv) {
        return new ImportFile(kind, kind.label() + ".csv", csv.length, () -> new ByteArrayInputStream(csv));
    }

    /** Source of the bytes. */
    @FunctionalInterface
    public interface Content {
        InputStream open() throws IOException;
    }
}
