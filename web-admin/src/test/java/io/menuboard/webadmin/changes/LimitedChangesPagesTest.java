package io.menuboard.webadmin.changes;

import static io.menuboard.webadmin.pages.ChangeSample.GRACE;
import static io.menuboard.webadmin.pages.ChangeSample.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages of change sets and imports as those see them who have roles for some of the stores. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitedChangesPagesTest {
    private static final String EDITOR = "PRICING_EDITOR STORES#DE-0001";
    private static final String NONE = "01JD8X00000000000000000000";
    private static final String NO_IMPORT = "0123456789abcdef";

    private final PagesServer server = PagesServer.start("limited-changes", Map.of(HeaderPrincipals.SETTING, true));

    LimitedChangesPagesTest() {
        PriceSample.save(server::bean);
    }

    @AfterAll
    void stop() {
        server.stop();
    }

    @Test
    void aSetOfAnotherStoreIsNotFoundAsOneThatThereIsNot() {
        var foreign = draft("Foreign", "500", "JP-0001").id().value();

        for (var page : List.of(
                "/changes/{id}",
                "/changes/{id}/lines.csv",
                "/changes/{id}/apply",
                "/changes/{id}/preview",
                "/changes/{id}/cancel",
                "/changes/{id}/reschedule",
                "/changes/{id}/retry",
                "/changes/{id}/undo",
                "/changes/new?like={id}",
                "/changes/new?edit={id}")) {
            isNotFound(get(page.replace("{id}", foreign), EDITOR), get(page.replace("{id}", NONE), EDITOR), foreign);
        }
        for (var action : List.of("apply", "preview", "cancel", "reschedule", "retry", "undo")) {
            var fields =
                    Map.of("token", "t", "reason", "why", "key", "k-" + action, "when", "DATE", "date", "2036-07-01");
            isNotFound(
                    post("/changes/" + foreign + "/" + action, fields, EDITOR),
                    post("/changes/" + NONE + "/" + action, fields, EDITOR),
                    foreign);
        }
        assertThat(get("/changes/" + foreign, "PRICING_EDITOR ALL").status()).isEqualTo(200);
    }

    private static void isNotFound(Answer foreign, Answer none, String id) {
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(none.status()).isEqualTo(404);
        assertThat(foreign.bodyWithoutTokens().replace(id, "ID"))
                .isEqualTo(none.bodyWithoutTokens().replace(NONE, "ID").replace(NO_IMPORT, "ID"));
    }

    @Test
    void listsAndFilesHaveSetsOfOnesOwnStoresAlone() {
        var foreign = draft("Not to be seen", "500", "JP-0001");
        var mixed = draft("Not to be seen", "5", "JP-0001", "DE-0001");
        var own = draft("To be seen", "3.40", "DE-0001");

        assertThat(get("/changes", EDITOR).html().select("tbody a").eachAttr("href"))
                .contains("/changes/" + own.id())
                .doesNotContain("/changes/" + foreign.id(), "/changes/" + mixed.id());
        assertThat(get("/changes.csv", EDITOR).body())
                .contains(own.id().value())
                .doesNotContain(foreign.id().value(), mixed.id().value());
    }

    @Test
    void aSetOfOnesOwnStoresIsAppliedAndOneOfOthersTooIsNot() {
        var own = draft("Own", "3.40", "DE-0001");
        var mixed = draft("Mixed", "340", "DE-0001", "JP-0001");
        var fields = Map.of("token", String.valueOf(own.token()), "suspicious", "yes");

        assertThat(post("/changes/" + own.id() + "/apply", fields, EDITOR).status())
                .isEqualTo(303);
        for (var grants : List.<String[]>of(new String[] {"VIEWER ALL", EDITOR})) {
            var page = get("/changes/" + mixed.id(), grants);
            assertThat(page.status()).isEqualTo(200);
            assertThat(page.html().select("a[href$=/apply], form[action$=/preview]"))
                    .isEmpty();
            assertThat(get("/changes/" + mixed.id() + "/apply", grants).status())
                    .isEqualTo(403);
            assertThat(post("/changes/" + mixed.id() + "/apply", Map.of("token", String.valueOf(mixed.token())), grants)
                            .status())
                    .isEqualTo(403);
        }
        assertThat(server.bean(ChangeSets.class).find(GRACE, mixed.id())).contains(mixed);
    }

    @Test
    void aSetThatIsNotToBeSeenIsNamedWithoutALinkWhereItTouchesOnesOwnStore() {
        var now = apply(draft("Also of Tokyo", "350", "DE-0001", "JP-0001"));
        var later = apply(draft(
                "Later in Tokyo too",
                EffectiveDate.parse("2036-07-01"),
                List.of(rule("360", "COFFEE", "DE-0001", "JP-0001"))));

        for (var page : Map.of(
                        "/prices/history?store=DE-0001&product=COFFEE",
                        now,
                        "/stores/DE-0001/changes",
                        later,
                        "/changes/calendar?month=2036-07",
                        later)
                .entrySet()) {
            var set = page.getValue();
            var end = set.id().value().substring(18);
            assertThat(get(page.getKey(), EDITOR)
                            .html()
                            .expectFirst("tbody td:contains(…" + end + ")")
                            .select("a"))
                    .isEmpty();
            assertThat(get(page.getKey(), "VIEWER ALL")
                            .html()
                            .select("tbody a[href=/changes/" + set.id() + "]")
                            .eachText())
                    .contains(set.name());
        }
    }

    @Test
    void aSetOfANewerVersionDoesNotTakeAwayTheHistoryOfAPrice() {
        var set = apply(draft("Newer", "370", "DE-0001"));
        server.bean(QueryDb.class)
                .update(Update.of(new Key("CHANGESET#" + set.id(), "META")).set("status", "OF_A_NEWER_VERSION"));

        var history = get("/prices/history?store=DE-0001&product=COFFEE", "VIEWER ALL");

        assertThat(history.status()).isEqualTo(200);
        assertThat(history.html()
                        .expectFirst("tbody td:contains(…" + set.id().value().substring(18) + ")")
                        .select("a"))
                .isEmpty();
    }

    @Test
    void whoMayNotDraftIsLedToAllSetsWhereASetHasNoPrice() {
        var nepal = new ChangeRule(
                new StoreSelection.Countries(List.of("NP")),
                List.of(new PriceSubject.Product(new ProductId("COFFEE"))),
                List.of(Channel.ALL),
                new PriceOperation.Percent(BigDecimal.TEN),
                null);
        var draft = new DraftChangeSet("Nowhere", "costs rose", null, List.of(nepal));
        var drafts = server.bean(ChangeSetDrafts.class);
        var id = ((ChangeSetResult.Done) drafts.draft(GRACE, draft, null)).set().id();
        var sets = server.bean(ChangeSets.class);
        await().until(() -> sets.find(GRACE, id).orElseThrow().token() != null);

        var html = get("/changes/" + id, "VIEWER ALL").html();

        assertThat(html.select(".empty-title").text()).isEqualTo("No matching prices");
        assertThat(html.select(".empty a").eachAttr("href")).containsExactly("/changes");
        assertThat(html.select("a[href^=/changes/new]")).isEmpty();
        assertThat(get("/changes/" + id, "PRICING_EDITOR ALL")
                        .html()
                        .select(".empty a")
                        .attr("href"))
                .startsWith("/changes/new?like=");
    }

    @Test
    void anImportOfSomebodyElseIsNotFoundAsOneThatThereIsNot() {
        var foreign = server.bean(Imports.class)
                .begin(GRACE, List.of(new ImportFile(ImportKind.PRICES, "not-to-be-seen.csv", 0, () -> {
                    throw new IOException("is not read");
                })))
                .id()
                .value();

        for (var page : List.of("/imports/{id}", "/imports/{id}/rejected.csv")) {
            isNotFound(
                    get(page.replace("{id}", foreign), EDITOR), get(page.replace("{id}", NO_IMPORT), EDITOR), foreign);
        }
        for (var page : List.of("/imports", "/imports/list.csv")) {
            assertThat(get(page, EDITOR).body()).doesNotContain("not-to-be-seen.csv");
            assertThat(get(page, "PRICING_EDITOR ALL").body()).contains("not-to-be-seen.csv");
        }
    }

    private ChangeSet draft(String name, String amount, String... stores) {
        return draft(name, null, List.of(rule(amount, "COFFEE", stores)));
    }

    private ChangeSet draft(String name, @Nullable EffectiveDate effectiveDate, List<ChangeRule> rules) {
        var draft = new DraftChangeSet(name, "costs rose", effectiveDate, rules);
        return ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class).draft(GRACE, draft, null)).set();
    }

    private ChangeSet apply(ChangeSet draft) {
        var applied = server.bean(ChangeSets.class).applyAccepted(GRACE, draft.id(), String.valueOf(draft.token()));
        return ((ChangeSetResult.Done) applied).set();
    }

    @Test
    void whoMayNotImportIsNotAdvisedTo() {
        var stores = get("/stores", "VIEWER STORES#GONE-0001").html();
        assertThat(stores.select(".empty-title").text()).isEqualTo("No store that you see");
        assertThat(stores.select(".empty a").attr("href")).isEqualTo("/changes");

        var swaps = "/stores/FR-0001/swaps";
        assertThat(get(swaps, "VIEWER ALL").html().select(".empty a").attr("href"))
                .isEqualTo("/stores");
        assertThat(get(swaps, "PRICING_EDITOR ALL").html().select(".empty a").attr("href"))
                .isEqualTo("/imports");
    }

    private Answer get(String path, String... grants) {
        return server.send(as(path, grants).GET());
    }

    private Answer post(String path, Map<String, String> fields, String... grants) {
        var body = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return server.send(as(path, grants)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder as(String path, String... grants) {
        var request = HttpRequest.newBuilder(server.address(path)).header("Accept", "text/html,*/*;q=0.8");
        Stream.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return request;
    }
}
