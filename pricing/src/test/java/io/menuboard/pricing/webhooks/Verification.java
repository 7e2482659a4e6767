package io.menuboard.pricing.webhooks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies signatures as a receiver does, from the text of the specification alone. */
final class Verification {
    private Verification() {}

    /** Whether one of the signatures is of that secret. */
    static boolean isSigned(Receiver.Message message, String secret) {
        return Stream.of(message.signature().split(" ")).anyMatch(signature(message, secret)::equals);
    }

    private static String signature(Receiver.Message message, String secret) {
        try {
            var key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            var signed = message.id() + "." + message.timestamp() + "." + message.body();
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
