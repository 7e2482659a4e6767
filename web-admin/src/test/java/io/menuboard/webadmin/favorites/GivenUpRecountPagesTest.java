package io.menuboard.webadmin.favorites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A recount that stays undone until somebody retries its task. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GivenUpRecountPagesTest {
    private static final String OPERATOR = "OPERATOR ALL";

    private final PagesServer server = PagesServer.start(
            "given-up-recounts", Map.of(HeaderPrincipals.SETTING, true), PagesServer.FAILING_RECOUNTS);
    private final String recount = givenUp();

    @AfterAll
    void stop() {
        server.stop();
    }

    @Test
    void isNotAskedForAgain() {
        for (var page : List.of(recount, "/favorites/recounts")) {
            var html = get(page, OPERATOR).html();

            assertThat(html.select("#live").text()).as(page).contains("Task dead");
            assertThat(html.select("#live > [hidden], noscript")).as(page).isEmpty();
        }
    }

    @Test
    void isRetriedByWhoMayRetryTasks() {
        assertThat(state(get(recount, OPERATOR).html()))
                .isEqualTo("It was given up. Look at its task for the reason, and ask for another recount.");
        assertThat(state(get(recount, OPERATOR, "TASK_OPERATOR ALL").html()))
                .isEqualTo("It was given up. Look at its task for the reason, and retry it there.");
    }

    private String givenUp() {
        var asked = server.send(HttpRequest.newBuilder(server.address("/favorites/recounts"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(HeaderPrincipals.GRANT, OPERATOR)
                .POST(BodyPublishers.ofString("mode=CHECK")));
        var page = asked.header("Location").replaceFirst("[?].*", "");
        await().until(() -> state(get(page, OPERATOR).html()).startsWith("It was given up."));
        return page;
    }

    private static String state(Document html) {
        return html.expectFirst("[data-summary]").text();
    }

    private Answer get(String path, String... grants) {
        var request = HttpRequest.newBuilder(server.address(path)).header("Accept", "text/html,*/*;q=0.8");
        List.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request);
    }
}
