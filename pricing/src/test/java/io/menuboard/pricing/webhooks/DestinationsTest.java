package io.menuboard.pricing.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.StoreSelection;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationsTest {
    private static final InetAddress PUBLIC = InetAddress.ofLiteral("93.184.216.34");
    private static final InetAddress PRIVATE = InetAddress.ofLiteral("10.0.0.7");
    private static final Destinations STRICT = new Destinations(InetAddress::getAllByName, false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.1.2.3",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:a9fe:a9fe",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b::8.8.8.8",
                "64:ff9b:1::1",
                "100::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a9fe:a9fe::1",
                "3fff::1",
                "4000::1"
            })
    void anAddressThatIsNotPublicIsNone(String address) {
        assertThat(PublicAddresses.has(InetAddress.ofLiteral(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "93.184.216.34",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "192.0.1.1",
                "192.169.0.1",
                "198.17.0.1",
                "198.20.0.1",
                "223.255.255.255",
                "::ffff:8.8.8.8",
                "2606:4700:4700::1111",
                "2a00:1450:4001::1",
                "2001:4860:4860::8888",
                "2003::1"
            })
    void anAddressOfThePublicInternetIsOne(String address) {
        assertThat(PublicAddresses.has(InetAddress.ofLiteral(address))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/",
                "https://10.0.0.1/x",
                "https://169.254.169.254/latest/meta-data",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://0x7f.1/",
                "https://017700000001/",
                "https://127.1/",
                "https://0/",
                "https://127.0.0.1./",
                "https://[::1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[::ffff:7f00:1]/",
                "https://[64:ff9b::7f00:1]/",
                "https://[fe80::1]/",
                "https://[fe80::1%25lo]/",
                "https://[fd00::1]/",
                "https://localhost/",
                "https://LOCALHOST/",
                "https://a.localhost/",
                "https://①②⑦.0.0.1/",
                "https://127。0。0。1/"
            })
    void noSpellingOfAPrivateAddressCanBeRegistered(String url) {
        assertThatThrownBy(() -> STRICT.check(settings(url)))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_URL"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "127.1", "127.0.0.1", "::1"})
    void noSpellingLeadsToAPrivateAddress(String host) throws Exception {
        InetAddress[] addresses;
        try {
            addresses = InetAddress.getAllByName(host);
        } catch (UnknownHostException _) {
            // Leads nowhere at all.
            return;
        }
        var resolved = addresses[0];
        if (resolved.isLoopbackAddress()) {
            var destinations = new Destinations(_ -> addresses, false);
            assertThatThrownBy(() -> destinations.addresses(settings("https://hooks.example/")))
                    .isInstanceOf(Destinations.Refused.class);
        } else {
            // An octal number that is read as a decimal one is an address like others: it is connected to as it was
            // read.
            assertThat(resolved).isEqualTo(InetAddress.ofLiteral("177.0.0.1"));
        }
    }

    @Test
    void aNameIsRefusedIfOneOfItsAddressesIsPrivate() throws Exception {
        var both = new Destinations(_ -> new InetAddress[] {PUBLIC, PRIVATE}, false);
        var one = new Destinations(_ -> new InetAddress[] {PUBLIC}, false);

        assertThatThrownBy(() -> both.addresses(settings("https://hooks.example/")))
                .isInstanceOf(Destinations.Refused.class)
                .hasMessageNotContaining("10.0.0.7");
        assertThat(one.addresses(settings("https://hooks.example/"))).containsExactly(PUBLIC);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://partner.example/",
                "partner.example/x",
                "https:///x",
                "https://user@partner.example/",
                "https://user:pw@partner.example/",
                "https://partner.example/#x",
                "https://partner.example:80/",
                "https://partner.example:22/",
                "https://partner.example:0/",
                "https://partner.example:65536/",
                "https://part ner.example/",
                "https://partner_.example:x/",
                "javascript:alert(1)",
                ""
            })
    void whatIsNoUrlToPostToIsRefused(String url) {
        assertThatThrownBy(() -> settings(url))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("INVALID_URL"));
    }

    @Test
    void takesHttpsAtPort443AndFrom1024On() {
        for (var url : new String[] {
            "https://partner.example", "https://partner.example:443/a?b=c", "https://partner.example:1024/",
            "https://partner.example:8443/", "https://8.8.8.8/", "https://[2606:4700:4700::1111]/"
        }) {
            assertThatCode(() -> STRICT.check(settings(url))).as(url).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> settings("https://partner.example/" + "x".repeat(1_000)))
                .isInstanceOf(InvalidInput.class);
    }

    @Test
    void withoutTlsOnlyToThisMachineAndOnlyIfThatIsAllowed() throws Exception {
        var lax = new Destinations(InetAddress::getAllByName, true);

        assertThatThrownBy(() -> STRICT.check(settings("http://partner.example:8080/")))
                .isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> STRICT.addresses(settings("http://8.8.8.8:8080/")))
                .isInstanceOf(Destinations.Refused.class);
        assertThatThrownBy(() -> lax.check(settings("http://10.0.0.1:8080/"))).isInstanceOf(InvalidInput.class);
        assertThat(lax.addresses(settings("http://127.0.0.1:8080/")))
                .containsExactly(InetAddress.ofLiteral("127.0.0.1"));
        assertThat(lax.addresses(settings("https://10.0.0.1/"))).containsExactly(InetAddress.ofLiteral("10.0.0.1"));
    }

    static WebhookSettings settings(String url) {
        return new WebhookSettings(
                "Partner", WebhookSettings.url(url), new StoreSelection.All(), Set.of(WebhookEvent.PRICE_UPDATED));
    }
}
