package io.menuboard.pricing.packs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * Signs packs: JSON Web Signatures with Ed25519 (RFC 8037), detached (RFC 7515, appendix F) from a payload that is not encoded
 * (RFC 7797). Thread-safe.
 */
final class PackSigner {
    private static final String ALGORITHM = "Ed25519";
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final EdECPrivateKey key;
    private final String publicKey;
    private final String keyId;
    private final String header;

    /** @param pkcs8 private key in Base64 */
    PackSigner(String pkcs8) {
        try {
            key = privateKey(pkcs8);
            var pair = publicKey(key);
            publicKey = BASE64.encodeToString(raw(pair));
            requirePair(pair);
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            // Without the value, and without a cause that may have it.
            throw new IllegalArgumentException(
                    "menuboard.pricing.packs.signing-key must be a private key of Ed25519, PKCS#8 in Base64");
        }
        keyId = thumbprint(publicKey);
        header = BASE64.encodeToString("{\"alg\":\"EdDSA\",\"kid\":\"%s\",\"b64\":false,\"crit\":[\"b64\"]}"
                .formatted(keyId)
                .getBytes(US_ASCII));
    }

    private static EdECPrivateKey privateKey(String pkcs8) throws GeneralSecurityException {
        var bytes = Base64.getDecoder().decode(pkcs8.strip());
        return (EdECPrivateKey) KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    /** Java makes no public key of a private one, but a pair of the random bytes that a private key is (RFC 8032, section 5.1.5). */
    private static EdECPublicKey publicKey(EdECPrivateKey key) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(
                NamedParameterSpec.ED25519,
                new GivenBytes(key.getBytes().orElseThrow(() -> new IllegalArgumentException("no bytes"))));
        return (EdECPublicKey) generator.generateKeyPair().getPublic();
    }

    private static final class GivenBytes extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] given;

        GivenBytes(byte[] given) {
            this.given = given;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(given, 0, bytes, 0, bytes.length);
        }
    }

    /** The last 32 bytes of what a certificate has of it (RFC 8410, section 4). */
    private static byte[] raw(PublicKey key) {
        var encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    }

    private void requirePair(PublicKey pair) throws GeneralSecurityException {
        var message = "a pair".getBytes(US_ASCII);
        var signature = Signature.getInstance(ALGORITHM);
        signature.initVerify(pair);
        signature.update(message);
        if (!signature.verify(sign(message))) {
            throw new IllegalStateException("this Java platform makes another public key of a private one");
        }
    }

    /** RFC 7638: the members that are required, by name. */
    private static String thumbprint(String publicKey) {
        var members = "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"%s\"}".formatted(publicKey);
        try {
            return BASE64.encodeToString(MessageDigest.getInstance("SHA-256").digest(members.getBytes(US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Thumbprint of the public key. */
    String keyId() {
        return keyId;
    }

    /** {@code {header}..{signature}}. */
    String detached(byte[] content) {
        try {
            return header + ".." + BASE64.encodeToString(sign((header + ".").getBytes(US_ASCII), content));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that signed before does not any more", e);
        }
    }

    private byte[] sign(byte[]... parts) throws GeneralSecurityException {
        var signature = Signature.getInstance(ALGORITHM);
        signature.initSign(key);
        for (var part : parts) {
            signature.update(part);
        }
        return signature.sign();
    }

    /** JSON Web Key (RFC 7517, RFC 8037) of the public key. */
    String jwk() {
        return "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"use\":\"sig\",\"alg\":\"EdDSA\",\"kid\":\"%s\",\"x\":\"%s\"}"
                .formatted(keyId, publicKey);
    }
}
