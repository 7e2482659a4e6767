package io.menuboard.app.files;

import io.menuboard.billing.reports.ReportFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Files as objects of a bucket, which encrypts them by itself. Checksums go with what is written, and S3 refuses what does
 * not match; what is read and does not match ends in an exception.
 *
 * <p>A stream has one of the client's 50 connections until it is closed, and loses it if nothing is read from it for a
 * minute after it was opened.
 */
final class S3ReportFiles implements ReportFiles {
    private static final int CONFLICT = 409;
    private static final int PRECONDITION_FAILED = 412;
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final S3Client s3;
    private final S3Config config;

    /** @param s3 made by a builder that {@link #prepare} was given */
    S3ReportFiles(S3Client s3, S3Config config) {
        this.s3 = s3;
        this.config = config;
    }

    /**
     * Has clients of the builder also repeat a request which S3 refused because another one for the same object was in progress, as
     * the S3 user guide asks for ("How to prevent object overwrites with conditional writes").
     */
    static S3ClientBuilder prepare(S3ClientBuilder builder) {
        return builder.httpClientBuilder(ApacheHttpClient.builder())
                .overrideConfiguration(overrides -> overrides.retryStrategy(retries -> retries.retryOnException(
                        failure -> failure instanceof S3Exception refusal && refusal.statusCode() == CONFLICT)));
    }

    @Override
    public boolean create(String name, Path content, String mediaType) {
        try {
            s3.putObject(
                    request -> request.bucket(config.bucket())
                            .key(key(name))
                            .contentType(mediaType)
                            .ifNoneMatch("*"),
                    RequestBody.fromFile(content));
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() == PRECONDITION_FAILED) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public Optional<InputStream> open(String name, long from, long length) {
        if (from < 0 || length < 0) {
            throw new IllegalArgumentException("no part of a file: " + length + " bytes from " + from);
        }
        try {
            var content = s3.getObject(
                    request -> request.bucket(config.bucket()).key(key(name)).range(range(from, length)));
            if (length == 0) {
                content.abort();
                return Optional.of(InputStream.nullInputStream());
            }
            return Optional.of(new Part(content));
        } catch (NoSuchKeyException _) {
            return Optional.empty();
        } catch (S3Exception e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return Optional.of(InputStream.nullInputStream());
            }
            throw e;
        }
    }

    /** From the range of the first byte's answer, so that nothing but reading is to be allowed. */
    @Override
    public OptionalLong length(String name) {
        try (var first = s3.getObject(
                request -> request.bucket(config.bucket()).key(key(name)).range(range(0, 1)))) {
            var range = first.response().contentRange();
            first.abort();
            return OptionalLong.of(Long.parseLong(range.substring(range.indexOf('/') + 1)));
        } catch (NoSuchKeyException _) {
            return OptionalLong.empty();
        } catch (S3Exception e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                return OptionalLong.of(0);
            }
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("closing an aborted answer", e);
        }
    }

    private String key(String name) {
        return config.prefix() + name;
    }

    /** Of one byte at the least: S3 takes a range without any for none, and answers with the whole object. */
    private static @Nullable String range(long from, long length) {
        if (from == 0 && length == Long.MAX_VALUE) {
            return null;
        }
        return length > Long.MAX_VALUE - from
                ? "bytes=" + from + "-"
                : "bytes=" + from + "-" + (from + Math.max(length, 1) - 1);
    }

    /** Closed before its end, it ends its connection, where the SDK's stream would read all that is left first. */
    private static final class Part extends InputStream {
        private final ResponseInputStream<GetObjectResponse> content;
        private long left;

        Part(ResponseInputStream<GetObjectResponse> content) {
            this.content = content;
            left = content.response().contentLength();
        }

        /** Not the SDK's own, which takes the checksum at the end of an empty object for its content. */
        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            var read = content.read(bytes, offset, length);
            left -= Math.max(read, 0);
            return read;
        }

        @Override
        public void close() throws IOException {
            if (left > 0) {
                content.abort();
            } else {
                content.close();
            }
        }
    }
}
