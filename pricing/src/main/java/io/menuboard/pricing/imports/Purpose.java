package io.menuboard.pricing.imports;

import java.nio.charset.StandardCharsets;
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
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var part : parts) {
                digest.update((part + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
