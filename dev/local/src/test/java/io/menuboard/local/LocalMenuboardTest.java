package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.local.LocalMenuboard.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalMenuboardTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);

    @Test
    void aPortThatIsTakenIsSaidInOneSentence() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = taken.getLocalPort();

            assertThatThrownBy(() -> LocalMenuboard.start(new Settings(port, null, 1, 1), out))
                    .hasMessage("Port " + port + " is taken; choose another one with -Dport=" + (port + 1) + ".");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0     | 56   | 60  | -Dport must be between 1 and 65535, not 0.
            http  | 56   | 60  | -Dport must be between 1 and 65535, not http.
            8080  | 8001 | 60  | -Dstores must be between 1 and 8000, not 8001.
            8080  | 56   | 501 | -Dproducts must be between 1 and 500, not 501.
            """)
    void aSettingThatMakesNoSenseIsSaidInOneSentence(String port, String stores, String products, String message) {
        assertThatThrownBy(() -> Settings.of(port, "", stores, products)).hasMessage(message);
    }
}
