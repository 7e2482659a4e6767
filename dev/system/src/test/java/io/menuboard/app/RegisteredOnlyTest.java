package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Refresh;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The application where no documents are executed but registered ones. */
final class RegisteredOnlyTest {
    private static GraphQlServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("ours.graphql"), "{ stores { nodes { key } } }");
        server = ApplicationServer.start(Map.of(
                "menuboard.graphql.documents.path",
                folder.toString(),
                "menuboard.graphql.documents.registered-only",
                true));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void refusesOtherDocuments() {
        assertThat(server.execute("{ __typename }").code()).isEqualTo("DOCUMENT_NOT_REGISTERED");
    }

    @ParameterizedTest
    @EnumSource(Refresh.Subscription.class)
    void tellsItsOwnPagesOfChanges(Refresh.Subscription subscription) {
        var page = Refresh.of(Link.to("tasks"), true, 2).onUpdatesOf(subscription, "01JDZZZZZZZZZZZZZZZZZZZZZZ");

        var told = server.send(HttpRequest.newBuilder(
                        server.graphQl().resolve(page.updates().getFirst().href()))
                .header("Accept", "text/event-stream"));

        assertThat(told.status()).isEqualTo(200);
        assertThat(told.text()).endsWith("event: complete\ndata:\n\n").doesNotContain("errors");
    }
}
