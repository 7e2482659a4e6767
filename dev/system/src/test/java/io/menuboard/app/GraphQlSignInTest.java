package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class GraphQlSignInTest {
    private static final Access ADMINISTRATOR = Access.ofCommandLine("test");
    private static final GraphQlServer server = ApplicationServer.start(Map.of("menuboard.sign-in", true));

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void refusesNobodyInTheFormOfGraphQlBeforeItReadsTheDocument() {
        for (var authorization : new String[] {null, "Bearer mb_x", "Bearer " + "a".repeat(7000), "Basic YTpi", ""}) {
            var answer = ask(authorization, "{ stores(first: 1) {");

            assertThat(answer.status()).as(authorization).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
            assertThat(answer.body().at("/errors/0/extensions/code").asText()).isEqualTo("UNAUTHENTICATED");
        }
    }

    @Test
    void letsTokensDoWhatTheirRolesMay() {
        var viewer = token(Role.VIEWER, Instant.now().plus(1, ChronoUnit.HOURS));

        assertThat(ask(viewer, "{ stores(first: 1) { nodes { key } } }").body().has("errors"))
                .isFalse();
        var denied = ask(viewer, "mutation { runBilling(input: {}) { errors { code } } }");
        assertThat(denied.body().at("/errors/0/extensions/code").asText()).isEqualTo("PERMISSION_DENIED");
    }

    private static String token(Role role, Instant until) {
        return "Bearer "
                + server.bean(Tokens.class)
                        .create(ADMINISTRATOR, "till", Set.of(Grant.of(role)), until)
                        .text();
    }

    private static Answer ask(@Nullable String authorization, String query) {
        var request = HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"query\": \"" + query + "\"}"));
        return server.send(authorization == null ? request : request.header("Authorization", authorization));
    }
}
