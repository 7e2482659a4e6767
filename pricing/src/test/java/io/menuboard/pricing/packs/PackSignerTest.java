package io.menuboard.pricing.packs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackSignerTest {
    /** The private key of RFC 8037, appendix A.1, as PKCS#8. */
    static final String KEY = Base64.getEncoder()
            .encodeToString(
                    HexFormat.of()
                            .parseHex(
                                    "302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));

    private static final byte[] PUBLIC =
            HexFormat.of().parseHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As a till does, with what the instance publishes and the standard alone. */
    static boolean verifies(String keys, String detached, byte[] content) throws IOException, GeneralSecurityException {
        var parts = detached.split("[.]", -1);
        var header = JSON.readTree(Base64.getUrlDecoder().decode(parts[0]));
        assertThat(header.path("alg").asText()).isEqualTo("EdDSA");
        assertThat(header.path("b64").asBoolean(true)).isFalse();
        assertThat(header.path("crit")).extracting(JsonNode::asText).containsExactly("b64");
        assertThat(parts[1]).isEmpty();
        for (var key : JSON.readTree(keys).path("keys")) {
            if (key.path("kid").equals(header.path("kid"))) {
                var signature = Signature.getInstance("Ed25519");
                var x509 = HexFormat.of()
                        .parseHex("302a300506032b6570032100"
                                + HexFormat.of()
                                        .formatHex(Base64.getUrlDecoder()
                                                .decode(key.path("x").asText())));
                signature.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(x509)));
                signature.update((parts[0] + ".").getBytes(UTF_8));
                signature.update(content);
                return signature.verify(Base64.getUrlDecoder().decode(parts[2]));
            }
        }
        return false;
    }

    @Test
    void publishesTheKeyOfTheStandardWithItsThumbprint() throws IOException {
        var key = JSON.readTree(new PackKeys(new PackSigner(KEY)).json()).at("/keys/0");

        assertThat(Base64.getUrlDecoder().decode(key.path("x").asText())).isEqualTo(PUBLIC);
        assertThat(key.path("kid").asText())
                .as("RFC 8037, appendix A.3")
                .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
        assertThat(key.path("kty").asText() + " " + key.path("crv").asText()).isEqualTo("OKP Ed25519");
        assertThat(key.has("d")).as("what is secret").isFalse();
        assertThat(new PackKeys(null).json()).isEqualTo("{\"keys\":[]}");
    }

    @Test
    void aByteThatIsChangedIsFound() throws IOException, GeneralSecurityException {
        var signer = new PackSigner(KEY);
        var keys = new PackKeys(signer).json();
        var content = "{\"items\":[{\"amount\":\"5.00\"}]}".getBytes(UTF_8);
        var signature = signer.detached(content);

        assertThat(verifies(keys, signature, content)).isTrue();
        assertThat(new PackSigner(KEY).detached(content))
                .as("on every instance")
                .isEqualTo(signature);
        for (var i = 0; i < content.length; i++) {
            content[i] ^= 1;
            assertThat(verifies(keys, signature, content)).as("byte %s", i).isFalse();
            content[i] ^= 1;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "bm8ga2V5", "MC4CAQAwBQYDK2VwBCIEIA=="})
    void refusesWhatIsNoKeyAndDoesNotShowIt(String text) {
        assertThatThrownBy(() -> new PacksConfig(text, 14).signer())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("menuboard.pricing.packs.signing-key")
                .hasMessageNotContaining(text)
                .hasNoCause();
    }

    @Test
    void settingsHaveBoundsAndShowNoKey() {
        assertThat(new PacksConfig(null, 1).length()).isEqualTo(Duration.ofDays(1));
        assertThat(new PacksConfig(null, 60).length()).isEqualTo(Duration.ofDays(60));
        assertThat(new PacksConfig(" ", 14).signer()).isNull();
        assertThat(new PacksConfig(KEY, 14).toString()).doesNotContain(KEY);
        for (var days : new int[] {0, -1, 61}) {
            assertThatThrownBy(() -> new PacksConfig(null, days))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("menuboard.pricing.packs.days");
        }
    }
}
