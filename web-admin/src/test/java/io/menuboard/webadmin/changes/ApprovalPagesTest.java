package io.menuboard.webadmin.changes;

import static io.menuboard.webadmin.pages.ChangeSample.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jsoup.Connection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Approval of change sets by a second person, on pages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApprovalPagesTest {
    private static final String EDITOR = "PRICING_EDITOR ALL";
    private static final String APPROVER = "PRICING_APPROVER ALL";
    private static final Access ADA = new Access(
            new Principal(
                    "ada",
                    Actor.Kind.USER,
                    "ada",
                    Principal.withEveryRole("ada").grants()),
            Actor.Source.PAGE);

    private final PagesServer server = PagesServer.start(
            "approvals", Map.of(HeaderPrincipals.SETTING, true, "menuboard.pricing.changes.approval-percent", 5));

    ApprovalPagesTest() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    void stop() {
        server.stop();
    }

    private ChangeSet draft(String amount) {
        return draft(amount, null);
    }

    private ChangeSet draft(String amount, @Nullable EffectiveDate date) {
        var draft = new DraftChangeSet("Season", "costs rose", date, List.of(rule(amount, "COFFEE", "DE-0001")));
        return ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class).draft(ADA, draft, null)).set();
    }

    private Answer get(String path, String person, String grant) {
        return server.send(as(path, person, grant).GET());
    }

    private Answer post(String path, Map<String, String> fields, String person, String grant) {
        var body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return server.send(as(path, person, grant)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder as(String path, String person, String grant) {
        return HttpRequest.newBuilder(server.address(path))
                .header("Accept", "text/html,*/*;q=0.8")
                .header(HeaderPrincipals.ID, person)
                .header(HeaderPrincipals.GRANT, grant);
    }

    private List<String> actions(String set, String person, String grant) {
        return get(set, person, grant)
                .html()
                .select("[aria-label=Actions] .button")
                .eachText();
    }

    @Test
    void leadsFromTheDraftOverTheSecondPersonToItsPrices() {
        var draft = draft("4.40");
        var set = "/changes/" + draft.id();
        var token = Map.of("token", String.valueOf(draft.token()));

        assertThat(actions(set, "ada", EDITOR)).contains("Request approval").doesNotContain("Apply");
        assertThat(get(set, "ada", EDITOR)
                        .html()
                        .select("[aria-label=Approval]")
                        .text())
                .contains("Needs approval", "Can be approved by");
        assertThat(post(set + "/apply", token, "ada", EDITOR).status()).isEqualTo(409);
        assertThat(post(set + "/request-approval", token, "ada", EDITOR).status())
                .isEqualTo(303);

        assertThat(get("/changes/approvals", "bob", APPROVER)
                        .html()
                        .select("tbody a")
                        .eachAttr("href"))
                .contains(set);
        assertThat(actions(set, "bob", APPROVER)).contains("Approve", "Reject");
        assertThat(get(set + "/approve", "bob", APPROVER)
                        .html()
                        .select("form button")
                        .eachText())
                .contains("Approve 1 price");
        assertThat(post(set + "/approve", token, "bob", APPROVER).status()).isEqualTo(303);

        assertThat(actions(set, "ada", EDITOR)).contains("Apply").doesNotContain("Request approval");
        assertThat(get(set, "ada", EDITOR).html().select("main").text()).contains("Approved by grace");
        assertThat(post(set + "/apply", token, "ada", EDITOR).status()).isEqualTo(303);
        assertThat(get(set, "ada", EDITOR).html().select("[data-summary]").text())
                .contains("1 price");
    }

    @Test
    void saysThatWhatWasApprovedForItsTimeIsMovedByAnotherPerson() {
        var day = LocalDate.ofInstant(server.now(), ZoneOffset.UTC).plusMonths(2);
        var draft = draft("4.60", EffectiveDate.startOf(day));
        var set = "/changes/" + draft.id();
        var token = Map.of("token", String.valueOf(draft.token()));
        post(set + "/request-approval", token, "ada", EDITOR);
        post(set + "/approve", token, "bob", APPROVER);
        assertThat(post(set + "/apply", token, "ada", EDITOR).status()).isEqualTo(303);

        var asked = get(set + "/reschedule", "ada", EDITOR);
        var moved = post(set + "/reschedule", Map.of("date", day.plusDays(1).toString(), "time", ""), "ada", EDITOR);

        for (var answer : List.of(asked, moved)) {
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.html().select("[role=alert]").text())
                    .contains("It was approved for its time", "The set is: scheduled.");
        }
    }

    @Test
    void takesAReasonToReject() {
        var draft = draft("4.90");
        var set = "/changes/" + draft.id();
        var token = String.valueOf(draft.token());
        post(set + "/request-approval", Map.of("token", token), "ada", EDITOR);

        var without = post(set + "/reject", Map.of("token", token, "reason", " "), "bob", APPROVER);
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.html().select("#reason-error").text()).isNotEmpty();
        assertThat(post(set + "/reject", Map.of("token", token, "reason", "too much"), "bob", APPROVER)
                        .status())
                .isEqualTo(303);

        assertThat(get(set, "ada", EDITOR).html().select("main").text()).contains("Rejected by grace", "too much");
        assertThat(actions(set, "ada", EDITOR)).contains("Preview again").doesNotContain("Apply");
    }

    @Test
    void takesTheAnswerOfThePageThatAsksAgainAfterAnotherPreview() {
        var draft = draft("4.85");
        var set = "/changes/" + draft.id();
        server.bean(ChangeSetDrafts.class).preview(ADA, draft.id());
        var again = server.bean(ChangeSets.class).find(ADA, draft.id()).orElseThrow();
        post(set + "/request-approval", Map.of("token", String.valueOf(again.token())), "ada", EDITOR);

        var seenBefore = Map.of("token", String.valueOf(draft.token()), "reason", "too much");
        var asked = post(set + "/reject", seenBefore, "bob", APPROVER);
        assertThat(asked.status()).isEqualTo(409);
        assertThat(asked.html().select("[role=alert]").text()).contains("previewed again");
        var form = form(asked);
        assertThat(form).containsEntry("reason", "too much");

        assertThat(post(set + "/reject", form, "bob", APPROVER).status()).isEqualTo(303);
    }

    /** What a browser sends of the page's form. */
    private static Map<String, String> form(Answer page) {
        return page.html().expectForm("main form").formData().stream()
                .collect(Collectors.toMap(Connection.KeyVal::key, Connection.KeyVal::value));
    }

    @Test
    void asksBeforeAnApprovalIsLostByAnotherPreview() {
        var draft = draft("5.10");
        var set = "/changes/" + draft.id();
        var token = Map.of("token", String.valueOf(draft.token()));
        var before = get(set, "ada", EDITOR).html();
        post(set + "/request-approval", token, "ada", EDITOR);
        post(set + "/approve", token, "bob", APPROVER);

        var late = post(set + "/preview", token, "ada", EDITOR);

        assertThat(before.select("form:has(#action-preview) [name=token]").attr("value"))
                .isEqualTo(draft.token());
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html().select("[role=alert]").text()).contains("not as you saw it");
        assertThat(late.html().select(".lead").text()).contains("approval has to be requested again");
        var approved = get(set, "ada", EDITOR).html();
        assertThat(approved.select("[aria-label=Approval]").text()).contains("Approved");
        var question = get(approved.select("a#action-preview").attr("href"), "ada", EDITOR);
        assertThat(post(set + "/preview", form(question), "ada", EDITOR).status())
                .isEqualTo(303);
        assertThat(get(set, "ada", EDITOR)
                        .html()
                        .select("[aria-label=Approval]")
                        .text())
                .contains("Needs approval");
    }

    @Test
    void previewsAgainOnceHoweverOftenThatIsSent() {
        var draft = draft("5.20");
        var preview = "/changes/" + draft.id() + "/preview";
        var token = Map.of("token", String.valueOf(draft.token()));

        var first = post(preview, token, "ada", EDITOR);
        var again = post(preview, token, "ada", EDITOR);

        assertThat(first.status()).isEqualTo(303);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html().select("[role=alert]").text()).contains("It was previewed since");
    }

    @Test
    void saysWhyADecisionIsRefused() {
        var draft = draft("4.95");
        var set = "/changes/" + draft.id();
        var token = Map.of("token", String.valueOf(draft.token()));
        var early = get(set + "/reject", "bob", APPROVER);
        assertThat(early.status()).isEqualTo(409);
        assertThat(early.html().select("[role=alert]").text()).contains("Nobody has asked for approval of it");
        post(set + "/request-approval", token, "ada", EDITOR);

        for (var own :
                List.of(get(set + "/approve", "ada", APPROVER), post(set + "/approve", token, "ada", APPROVER))) {
            assertThat(own.status()).isEqualTo(409);
            assertThat(own.html().select("[role=alert]").text()).contains("Another person than the one who drafted it");
        }
        assertThat(get("/changes/approvals", "ada", APPROVER).html().text()).contains("Needs another person than you");
        assertThat(post(set + "/approve", Map.of("token", "0000000000000000"), "bob", APPROVER)
                        .status())
                .isEqualTo(409);
        assertThat(get("/changes/approvals", "ada", EDITOR).status()).isEqualTo(403);
        assertThat(post(set + "/approve", token, "carl", EDITOR).status()).isEqualTo(403);
    }
}
