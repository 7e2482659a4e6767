package io.menuboard.webadmin.billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.BillingSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.util.HashMap;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** Pages of commission rules. */
class CommissionRulePagesTest {
    @Test
    void putsARuleAfterItSaidWhatWouldChange() {
        var fresh = BillingSample.emptyServer("billing-rules");
        assertThat(fresh.get("/billing/rules").html().select(".empty-title").text())
                .isEqualTo("No commission rules yet");

        var added = put(
                fresh,
                "/billing/rules/confirm?commissionRule=50%25%20%26%20more&commissionRate=0.5&rounding=HALF_EVEN");
        var question = fresh.get(
                "/billing/rules/confirm?commissionRule=50%25%20%26%20more&commissionRate=0.125&rounding=DOWN");
        var changed = put(
                fresh,
                question.http().uri().getRawPath() + "?" + question.http().uri().getRawQuery());

        assertThat(added.select(".alert-success").text()).startsWith("The rule 50% & more counts");
        assertThat(fresh.get("/billing/rules?put=unknown").html().select(".alert"))
                .isEmpty();
        assertThat(question.html().select(".effect").text()).isEqualTo("50% becomes 12.5%.");
        assertThat(changed.select("tbody tr").eachText())
                .containsExactly("50% & more Towards zero 0.125 12.5% Audit trail of 50% & more Change 50% & more");
        assertThat(fresh.get("/billing/rules.csv").body().lines())
                .containsExactly("commissionRule,commissionRate,rounding", "50% & more,0.125,DOWN");
        assertThat(fresh.post(
                                "/billing/rules",
                                Map.of("commissionRule", "x", "commissionRate", "2", "rounding", "DOWN"))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void changesNothingThatSomebodyHasChangedSinceTheQuestion() {
        var fresh = BillingSample.emptyServer("billing-rules-race");
        var address = "/billing/rules/confirm?commissionRule=standard&commissionRate=%s&rounding=DOWN";
        var first = fields(fresh, address.formatted("0.10"));
        var other = fields(fresh, address.formatted("0.12"));

        assertThat(fresh.post("/billing/rules", first).status()).isEqualTo(303);
        assertThat(fresh.post("/billing/rules", first).status())
                .as("once more, as where the answer was lost")
                .isEqualTo(303);
        var refused = fresh.post("/billing/rules", other);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("[role=alert]").text()).contains("Somebody has changed the rule");
        assertThat(refused.html().select(".effect").text()).isEqualTo("10% becomes 12%.");
        assertThat(fresh.get("/billing/rules.csv").body().lines()).contains("standard,0.1,DOWN");
        var rounding = fresh.get("/billing/rules/confirm?commissionRule=standard&commissionRate=0.1&rounding=HALF_UP");
        assertThat(rounding.html().select(".effect")).isEmpty();
    }

    private static Map<String, String> fields(PagesServer server, String question) {
        var form = server.get(question).html().expectFirst("main form[method=post]");
        var fields = new HashMap<String, String>();
        form.select("input[type=hidden]").forEach(input -> fields.put(input.attr("name"), input.attr("value")));
        return fields;
    }

    private static Document put(PagesServer server, String question) {
        var form = server.get(question).html().expectFirst("main form[method=post]");
        var fields = new HashMap<String, String>();
        form.select("input[type=hidden]").forEach(input -> fields.put(input.attr("name"), input.attr("value")));
        return server.get(server.post(form.attr("action"), fields).header("Location"))
                .html();
    }
}
