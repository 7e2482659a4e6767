package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.net.URLDecoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies requests that somebody else signed: the S3 API reference, "Authenticating Requests: Using Query Parameters (AWS
 * Signature Version 4)". What is signed, such as the length of the body, must be as it was, and the time must not have passed.
 */
final class S3Presigned {
    private static final String PREFIX = "X-Amz-";
    private static final String SIGNATURE = PREFIX + "Signature";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private S3Presigned() {}

    /** Tells whether that is the query of one. */
    static boolean isQuery(String query) {
        return query.contains(SIGNATURE + "=");
    }

    /** Throws {@link S3Refusal} unless the query has the signature of the request with that secret key. */
    static void verify(HttpExchange exchange, String secretKey, Instant now) {
        var query = new TreeMap<String, String>();
        for (var parameter : exchange.getRequestURI().getRawQuery().split("&", -1)) {
            var parts = parameter.split("=", 2);
            query.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        var time = decoded(query, "Date");
        var end = TIME.parse(time, Instant::from).plusSeconds(Long.parseLong(decoded(query, "Expires")));
        if (!now.isBefore(end)) {
            throw new S3Refusal(403, "AccessDenied", "Request has expired");
        }
        var signed = decoded(query, "SignedHeaders");
        var canonical = String.join(
                "\n",
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                query.entrySet().stream()
                        .filter(parameter -> !parameter.getKey().equals(SIGNATURE))
                        .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                        .collect(Collectors.joining("&")),
                Arrays.stream(signed.split(";", -1))
                        .map(name -> name + ":" + header(exchange, name) + "\n")
                        .collect(Collectors.joining()),
                signed,
                "UNSIGNED-PAYLOAD");
        var scope = decoded(query, "Credential").split("/", 2)[1];
        var text = String.join("\n", "AWS4-HMAC-SHA256", time, scope, sha256(canonical));
        var key = ("AWS4" + secretKey).getBytes(UTF_8);
        for (var part : scope.split("/", -1)) {
            key = hmac(key, part);
        }
        var expected = HexFormat.of().formatHex(hmac(key, text));
        if (!expected.equals(query.get(SIGNATURE))) {
            throw new S3Refusal(
                    403,
                    "SignatureDoesNotMatch",
                    "The request signature we calculated does not match the signature you provided.");
        }
    }

    private static String header(HttpExchange exchange, String name) {
        var value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value.strip();
    }

    private static String decoded(Map<String, String> query, String name) {
        var value = query.get(PREFIX + name);
        if (value == null) {
            throw new S3Refusal(400, "AuthorizationQueryParametersError", "There is no " + PREFIX + name + ".");
        }
        return URLDecoder.decode(value, UTF_8);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
