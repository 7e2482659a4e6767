package io.menuboard.pricing.webhooks;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts secrets of webhooks for the table, with AES-GCM and the webhook's id as what is authenticated too. Thread-safe. */
final class SecretCipher {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;

    /** NIST SP 800-38D, section 8.2.2: random, for far less than 2^32 secrets under one key. */
    private static final int IV_BYTES = 12;

    private static final int TAG_BITS = 128;

    private static final String HMAC = "HmacSHA256";
    private static final int FINGERPRINT_BYTES = 8;

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    /** @param key 32 bytes in Base64 */
    SecretCipher(String key) {
        this.key = new SecretKeySpec(bytes(key), "AES");
    }

    private static byte[] bytes(String key) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(key.strip());
        } catch (IllegalArgumentException _) {
            bytes = new byte[0];
        }
        if (bytes.length != KEY_BYTES) {
            // Without the value, and without a cause that has it.
            throw new IllegalArgumentException("menuboard.webhooks.key must be " + KEY_BYTES + " bytes in Base64");
        }
        return bytes;
    }

    /** It was encrypted with another key, or for another webhook. */
    static final class WrongKey extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** As {@link #decrypt} takes it. */
    String encrypt(WebhookId webhook, WebhookSecret secret) {
        var iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        try {
            var text = cipher(Cipher.ENCRYPT_MODE, webhook, iv)
                    .doFinal(secret.text().getBytes(StandardCharsets.US_ASCII));
            var both = ByteBuffer.allocate(iv.length + text.length).put(iv).put(text);
            return Base64.getEncoder().encodeToString(both.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    WebhookSecret decrypt(WebhookId webhook, String text) throws WrongKey {
        var encrypted = Base64.getDecoder().decode(text);
        var iv = new byte[IV_BYTES];
        ByteBuffer.wrap(encrypted).get(iv);
        try {
            var secret =
                    cipher(Cipher.DECRYPT_MODE, webhook, iv).doFinal(encrypted, IV_BYTES, encrypted.length - IV_BYTES);
            return WebhookSecret.of(new String(secret, StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException _) {
            throw new WrongKey();
        }
    }

    /** The same for the same key, and nothing that helps to find it: the first bytes of an HMAC under it, in hexadecimal. */
    String fingerprint() {
        try {
            var mac = Mac.getInstance(HMAC);
            mac.init(key);
            var hash = mac.doFinal("fingerprint".getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash, 0, FINGERPRINT_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    private Cipher cipher(int mode, WebhookId webhook, byte[] iv) throws GeneralSecurityException {
        var cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
        cipher.updateAAD(webhook.value().getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }
}
