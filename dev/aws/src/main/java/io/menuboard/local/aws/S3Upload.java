package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.sun.net.httpserver.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.CRC32;

/** Reads the body of a PutObject, and verifies its length and its checksum. */
final class S3Upload {
    private static final String CRC32 = "x-amz-checksum-crc32";
    private static final int BUFFER = 1 << 16;

    private S3Upload() {}

    /** Content as it is, as clients other than the SDK send it, or {@linkplain #receiveChunks in chunks}. */
    static void receive(Headers headers, InputStream body, OutputStream out) throws IOException {
        if (headers.containsKey("Content-Encoding")) {
            receiveChunks(headers, body, out);
        } else if (body.transferTo(out) != contentLength(headers)) {
            throw incomplete();
        }
    }

    private static long contentLength(Headers headers) {
        var length = headers.getFirst("Content-Length");
        if (length == null) {
            throw new S3Refusal(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
        }
        return Long.parseLong(length);
    }

    /** Content in chunks with their signatures, and after them headers, as the SDK sends files: {@code aws-chunked}. */
    private static void receiveChunks(Headers headers, InputStream body, OutputStream out) throws IOException {
        if (!"aws-chunked".equals(headers.getFirst("Content-Encoding"))) {
            throw S3Refusal.notImplemented("Content has to come as aws-chunked.");
        }
        var trailer = headers.getFirst("x-amz-trailer");
        if (trailer != null && !trailer.equals(CRC32)) {
            throw S3Refusal.notImplemented("There is no trailer " + trailer + " here.");
        }
        var crc = new CRC32();
        var length = 0L;
        for (var size = chunkSize(body); size > 0; size = chunkSize(body)) {
            length += size;
            for (var left = size; left > 0; ) {
                var bytes = body.readNBytes((int) Math.min(left, BUFFER));
                if (bytes.length == 0) {
                    throw incomplete();
                }
                crc.update(bytes);
                out.write(bytes);
                left -= bytes.length;
            }
            if (!line(body).isEmpty()) {
                throw incomplete();
            }
        }
        var expected = headers.getFirst(CRC32);
        for (var line = line(body); !line.isEmpty(); line = line(body)) {
            if (line.startsWith(CRC32 + ":")) {
                expected = line.substring(CRC32.length() + 1);
            }
        }
        if (!Long.toString(length).equals(headers.getFirst("x-amz-decoded-content-length"))) {
            throw incomplete();
        }
        var actual = ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue());
        if (expected != null && !expected.equals(Base64.getEncoder().encodeToString(actual.array()))) {
            throw new S3Refusal(400, "BadDigest", "The CRC32 you specified did not match the calculated checksum.");
        }
    }

    private static long chunkSize(InputStream body) throws IOException {
        try {
            return Long.parseLong(line(body).split(";", 2)[0], 16);
        } catch (NumberFormatException _) {
            throw incomplete();
        }
    }

    private static String line(InputStream body) throws IOException {
        var line = new ByteArrayOutputStream();
        for (var next = body.read(); next != '\n'; next = body.read()) {
            if (next < 0) {
                throw incomplete();
            }
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    private static S3Refusal incomplete() {
        return new S3Refusal(400, "IncompleteBody", "The request body terminated unexpectedly");
    }
}
