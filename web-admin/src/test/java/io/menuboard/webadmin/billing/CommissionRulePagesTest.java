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

    private static Document put(PagesServer server, String question) {
        var form = server.get(question).html().expectFirst("main form[method=post]");
        var fields = new HashMap<String, String>();
        form.select("input[type=hidden]").forEach(input -> fields.put(input.attr("name"), input.attr("value")));
        return server.get(server.post(form.attr("action"), fields).header("Location"))
                .html();
    }
}
