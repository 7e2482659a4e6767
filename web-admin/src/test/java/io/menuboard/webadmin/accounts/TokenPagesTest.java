package io.menuboard.webadmin.accounts;

import static io.menuboard.webadmin.pages.AccountsSample.STAFF;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Token;
import io.menuboard.accounts.Tokens;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.MovingClock;
import io.menuboard.webadmin.pages.AccountsSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends about tokens, and what it does with them. What holds for every page is in {@code PagesTest}. */
class TokenPagesTest {
    private static final String NO_TOKEN = "/tokens/01JD8X0000000000007Q3FK2ZB/revoke";
    private static final PagesServer server = AccountsSample.emptyServer("token-pages");

    @AfterAll
    static void stop() {
        server.stop();
    }

    @Test
    void listsTokensTheLatestFirst() {
        var sample = AccountsSample.shared().server();

        ListPages.assertAddressFollows(sample, "/tokens?first=16");
        ListPages.assertPagesBothWays(sample, "/tokens?first=1");
        var rows = sample.get("/tokens").html().select("tbody tr").eachText();
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst()).contains("Viewer", "by grace, in the back office", "Never", "Revoked");
        assertThat(rows.getLast()).contains("Till 7, Zürich", "Worker", "In the hour from", "Active", "Revoke");
        assertThat(sample.get("/tokens.csv").body().lines())
                .hasSize(3)
                .anyMatch(line ->
                        line.contains("\"Till 7, Zürich\",WORKER ALL,grace,back office,") && line.endsWith(",,Active"));
    }

    @Test
    void aFormMakesOneTokenHoweverOftenItIsSent() {
        var key =
                server.get("/tokens/new").html().expectFirst("input[name=key]").attr("value");
        var form = Map.of("key", key, "name", "Twice", "role-WORKER", "yes", "days", "7");

        var made = server.post("/tokens", form);
        var again = server.post("/tokens", form);
        var other =
                server.post("/tokens", Map.of("key", key, "name", "Twice, changed", "role-WORKER", "yes", "days", "7"));

        assertThat(made.html().select("#token")).hasSize(1);
        assertThat(again.status()).isEqualTo(303);
        var list = server.get(again.header("Location")).html();
        assertThat(list.text()).contains("cannot be shown again");
        assertThat(list.select("tbody tr").eachText())
                .filteredOn(row -> row.contains("Twice"))
                .hasSize(1);
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.html().text()).contains("Send it again to make this one too");
        assertThat(other.html().expectFirst("input[name=key]").attr("value")).isNotEqualTo(key);
    }

    @Test
    void aFormThatIsSentAgainAfterMidnightMakesNoSecondToken() {
        var midnight = PagesServer.start("token-midnight", PagesServer.MOVING_CLOCK);
        var clock = (MovingClock) midnight.bean(Clock.class);
        clock.setTime("23:59:00");
        var shown = midnight.get("/tokens/new").html();
        var form = Map.of(
                "key", shown.expectFirst("input[name=key]").val(),
                "shown", shown.expectFirst("input[name=shown]").val(),
                "name", "Late",
                "role-WORKER", "yes",
                "days", "7");

        var made = midnight.post("/tokens", form);
        clock.advance(Duration.ofMinutes(2));
        var again = midnight.post("/tokens", form);
        clock.advance(Duration.ofDays(1));
        var late = midnight.post("/tokens", form);

        assertThat(made.html().select("#token")).hasSize(1);
        assertThat(again.header("Location")).isEqualTo("/tokens?did=again");
        assertThat(late.status()).isEqualTo(400);
        assertThat(late.html().expectFirst("#days-error").text()).contains("shown on another day");
        assertThat(late.html().expectFirst("input[name=shown]").val())
                .isEqualTo(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toString());
        assertThat(midnight.get("/tokens").html().select("tbody tr")).hasSize(1);
        midnight.stop();
    }

    @Test
    void takesAFormThatAnotherInstanceHasShownWhereTheNextDayHasBegun() {
        var tomorrow = LocalDate.ofInstant(server.now(), ZoneOffset.UTC).plusDays(1);

        var made = server.post(
                "/tokens", Map.of("name", "Early", "role-WORKER", "yes", "days", "7", "shown", tomorrow.toString()));

        assertThat(made.html().select("#token")).hasSize(1);
    }

    @Test
    void showsATokenOnceWhichThenWorks() {
        var answer = server.post("/tokens", Map.of("name", "Till 7", "role-WORKER", "yes", "days", "7"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        var text = answer.html().expectFirst("#token").text();
        assertThat(answer.html().select("pre").eachText())
                .anyMatch(pre -> pre.equals("Authorization: Bearer " + text))
                .anyMatch(pre -> pre.startsWith("curl "));
        assertThat(answer.html().select("[href*=" + text + "], [src*=" + text + "], [action*=" + text + "]"))
                .isEmpty();
        var principal = server.bean(Tokens.class).principal(text).orElseThrow();
        assertThat(principal.name()).isEqualTo("Till 7");
        assertThat(principal.grants()).isEqualTo(Set.of(Grant.of(Role.WORKER)));
        var token = find("Till 7");
        assertThat(token.createdBy().name()).isEqualTo("back-office");
        assertThat(token.expiresAt()).isEqualTo(midnightAfter(today().plusDays(7)));
        var secret = text.substring(text.lastIndexOf('_') + 1);
        for (var page : List.of("/tokens", "/tokens.csv", "/tokens/" + token.id() + "/revoke")) {
            assertThat(server.get(page).body()).contains("Till 7").doesNotContain(secret);
        }
    }

    @Test
    void letsATokenExpireAtTheEndOfADay() {
        var last = today().plusDays(100);

        server.post("/tokens", Map.of("name", "Dated", "role-VIEWER", "yes", "days", "7", "until", last.toString()));

        assertThat(find("Dated").expiresAt()).isEqualTo(midnightAfter(last));
    }

    @Test
    void saysBesideTheRolesThatThereAreTooMany() {
        var agencies = IntStream.range(0, 200).mapToObj(i -> "agency-" + i).collect(joining("\r\n"));

        var answer = server.post(
                "/tokens", Map.of("name", "Many", "role-PARTNER", "yes", "only-PARTNER", agencies, "days", "7"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().expectFirst("#roles-error").text()).isNotBlank();
        assertThat(answer.html().select("#until-error").text()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a#b    | role-VIEWER | 7  |            | name
                    Wrong  | other       | 7  |            | roles
                    Wrong  | role-ROOT   | 7  |            | roles
                    Wrong  | role-VIEWER | 8  |            | days
                    Wrong  | role-VIEWER | 7  | tomorrow   | until
                    Wrong  | role-VIEWER | 7  | 2020-01-01 | until
                    """)
    void saysBesideTheFieldWhatIsWrongAndMakesNothing(
            String name, String role, String days, String until, String field) {
        var before = all().size();

        var answer = server.post(
                "/tokens", Map.of("name", name, role, "yes", "days", days, "until", until == null ? "" : until));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().expectFirst("#" + field + "-error").text()).isNotBlank();
        assertThat(answer.html().expectFirst("#name").val()).isEqualTo(name);
        assertThat(answer.body()).doesNotContain("mb_");
        assertThat(all()).hasSize(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>"})
    void showsMarkupInNamesAsText(String name) {
        var refused = server.post("/tokens", Map.of("name", name, "days", "7"));
        var made = server.post("/tokens", Map.of("name", name, "role-VIEWER", "yes", "days", "7"));

        for (var body : List.of(
                refused.body(),
                made.body(),
                server.get("/tokens").body(),
                server.get("/tokens/" + find(name).id() + "/revoke").body())) {
            assertThat(body).contains("alert(1)").doesNotContain("<script>alert", "<img src=x");
        }
    }

    @Test
    void asksBeforeItRevokes() {
        var created = server.bean(Tokens.class)
                .create(
                        STAFF,
                        "Lost",
                        Set.of(Grant.of(Role.VIEWER)),
                        server.now().plus(Duration.ofDays(1)));
        var revoke = "/tokens/" + created.token().id() + "/revoke";

        var question = server.get(revoke).html();
        assertThat(question.select("h1").text()).isEqualTo("Revoke the token Lost?");
        assertThat(server.bean(Tokens.class).principal(created.text())).isPresent();

        var done = server.post(revoke, Map.of());
        assertThat(done.status()).isEqualTo(303);
        assertThat(server.get(done.header("Location"))
                        .html()
                        .select(".alert-success")
                        .text())
                .isEqualTo("The token is revoked.");
        assertThat(server.bean(Tokens.class).principal(created.text())).isEmpty();
        assertThat(find("Lost").revokedAt()).isNotNull();

        var again = server.post(revoke, Map.of());
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html().select(".alert-error").text()).contains("revoked already");
    }

    @Test
    void saysWhereThereIsNoSuchToken() {
        assertThat(server.get(NO_TOKEN).status()).isEqualTo(404);
        assertThat(server.post(NO_TOKEN, Map.of()).status()).isEqualTo(404);
        assertThat(server.get(NO_TOKEN).html().text()).contains("All tokens");
        assertThat(server.get("/tokens/x/revoke").status()).isEqualTo(400);
    }

    private static LocalDate today() {
        return LocalDate.ofInstant(server.now(), ZoneOffset.UTC);
    }

    private static Instant midnightAfter(LocalDate day) {
        return day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static Token find(String name) {
        return all().stream()
                .filter(token -> token.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Token> all() {
        return server.bean(Tokens.class)
                .list(STAFF, PageRequest.forward(100, null))
                .nodes();
    }
}
