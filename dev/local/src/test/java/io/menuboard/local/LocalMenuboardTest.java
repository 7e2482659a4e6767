package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.local.LocalMenuboard.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalMenuboardTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, UTF_8);

    @Test
    void keepsItsDataInAFolderAndLoadsTheSampleOnce(@TempDir Path data) throws InterruptedException {
        var settings = new Settings(0, data, 2, 2);
        try (var local = LocalMenuboard.start(settings, out)) {
            local.loadSample();
        }
        assertThat(text()).contains("Sample loaded: 2 stores", "kept in " + data);
        printed.reset();

        try (var local = LocalMenuboard.start(settings, out)) {
            local.loadSample();
        }

        assertThat(text()).contains("The table has stores already").doesNotContain("Sample loaded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/graphiql"})
    void graphiQlIsServedWithAllThatItLoads(String path) throws IOException {
        try (var local = LocalMenuboard.start(new Settings(0, null, 1, 1), out)) {
            var page = Jsoup.connect(local.address() + path)
                    .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
                    .header("Authorization", "Bearer " + local.token())
                    .get();
            assertThat(page.title()).isEqualTo("GraphiQL · Menuboard");
            var loaded = Stream.concat(
                            page.select("script").stream().map(script -> script.absUrl("src")),
                            page.select("link").stream().map(link -> link.absUrl("href")))
                    .toList();

            assertThat(loaded).hasSizeGreaterThan(4).allSatisfy(file -> {
                assertThat(file).startsWith(local.address() + "/");
                assertThat(Jsoup.connect(file).ignoreContentType(true).execute().bodyAsBytes())
                        .isNotEmpty();
            });
        }
    }

    @Test
    void queriesAreAnsweredAllTheSame() throws IOException {
        try (var local = LocalMenuboard.start(new Settings(0, null, 1, 1), out)) {
            var query = local.address() + "/graphql?query=%7B__typename%7D";

            for (var accept : new String[] {"*/*", "text/html,*/*;q=0.8"}) {
                assertThat(Jsoup.connect(query)
                                .header("Accept", accept)
                                .header("Authorization", "Bearer " + local.token())
                                .ignoreContentType(true)
                                .execute()
                                .body())
                        .contains("\"__typename\":\"Query\"");
            }
        }
    }

    @Test
    void whoIsPrintedCanSignIn() throws IOException {
        try (var local = LocalMenuboard.start(new Settings(0, null, 1, 1), out)) {
            for (var username : new String[] {DemoAccounts.ADMINISTRATOR, DemoAccounts.VIEWER}) {
                var browser = Jsoup.newSession().header("Accept", "text/html,*/*;q=0.8");
                var page = browser.newRequest(local.address() + "/stores").get();
                assertThat(page.title()).startsWith("Sign in");

                var form = page.expectForm("form[action=/sign-in]");
                form.expectFirst("[name=username]").val(username);
                form.expectFirst("[name=password]").val(DemoAccounts.PASSWORD);
                var then = form.submit().post();

                assertThat(then.title()).startsWith("Stores");
            }
        }
    }

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

    private String text() {
        return printed.toString(UTF_8);
    }
}
