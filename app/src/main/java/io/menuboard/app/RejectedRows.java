package io.menuboard.app;

import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.imports.ImportRejection;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rejected rows of an import to a file, or else keeps sentences about the first twenty. For one thread. */
final class RejectedRows implements Closeable {
    private static final int SHOWN = 20;

    private final @Nullable CsvWriter file;
    private final List<String> shown = new ArrayList<>();
    private int count;

    RejectedRows(@Nullable Path path) throws IOException {
        file = path == null ? null : new CsvWriter(Files.newBufferedWriter(path));
        if (file != null) {
            file.row(ImportRejection.COLUMNS);
        }
    }

    /** Throws {@link UncheckedIOException} where the file cannot be written. */
    void add(ImportRejection rejection) {
        count++;
        if (file != null) {
            try {
                file.row(rejection.cells());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else if (shown.size() < SHOWN) {
            shown.add(rejection.file().label() + " row " + rejection.row() + ": " + rejection.rule()
                    + (rejection.value().isEmpty() ? "" : ", not '" + rejection.value() + "'") + " ("
                    + rejection.code() + ")");
        }
    }

    List<String> shown() {
        return shown;
    }

    int count() {
        return count;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
