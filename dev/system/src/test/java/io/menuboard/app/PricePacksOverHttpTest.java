package io.menuboard.app;

import static io.menuboard.pricing.imports.PriceSample.SLASHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.accounts.Tokens;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.pricing.imports.PriceSample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A till that fetches its pack with a token. */
@Timeout(120)
final class PricePacksOverHttpTest {
    private static final String SETTING = "menuboard.pricing.packs.signing-key";
    private static final String KEY = Base64.getEncoder()
            .encodeToString(
                    HexFormat.of()
                            .parseHex(
                                    "302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient http = HttpClient.newHttpClient();

    private static final GraphQlServer server =
            ApplicationServer.start(Map.of("menuboard.sign-in", true, SETTING, KEY));

    private static String everywhere = "";
    private static String ofBerlin = "";

    @BeforeAll
    static void save() {
        PriceSample.save(server::bean);
        everywhere = token(Grant.of(Role.VIEWER));
        ofBerlin = token(new Grant(
                Role.VIEWER, new Scope.Stores(Set.of(PriceSample.BERLIN.id().value()))));
    }

    /** An address of a pack ends with the hour. */
    @BeforeEach
    void awaitAnHourThatDoesNotEndMeanwhile() {
        await().atMost(Duration.ofSeconds(90))
                .until(() -> LocalTime.now(ZoneOffset.UTC).getMinute() < 59);
    }

    @AfterAll
    static void stop() {
        http.close();
        server.close();
    }

    private static String token(Grant grant) {
        return server.bean(Tokens.class)
                .create(
                        Access.ofCommandLine("test"),
                        "till",
                        Set.of(grant),
                        Instant.now().plus(Duration.ofHours(1)))
                .text();
    }

    private static HttpResponse<byte[]> get(String path, String token, String... headers) {
        var request = HttpRequest.newBuilder(server.graphQl().resolve(path)).header("Authorization", "Bearer " + token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.sendAsync(request.build(), BodyHandlers.ofByteArray()).join();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    /** Follows the way of a till. */
    private static HttpResponse<byte[]> pack(String path, String token, String... headers) {
        var led = get(path, token, headers);
        assertThat(led.statusCode()).as(text(led)).isEqualTo(303);
        return get(header(led, "Location"), token, headers);
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /price-packs/DE-0001/APP      | */*                                  | json
            /price-packs/DE-0001/APP      | text/csv                             | csv
            /price-packs/DE-0001/APP      | application/json, text/csv;q=0.5     | json
            /price-packs/DE-0001/APP      | text/csv, application/json;q=0.5     | csv
            /price-packs/DE-0001/APP.json | text/csv                             | json
            /price-packs/DE-0001/APP.csv  | application/json                     | csv
            """)
    void leadsToAnAddressThatNeverHasOtherBytes(String path, String accepted, String format)
            throws GeneralSecurityException {
        var led = get(path, ofBerlin, "Accept", accepted);
        var pack = pack(path, ofBerlin, "Accept", accepted);

        assertThat(header(led, "Cache-Control")).matches("private, max-age=([0-9]|[1-5][0-9]|60)");
        assertThat(header(led, "Vary")).contains("Accept").contains("Authorization");
        assertThat(header(led, "ETag")).matches("\"[0-9a-f]{16}\"");
        assertThat(pack.statusCode()).isEqualTo(200);
        assertThat(header(pack, "Content-Type"))
                .startsWith(format.equals("json") ? "application/json" : "text/csv;charset=utf-8");
        assertThat(header(pack, "Cache-Control")).isEqualTo("private, max-age=31536000, immutable");
        assertThat(header(pack, "Content-Disposition"))
                .as("which would be recorded as what a person saves")
                .isEmpty();
        var hash = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(pack.body()))
                .substring(0, 16);
        assertThat(pack.uri().getPath()).endsWith("/price-packs/DE-0001/APP/DE-0001-APP-" + hash + "." + format);
        assertThat(header(pack, "ETag")).isEqualTo("W/\"" + hash + '"');
    }

    @Test
    void isSignedWithTheKeyThatIsPublished() throws GeneralSecurityException, IOException {
        var pack = pack("/price-packs/DE-0001/APP.json", ofBerlin);
        var keys = http.sendAsync(
                        HttpRequest.newBuilder(server.graphQl().resolve("/price-packs/keys.json"))
                                .build(),
                        BodyHandlers.ofString())
                .join();

        assertThat(keys.statusCode()).as("for everybody").isEqualTo(200);
        assertThat(header(keys, "Cache-Control")).startsWith("public");
        var x = JSON.readTree(keys.body()).at("/keys/0/x").asText();
        var parts = header(pack, "Price-Pack-Signature").split("[.]", -1);
        var signature = Signature.getInstance("Ed25519");
        signature.initVerify(KeyFactory.getInstance("Ed25519")
                .generatePublic(new X509EncodedKeySpec(HexFormat.of()
                        .parseHex("302a300506032b6570032100"
                                + HexFormat.of()
                                        .formatHex(Base64.getUrlDecoder().decode(x))))));
        signature.update((parts[0] + ".").getBytes(StandardCharsets.US_ASCII));
        signature.update(pack.body());
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
    }

    @Test
    void isCompressedAndNotSentToWhoHasIt() throws IOException {
        var plain = pack("/price-packs/DE-0001/ALL.json", ofBerlin);
        var path = plain.uri().getRawPath();
        var tag = header(plain, "ETag");

        var zipped = get(path, ofBerlin, "Accept-Encoding", "gzip");

        assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
        assertThat(zipped.body().length).isLessThan(plain.body().length / 4);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(zipped.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(header(zipped, "Price-Pack-Signature")).isEqualTo(header(plain, "Price-Pack-Signature"));
        assertThat(header(zipped, "ETag")).isEqualTo(tag).startsWith("W/");
        for (var sent : new String[] {tag, tag.substring(2), "\"other\", " + tag, "*"}) {
            var again = get(path, ofBerlin, "If-None-Match", sent);
            assertThat(again.statusCode()).as(sent).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(header(again, "Cache-Control")).contains("immutable");
        }
        assertThat(get(path, ofBerlin, "If-None-Match", "\"other\"").statusCode())
                .isEqualTo(200);
    }

    @Test
    void anyOtherNameIsNone() {
        for (var name : new String[] {"DE-0001-APP-0123456789abcdef.json", "keys.json", "DE-0001-APP.txt"}) {
            var answer = get("/price-packs/DE-0001/APP/" + name, ofBerlin, "If-None-Match", "*");

            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(text(answer)).contains("price pack");
            assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
        }
    }

    @Test
    void aForeignStoreIsAsOneThatThereIsNot() {
        var tokyo = pack("/price-packs/JP-0001/ALL", everywhere);
        assertThat(tokyo.statusCode()).isEqualTo(200);
        var name = tokyo.uri().getRawPath().replaceFirst(".*/", "");

        for (var path : new String[] {"/price-packs/$/ALL", "/price-packs/$/ALL.csv", "/price-packs/$/ALL/" + name}) {
            var foreign = get(path.replace("$", "JP-0001"), ofBerlin);
            var missing = get(path.replace("$", "XX-0001"), ofBerlin);

            assertThat(foreign.statusCode()).isEqualTo(404);
            assertThat(text(foreign).replace("JP-0001", "XX-0001"))
                    .isEqualTo(text(missing).replace("JP-0001", "XX-0001"));
            assertThat(missing.statusCode()).isEqualTo(404);
        }
        assertThat(get("/price-packs/DE-0001/ALL", token(Grant.of(Role.WORKER))).statusCode())
                .isEqualTo(403);
        assertThat(get("/price-packs/DE-0001/ALL", "mb_none").statusCode()).isEqualTo(401);
    }

    @Test
    void reachesStoresOfEveryId() {
        var id = URLEncoder.encode(SLASHED.id().value(), StandardCharsets.UTF_8);

        assertThat(pack("/price-packs/" + id + "/ALL", everywhere).statusCode()).isEqualTo(200);
    }

    @Test
    void withoutAKeyThereAreNone() {
        try (var off = ApplicationServer.start(Map.of())) {
            PriceSample.save(off::bean);

            var answer = off.send(HttpRequest.newBuilder(off.graphQl().resolve("/price-packs/DE-0001/ALL")));
            var keys = off.send(HttpRequest.newBuilder(off.graphQl().resolve("/price-packs/keys.json")));

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).contains(SETTING);
            assertThat(keys.text()).isEqualTo("{\"keys\":[]}");
        }
    }
}
