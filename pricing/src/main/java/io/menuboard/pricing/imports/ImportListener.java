package io.menuboard.pricing.imports;

import java.util.function.Consumer;

/** Receives the progress of an import, on the thread that runs it. */
public interface ImportListener {

    /** Needs to know nothing. */
    ImportListener NONE = progress(_ -> {});

    /** Needs to know no rejections. */
    static ImportListener progress(Consumer<ImportStatus> progress) {
        return new ImportListener() {
            @Override
            public void progress(ImportStatus status) {
                progress.accept(status);
            }

            @Override
            public void rejected(ImportRejection rejection) {}
        };
    }

    /** About every second, and at the end. */
    void progress(ImportStatus status);

    /** One by one, in the order of the rows. */
    void rejected(ImportRejection rejection);
}
