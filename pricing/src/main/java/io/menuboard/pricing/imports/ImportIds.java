package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.pricing.changes.ImportId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Ids of an import of files that are at hand, and of those files. Whoever asks for the same with the same key again is given the
 * same ones, and so makes nothing twice; nobody else is. Immutable.
 */
public final class ImportIds {
    private static final int IMPORT_DIGITS = 16;

    /** SHA-256, of which the id of the import tells a quarter. */
    private final String digest;

    private ImportIds(String digest) {
        this.digest = digest;
    }

    /**
     * Reads all files.
     *
     * @param key of the request, which may be sent again; whoever sends another file with it has other ids
     * @param files whose content may be opened more than once
     */
    public static ImportIds of(Access access, String key, List<ImportFile> files, ImportAbout about)
            throws IOException {
        var principal = access.principal();
        var by = principal.id() == null ? "name " + principal.name() : "id " + principal.id();
        var parts = new ArrayList<Object>(List.of(key, principal.kind(), by, about));
        for (var file : files) {
            parts.addAll(List.of(file.kind(), file.name(), Purpose.hash(file.content())));
        }
        return new ImportIds(Purpose.hash(parts.toArray()));
    }

    /** Others, which are the same for the same: for where the import of these came to no good end. */
    public ImportIds next() {
        return new ImportIds(Purpose.hash(digest));
    }

    /** Id of the import. */
    public ImportId importId() {
        return new ImportId(digest.substring(0, IMPORT_DIGITS));
    }

    /** Id of its file of that kind, which nobody can guess who has not the whole digest. */
    UploadId uploadId(ImportKind kind) {
        var bits = ByteBuffer.wrap(HexFormat.of().parseHex(Purpose.hash(digest, kind)));
        return UploadId.random(Instant.EPOCH, bits::getLong);
    }
}
