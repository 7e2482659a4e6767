package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.local.LocalMenuboard.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.Connection;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is served before there is a sample, and what is kept of it. */
@TestInstance(Lifecycle.PER_CLASS)
class LocalPagesTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Path data;
    private LocalMenuboard local;

    LocalPagesTest(@TempDir Path data) {
        this.data = data;
        local = start();
    }

    private LocalMenuboard start() {
        return LocalMenuboard.start(new Settings(0, data, 1, 1), new PrintStream(printed, true, UTF_8));
    }

    @AfterAll
    void stop() {
        local.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/graphql", "/graphiql"})
    void graphiQlIsServedWithAllThatItLoads(String path) throws IOException {
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

    @Test
    void queriesAreAnsweredAllTheSame() throws IOException {
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

    @Test
    void loadsNoSampleBesideWhatItHasKept() throws IOException, InterruptedException {
        var added = Jsoup.connect(local.address() + "/graphql")
                .header("Authorization", "Bearer " + local.token())
                .header("Content-Type", "application/json")
                .requestBody("""
                        {"query": "mutation { addStore(input: {key: \\"KEPT\\", name: \\"Kept\\", currency: \\"EUR\\", timeZone: \\"Europe/Berlin\\"}) { errors { code } } }"}
                        """)
                .ignoreContentType(true)
                .method(Connection.Method.POST)
                .execute();
        assertThat(added.body()).contains("\"errors\":[]");
        local.close();
        printed.reset();

        local = start();
        local.loadSample();

        assertThat(printed.toString(UTF_8))
                .contains("The table has stores already")
                .doesNotContain("Sample loaded")
                .containsPattern("DynamoDB  http://127\\.0\\.0\\.1:\\d+ \\(table menuboard, kept in "
                        + Pattern.quote(data.toString()));
        assertThat(Jsoup.connect(local.address() + "/stores")
                        .header("Authorization", "Bearer " + local.token())
                        .get()
                        .select("main tbody tr"))
                .singleElement()
                .satisfies(row -> assertThat(row.text()).contains("Kept"));
    }

    @Test
    void whoIsPrintedCanSignIn() throws IOException {
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
