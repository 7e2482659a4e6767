package io.menuboard.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file in the data folder from when the sample is begun until all of it is loaded; nothing where no folder keeps the data. */
final class LoadingMark {
    private final @Nullable Path file;

    /** @param data the folder; null where there is none */
    LoadingMark(@Nullable Path data) {
        file = data == null ? null : data.resolve("sample-is-loading");
    }

    /** True at the start where an earlier process did not come to the end. */
    boolean isThere() {
        return file != null && Files.exists(file);
    }

    void set() {
        if (file != null) {
            try {
                Files.writeString(file, "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    void remove() {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
