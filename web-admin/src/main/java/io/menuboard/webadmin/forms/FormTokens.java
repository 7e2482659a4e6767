package io.menuboard.webadmin.forms;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.menuboard.accounts.http.BrowserSecret;
import io.micronaut.http.HttpRequest;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a form has beside its fields, so that only pages of this service can send it: a random number, and its HMAC-SHA-256 under
 * the {@link BrowserSecret}. Each page has another one, so that compressed answers tell nothing about it (BREACH); all are good
 * until the session begins or ends, on every instance, as nothing of them is kept here.
 */
final class FormTokens {
    /** Of the hidden field, and of the parameter in the address of forms with files. */
    static final String FIELD = "csrfToken";

    static final String HEADER = "X-CSRF-TOKEN";

    private static final String ALGORITHM = "HmacSHA256";
    private static final int RANDOM_BYTES = 16;
    private static final int TOKEN_BYTES = RANDOM_BYTES + 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private FormTokens() {}

    /** A new one for the browser that sent the request, in letters, digits, hyphens and underscores. */
    static String token(HttpRequest<?> request) {
        var random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signed(BrowserSecret.orNew(request), random));
    }

    /** Whether the token is one for the browser that sent the request. Takes the same time for every wrong one of a length. */
    static boolean isOf(HttpRequest<?> request, String token) {
        var secret = BrowserSecret.of(request);
        var bytes = decode(token);
        return secret.isPresent()
                && bytes.length == TOKEN_BYTES
                && MessageDigest.isEqual(bytes, signed(secret.get(), Arrays.copyOf(bytes, RANDOM_BYTES)));
    }

    private static byte[] decode(String token) {
        try {
            return Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException _) {
            return new byte[0];
        }
    }

    private static byte[] signed(String secret, byte[] random) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(US_ASCII), ALGORITHM));
            var token = Arrays.copyOf(random, TOKEN_BYTES);
            var hash = mac.doFinal(random);
            System.arraycopy(hash, 0, token, RANDOM_BYTES, hash.length);
            return token;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
