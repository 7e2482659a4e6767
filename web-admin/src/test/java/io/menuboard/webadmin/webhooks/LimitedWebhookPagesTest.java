package io.menuboard.webadmin.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.webhooks.CreateWebhookResult;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.webadmin.pages.AccountsSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages of webhooks as administrators see them who may read the prices of some stores, or of none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitedWebhookPagesTest {
    private static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final String ADMINISTRATOR = "ADMINISTRATOR ALL";

    private final PagesServer server = PagesServer.start(
            "limited-webhooks",
            Map.of(HeaderPrincipals.SETTING, true, "menuboard.webhooks.key", AccountsSample.WEBHOOKS_KEY));

    LimitedWebhookPagesTest() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    void stop() {
        server.stop();
    }

    @Test
    void namesStoresWhosePricesTheReaderMayReadAndCountsTheOthers() {
        var page = webhook("DE-0001", "JP-0001");

        var whole = get(page, ADMINISTRATOR, "VIEWER ALL");
        var part = get(page, ADMINISTRATOR, "VIEWER STORES#DE-0001");
        var none = get(page, ADMINISTRATOR);
        var file = get("/webhooks/list.csv", ADMINISTRATOR);

        assertThat(whole.html().select("section[aria-label=State] details").text())
                .isEqualTo("Its stores DE-0001, JP-0001");
        assertThat(part.html().select("section[aria-label=State] details").text())
                .isEqualTo("Its stores DE-0001 1 of them is not shown, as you may not read its prices.");
        assertThat(none.html().select("section[aria-label=State] details").text())
                .isEqualTo("Its stores 2 of them are not shown, as you may not read their prices.");
        assertThat(part.body()).contains("2 stores").doesNotContain("JP-0001");
        assertThat(none.body()).doesNotContain("DE-0001", "JP-0001");
        assertThat(file.body()).contains("2 stores").doesNotContain("DE-0001", "JP-0001");
    }

    @Test
    void letsNobodyEditWhatIsToldOfOtherStores() {
        var page = webhook("DE-0001", "JP-0001");
        var own = webhook("DE-0001");

        assertThat(get(page, ADMINISTRATOR, "VIEWER STORES#DE-0001").html().select("#edit"))
                .isEmpty();
        var refused = get(page + "/edit", ADMINISTRATOR, "VIEWER STORES#DE-0001");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).doesNotContain("JP-0001");
        assertThat(get(own, ADMINISTRATOR, "VIEWER STORES#DE-0001").html().select("#edit"))
                .hasSize(1);
        assertThat(get(own + "/edit", ADMINISTRATOR, "VIEWER STORES#DE-0001")
                        .html()
                        .select("#stores")
                        .text())
                .isEqualTo("DE-0001");
    }

    @Test
    void showsNobodyWhoseEditIsRefusedItsOtherStores() {
        var page = webhook("DE-0001", "JP-0001");
        var edit = "name=Mine&url=https%3A%2F%2Fmine.example%2F&storesBy=all&event-PRICE_UPDATED=on&before=";

        var refused = send(
                HttpRequest.newBuilder(server.address(page + "/edit"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(edit)),
                ADMINISTRATOR,
                "VIEWER STORES#DE-0001");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).doesNotContain("JP-0001");
    }

    @Test
    void showsNobodyASecretThatSignsForOtherStores() {
        var page = webhook("DE-0001", "JP-0001");
        var own = webhook("DE-0001");

        assertThat(get(page, ADMINISTRATOR, "VIEWER STORES#DE-0001").html().select("#rotate"))
                .isEmpty();
        assertThat(get(own, ADMINISTRATOR, "VIEWER STORES#DE-0001").html().select("#rotate"))
                .hasSize(1);
        var refused = send(
                HttpRequest.newBuilder(server.address(page + "/rotate"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.noBody()),
                ADMINISTRATOR,
                "VIEWER STORES#DE-0001");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.body()).contains("whose prices you may not read").doesNotContain("whsec_");
    }

    private String webhook(String... stores) {
        var settings = new WebhookSettings(
                "Partner",
                WebhookSettings.url("https://partner.example/prices"),
                new StoreSelection.Listed(Stream.of(stores).map(StoreId::new).toList()),
                Set.of(WebhookEvent.PRICE_UPDATED));
        var made = (CreateWebhookResult.Created) server.bean(Webhooks.class).create(STAFF, settings, null);
        return "/webhooks/" + made.made().webhook().id();
    }

    private Answer get(String path, String... grants) {
        return send(HttpRequest.newBuilder(server.address(path)), grants);
    }

    private Answer send(HttpRequest.Builder request, String... grants) {
        request.header("Accept", "text/html,*/*;q=0.8");
        List.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request);
    }
}
