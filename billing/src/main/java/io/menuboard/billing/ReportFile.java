package io.menuboard.billing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file that is being written on this machine, of which there may be thousands at once: it is open only while some
 * kilobytes are added to it. Not thread-safe.
 */
final class ReportFile {
    private static final int KEPT_IN_MEMORY = 8 * 1024;

    private final Path path;
    private final ByteArrayOutputStream unwritten = new ByteArrayOutputStream();
    private final MessageDigest sha256 = sha256();
    private long length;

    ReportFile(Path path) throws IOException {
        this.path = Files.createFile(path);
    }

    /** What is complete once {@link #finish} is called. */
    Path path() {
        return path;
    }

    long length() {
        return length;
    }

    void add(byte[] bytes) throws IOException {
        unwritten.writeBytes(bytes);
        length += bytes.length;
        if (unwritten.size() >= KEPT_IN_MEMORY) {
            write();
        }
    }

    /** Nothing is added after that. Answers the SHA-256 of the content, in hexadecimal. */
    String finish() throws IOException {
        write();
        return HexFormat.of().formatHex(sha256.digest());
    }

    private void write() throws IOException {
        var bytes = unwritten.toByteArray();
        sha256.update(bytes);
        Files.write(path, bytes, StandardOpenOption.APPEND);
        unwritten.reset();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
