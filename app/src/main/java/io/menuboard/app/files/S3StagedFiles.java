package io.menuboard.app.files;

import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.StagedFiles;
import io.menuboard.pricing.imports.UploadId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Uploads as objects of a bucket. Clients put them there themselves, with a presigned request that S3 refuses for any other
 * size. They are copied to a temporary file to be read: what reads them may be slower than S3 keeps a connection open.
 */
final class S3StagedFiles implements StagedFiles {
    private final S3Client s3;
    private final S3Presigner presigner;
    private final S3Config config;
    private final S3ReportFiles files;

    S3StagedFiles(S3Client s3, S3Presigner presigner, S3Config config) {
        this.s3 = s3;
        this.presigner = presigner;
        this.config = config;
        files = new S3ReportFiles(s3, config);
    }

    @Override
    public Target target(UploadId id, long bytes, Duration lifetime) {
        var request = presigner.presignPutObject(presign -> presign.signatureDuration(lifetime)
                .putObjectRequest(
                        put -> put.bucket(config.bucket()).key(key(id)).contentLength(bytes)));
        var headers = new TreeMap<String, String>();
        request.signedHeaders().forEach((name, values) -> {
            // Every client sends these two by itself, and many let nobody set them.
            if (!name.equalsIgnoreCase("host") && !name.equalsIgnoreCase("content-length")) {
                headers.put(name, String.join(",", values));
            }
        });
        return new Target(request.url().toString(), "PUT", headers);
    }

    @Override
    public void store(UploadId id, ImportFile file) {
        s3.putObject(
                request -> request.bucket(config.bucket()).key(key(id)),
                RequestBody.fromContentProvider(() -> open(file), file.bytes(), "text/csv"));
    }

    private static InputStream open(ImportFile file) {
        try {
            return file.content().open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public OptionalLong length(UploadId id) {
        return files.length(id.value());
    }

    @Override
    public Optional<InputStream> open(UploadId id) throws IOException {
        var sent = files.open(id.value());
        if (sent.isEmpty()) {
            return Optional.empty();
        }
        var copy = Files.createTempFile("menuboard-upload", null);
        try (var content = sent.get()) {
            Files.copy(content, copy, StandardCopyOption.REPLACE_EXISTING);
            return Optional.of(Files.newInputStream(copy, StandardOpenOption.DELETE_ON_CLOSE));
        } catch (IOException | RuntimeException e) {
            delete(copy, e);
            throw e;
        }
    }

    private static void delete(Path copy, Exception failure) {
        try {
            Files.deleteIfExists(copy);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    @Override
    public void delete(UploadId id) {
        s3.deleteObject(request -> request.bucket(config.bucket()).key(key(id)));
    }

    private String key(UploadId id) {
        return config.prefix() + id;
    }
}
