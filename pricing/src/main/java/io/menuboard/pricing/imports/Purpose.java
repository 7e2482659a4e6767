package io.menuboard.pricing.imports;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Hashes of requests, which tell a repetition from another request. */
final class Purpose {
    private Purpose() {}

    /** SHA-256 of the texts of all parts, in order. */
    static String hash(@Nullable Object... parts) {
        return hash(new byte[0], parts);
    }

    /** The same, of some bytes too. */
    static String hash(byte[] content, @Nullable Object... parts) {
        var digest = sha256();
        for (var part : parts) {
            digest.update((part + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest(content));
    }

    /** SHA-256 of a file, which is read. */
    static String hash(ImportFile.Content content) throws IOException {
        var digest = sha256();
        try (var in = new DigestInputStream(content.open(), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
