package io.menuboard.webadmin.imports;

import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.micronaut.http.multipart.CompletedFileUpload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Uploads in a folder of their own, where they outlive their request. */
final class UploadedFiles {
    private static final Logger log = LoggerFactory.getLogger(UploadedFiles.class);

    private UploadedFiles() {}

    /** A field for a file, which may have come without one. */
    record Field(ImportKind kind, @Nullable CompletedFileUpload upload) {}

    /** Tells whether the field came with a file. */
    static boolean isChosen(@Nullable CompletedFileUpload upload) {
        return upload != null
                && upload.getFilename() != null
                && !upload.getFilename().isEmpty();
    }

    /** Copies what was uploaded to where it outlives the request; a field without a file counts as none. */
    static List<ImportFile> keep(List<Field> fields, Path folder) throws IOException {
        var files = new ArrayList<ImportFile>();
        for (var field : fields) {
            var upload = field.upload;
            if (upload != null && isChosen(upload)) {
                files.add(keep(field.kind, upload, folder.resolve(field.kind.label())));
            }
        }
        return files;
    }

    private static ImportFile keep(ImportKind kind, CompletedFileUpload upload, Path path) throws IOException {
        if (upload.getSize() == 0) {
            Files.createFile(path);
        } else {
            try (var in = upload.getInputStream()) {
                Files.copy(in, path, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return new ImportFile(kind, upload.getFilename(), Files.size(path), () -> Files.newInputStream(path));
    }

    /** Ignores what is gone already. */
    static void delete(Path folder) {
        if (Files.notExists(folder)) {
            return;
        }
        try (var files = Files.newDirectoryStream(folder)) {
            for (var file : files) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException e) {
            log.warn("uploaded files not deleted: folder={}", folder, e);
        }
    }
}
