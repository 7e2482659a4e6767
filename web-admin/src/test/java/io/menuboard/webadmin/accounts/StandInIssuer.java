package io.menuboard.webadmin.accounts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * An issuer of identities with one client, which lets whoever comes sign in at once, as the person it is told. It gives a token for a
 * code once, to the client alone, and to whoever knows the verifier of its challenge.
 */
final class StandInIssuer implements AutoCloseable {
    static final String CLIENT = "menuboard";
    static final String SECRET = "a secret, with: signs & all";

    /** Made once: each takes seconds of CPU. */
    private static final List<RSAKey> KEYS = List.of(newKey(), newKey());

    private static final RSAKey SOMEBODY_ELSES = newKey();

    final AtomicInteger keysAsked = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, byte[]> broken = new ConcurrentHashMap<>();
    private volatile RSAKey key = KEYS.getFirst();
    private volatile Map<String, Object> person = Map.of();
    private volatile UnaryOperator<JWTClaimsSet> claims = UnaryOperator.identity();
    private volatile Signing signing = Signing.SIGNED;
    private volatile String error = "";

    /** How the next tokens are signed. */
    enum Signing {
        SIGNED,
        BY_SOMEBODY_ELSE,
        WITH_THE_SECRET,
        NOT
    }

    private StandInIssuer(HttpServer server) {
        this.server = server;
    }

    static StandInIssuer start() {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            var issuer = new StandInIssuer(server);
            server.createContext("/", issuer::answer);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return issuer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** From now on that person signs in, with all else as it should be. */
    void letIn(String subject, String name, String username, String... roles) {
        person = Map.of(
                "sub", subject,
                "name", name,
                "preferred_username", username,
                "realm_access", Map.of("roles", List.of(roles)));
        claims = UnaryOperator.identity();
        signing = Signing.SIGNED;
        error = "";
        broken.clear();
    }

    /** Changes the claims of tokens. */
    void claiming(UnaryOperator<JWTClaimsSet> change) {
        claims = change;
    }

    void signing(Signing how) {
        signing = how;
    }

    /** Sends browsers back with that error. */
    void refusing(String code) {
        error = code;
    }

    /** Answers requests for that path with that; with nothing, ever, for an empty text. */
    void breaking(String path, String answer) {
        broken.put(path, answer.getBytes(UTF_8));
    }

    void changeKey() {
        key = KEYS.getFirst().equals(key) ? KEYS.getLast() : KEYS.getFirst();
    }

    private static RSAKey newKey() {
        try {
            return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().getPath();
        asked.incrementAndGet();
        var instead = broken.get(path);
        if (instead != null && instead.length == 0) {
            hang();
        } else if (instead != null) {
            send(exchange, 200, new String(instead, UTF_8));
        } else {
            switch (path) {
                case "/.well-known/openid-configuration" -> send(exchange, 200, metadata());
                case "/authorize" -> authorize(exchange);
                case "/token" -> token(exchange);
                case "/keys" -> {
                    keysAsked.incrementAndGet();
                    send(exchange, 200, new JWKSet(key.toPublicJWK()).toString());
                }
                default -> send(exchange, 404, "{}");
            }
        }
        exchange.close();
    }

    private void hang() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String metadata() {
        return """
                {"issuer": "ISSUER", "authorization_endpoint": "ISSUER/authorize", "token_endpoint": "ISSUER/token",
                 "jwks_uri": "ISSUER/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
                 "id_token_signing_alg_values_supported": ["RS256"]}
                """.replace("ISSUER", address());
    }

    private void authorize(HttpExchange exchange) throws IOException {
        var asked = new HashMap<>(parameters(exchange.getRequestURI().getRawQuery()));
        if (!CLIENT.equals(asked.get("client_id"))
                || !"code".equals(asked.get("response_type"))
                || !"S256".equals(asked.get("code_challenge_method"))
                || !asked.getOrDefault("scope", "").startsWith("openid ")) {
            send(exchange, 400, "{}");
            return;
        }
        var code = UUID.randomUUID().toString();
        codes.put(code, asked);
        var answer = error.isEmpty() ? "code=" + code : "error=" + error;
        exchange.getResponseHeaders()
                .add("Location", asked.get("redirect_uri") + "?" + answer + "&state=" + asked.get("state"));
        exchange.sendResponseHeaders(302, -1);
    }

    private void token(HttpExchange exchange) throws IOException {
        var form = parameters(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        var basic = exchange.getRequestHeaders().getFirst("Authorization").replace("Basic ", "");
        var credentials = new String(Base64.getDecoder().decode(basic), UTF_8).split(":", 2);
        if (!URLDecoder.decode(credentials[0], UTF_8).equals(CLIENT)
                || !URLDecoder.decode(credentials[1], UTF_8).equals(SECRET)) {
            send(exchange, 401, "{\"error\": \"invalid_client\"}");
            return;
        }
        var asked = codes.remove(form.get("code"));
        if (asked == null
                || !Objects.equals(asked.get("redirect_uri"), form.get("redirect_uri"))
                || !challenge(form.getOrDefault("code_verifier", "")).equals(asked.get("code_challenge"))) {
            send(exchange, 400, "{\"error\": \"invalid_grant\"}");
            return;
        }
        send(exchange, 200, """
                {"access_token": "X", "token_type": "Bearer", "id_token": "%s"}
                """.formatted(idToken(asked.getOrDefault("nonce", ""))));
    }

    private static String challenge(String verifier) {
        try {
            var sha = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(sha);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private String idToken(String nonce) {
        var now = Instant.now();
        var set = new JWTClaimsSet.Builder()
                .issuer(address())
                .audience(CLIENT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(60)))
                .claim("nonce", nonce);
        person.forEach(set::claim);
        return signed(claims.apply(set.build()));
    }

    private String signed(JWTClaimsSet set) {
        try {
            var algorithm = signing == Signing.WITH_THE_SECRET ? JWSAlgorithm.HS256 : JWSAlgorithm.RS256;
            var token = new SignedJWT(
                    new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), set);
            switch (signing) {
                case SIGNED -> token.sign(new RSASSASigner(key));
                case BY_SOMEBODY_ELSE -> token.sign(new RSASSASigner(SOMEBODY_ELSES));
                case WITH_THE_SECRET -> token.sign(new MACSigner(Arrays.copyOf(SECRET.getBytes(UTF_8), 32)));
                case NOT -> {
                    return new PlainJWT(set).serialize();
                }
            }
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> parameters(String query) {
        return Arrays.stream(query.split("&", -1))
                .map(parameter -> parameter.split("=", 2))
                .collect(toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8)));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Where the issuer sends a browser that comes with that address. */
    URI follow(PagesBrowser browser, String address) {
        return URI.create(browser.elsewhere(address).header("Location"));
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
