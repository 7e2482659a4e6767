package io.menuboard.access.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    @ParameterizedTest
    @CsvSource(textBlock = """
            192.0.2.7,                   192.0.2.7,                   true
            192.0.2.7,                   192.0.2.8,                   false
            2001:db8:1:2::1,             2001:db8:1:2:ffff:ffff::9,   true
            2001:db8:1:2::1,             2001:db8:1:3::1,             false
            [2001:db8:1:2::1],           2001:db8:1:2::1,             true
            ::ffff:192.0.2.7,            192.0.2.7,                   true
            nonsense,                    '1.2.3.4, 5.6.7.8',          true
            localhost,                   127.0.0.1,                   false
            """)
    void tellsClientsApart(String one, String other, boolean same) {
        assertThat(ClientAddress.of(one)
                        .network()
                        .equals(ClientAddress.of(other).network()))
                .isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            192.0.2.7,            192.0.2.7
            ::ffff:192.0.2.7,     192.0.2.7
            0:0::1,               0:0:0:0:0:0:0:1
            [2001:DB8::1],        2001:db8:0:0:0:0:0:1
            ' 2001:db8::1 ',      2001:db8:0:0:0:0:0:1
            '',                   unknown
            a#b,                  unknown
            """)
    void hasOneTextForAllWaysToWriteIt(String written, String text) {
        assertThat(ClientAddress.of(written).text()).isEqualTo(text);
    }

    @Test
    void asksNobodyForTheAddressOfAName() {
        assertThat(ClientAddress.of("example.com")).isEqualTo(ClientAddress.of((String) null));
    }
}
