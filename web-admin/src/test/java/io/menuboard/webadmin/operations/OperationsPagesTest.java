package io.menuboard.webadmin.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.webadmin.pages.PagesServer;
import java.net.http.HttpRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where nothing has been done yet. */
class OperationsPagesTest {
    private static final PagesServer server =
            PagesServer.start("no-operations", Map.of(HeaderPrincipals.SETTING, true), PagesServer.REPORTS);

    @AfterAll
    static void stop() {
        server.stop();
    }

    @ParameterizedTest
    @CsvSource({"OPERATOR ALL, , /favorites/recounts", "OPERATOR ALL, VIEWER ALL, /imports"})
    void leadsToWhatTheReaderMayOpen(String grant, @Nullable String other, String page) {
        var request = HttpRequest.newBuilder(server.address("/operations"))
                .header("Accept", "text/html")
                .header(HeaderPrincipals.GRANT, grant);
        if (other != null) {
            request.header(HeaderPrincipals.GRANT, other);
        }

        var empty = server.send(request).html().select(".empty");

        assertThat(empty.select("a").attr("href")).isEqualTo(page);
        assertThat(server.send(page, Map.of(HeaderPrincipals.GRANT, other == null ? grant : other))
                        .status())
                .isEqualTo(200);
    }
}
