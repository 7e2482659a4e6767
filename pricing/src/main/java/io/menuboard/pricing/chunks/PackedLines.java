package io.menuboard.pricing.chunks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Many short lines in few bytes: DEFLATE (RFC 1951) in the zlib format (RFC 1950) of lines that end with LF. */
final class PackedLines {
    private PackedLines() {}

    /** @param lines without LF */
    static byte[] pack(List<String> lines) {
        var bytes = new ByteArrayOutputStream();
        var deflater = new Deflater(Deflater.BEST_SPEED);
        try (var out = new DeflaterOutputStream(bytes, deflater)) {
            for (var line : lines) {
                out.write(line.getBytes(UTF_8));
                out.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    static List<String> unpack(byte[] packed) {
        try (var in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("packed lines cannot be read", e);
        }
    }
}
