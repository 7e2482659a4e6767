package io.menuboard.billing.reports;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file that is being written on this machine, of which there may be a hundred thousand at once: it is open only while some
 * kilobytes are added to it, and what all of them hold in memory has a bound. Not thread-safe.
 */
final class ReportFile {
    private static final int KEPT_IN_MEMORY = 8 * 1024;
    private static final int BUFFER = 64 * 1024;

    /** Memory that files hold together. Once that is too much, all of them write it. Not thread-safe. */
    static final class Unwritten {
        private final long most;
        private final Set<ReportFile> files = new LinkedHashSet<>();
        private long bytes;

        /** @param most bytes */
        Unwritten(long most) {
            this.most = most;
        }

        long bytes() {
            return bytes;
        }

        private void added(ReportFile file, int length) throws IOException {
            files.add(file);
            bytes += length;
            if (bytes > most) {
                for (var each : Set.copyOf(files)) {
                    each.write();
                }
            }
        }

        private void written(ReportFile file, int length) {
            files.remove(file);
            bytes -= length;
        }
    }

    private final Path path;
    private final Unwritten all;
    private @Nullable ByteArrayOutputStream unwritten;
    private long length;

    /** @param path where nothing is */
    ReportFile(Path path, Unwritten all) {
        this.path = path;
        this.all = all;
    }

    /** The stored file, complete once {@link #finish} is called. */
    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    void add(byte[] bytes) throws IOException {
        if (unwritten == null) {
            unwritten = new ByteArrayOutputStream(bytes.length);
        }
        unwritten.writeBytes(bytes);
        length += bytes.length;
        all.added(this, bytes.length);
        if (unwritten != null && unwritten.size() >= KEPT_IN_MEMORY) {
            write();
        }
    }

    /** Nothing is added after that. Answers the SHA-256 of the content, in hexadecimal. */
    String finish() throws IOException {
        write();
        var sha256 = sha256();
        try (var written = Files.newInputStream(path)) {
            var buffer = new byte[(int) Math.min(length + 1, BUFFER)];
            for (var read = written.read(buffer); read >= 0; read = written.read(buffer)) {
                sha256.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(sha256.digest());
    }

    private void write() throws IOException {
        var bytes = unwritten == null ? new byte[0] : unwritten.toByteArray();
        Files.write(path, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        unwritten = null;
        all.written(this, bytes.length);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
