package io.menuboard.pricing.imports;

/**
 * Counts of the rows of one file so far. Every row that was read is created, changed, unchanged or rejected.
 *
 * @param bytes size of the file
 * @param bytesRead those of them that have become rows
 * @param rows that were read, header and blank rows not counted
 * @param created rows whose store or price was not there before
 * @param changed rows whose store or price was there with another value
 * @param unchanged rows whose store or price was there already, exactly so
 * @param rejected rows with a problem, of which nothing was written
 */
public record ImportFileStatus(
        ImportKind kind,
        String name,
        long bytes,
        long bytesRead,
        int rows,
        int created,
        int changed,
        int unchanged,
        int rejected) {

    static ImportFileStatus of(ImportFile file) {
        return new ImportFileStatus(file.kind(), file.name(), file.bytes(), 0, 0, 0, 0, 0, 0);
    }

    ImportFileStatus unread() {
        return new ImportFileStatus(kind, name, bytes, 0, 0, 0, 0, 0, 0);
    }

    ImportFileStatus read(long newBytesRead) {
        return new ImportFileStatus(kind, name, bytes, newBytesRead, rows, created, changed, unchanged, rejected);
    }

    ImportFileStatus plus(int moreCreated, int moreChanged, int moreUnchanged, int moreRejected) {
        return new ImportFileStatus(
                kind,
                name,
                bytes,
                bytesRead,
                rows + moreCreated + moreChanged + moreUnchanged + moreRejected,
                created + moreCreated,
                changed + moreChanged,
                unchanged + moreUnchanged,
                rejected + moreRejected);
    }
}
