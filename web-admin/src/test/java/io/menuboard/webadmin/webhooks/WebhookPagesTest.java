package io.menuboard.webadmin.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.changes.PartitionFeed;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.webhooks.CreateWebhookResult;
import io.menuboard.pricing.webhooks.NewSecret;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookId;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.pricing.webhooks.Webhooks;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.webadmin.pages.AccountsSample;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the server sends about webhooks, and what it does with them. What holds for every page is in {@code PagesTest}. */
class WebhookPagesTest {
    private static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final String NO_WEBHOOK = "/webhooks/01JD8X0000000000007Q3FK2ZB";
    private static final PagesServer server = PagesServer.start(
            "webhook-pages",
            Map.of("menuboard.webhooks.key", AccountsSample.WEBHOOKS_KEY, "menuboard.webhooks.allow-private", true));
    private static final AtomicInteger status = new AtomicInteger(200);
    private static final CountDownLatch slow = new CountDownLatch(1);
    private static final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private static final List<String> received = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static HttpServer receiver;

    @BeforeAll
    static void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                received.add(exchange.getRequestURI().getPath());
                if (exchange.getRequestURI().getPath().equals("/slow")) {
                    slow.await();
                }
                exchange.sendResponseHeaders(status.get(), -1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        receiver.setExecutor(threads);
        receiver.start();
        PriceSample.save(server::bean);
    }

    @AfterAll
    static void stop() {
        receiver.stop(0);
        threads.shutdownNow();
        server.stop();
    }

    @Test
    void listsWebhooksAsTheyWereRegistered() {
        var sample = AccountsSample.shared();

        var list = sample.server().get("/webhooks").html();

        assertThat(list.select("tbody tr").eachText())
                .satisfiesExactly(
                        row -> assertThat(row)
                                .contains("Partner", "https://partner.example/prices", "Every store", "Active"),
                        row -> assertThat(row).contains(PriceSample.ATTACK, "Switched off"));
        assertThat(sample.server()
                        .get(list.select("a[href*=.csv]").attr("href"))
                        .body()
                        .lines())
                .anyMatch(line ->
                        line.contains(",Partner,https://partner.example/prices,Every store,Price changes,Active,"));
        ListPages.assertAddressFollows(sample.server(), "/webhooks?first=16");
        ListPages.assertPagesBothWays(sample.server(), "/webhooks?first=1");
    }

    @Test
    void showsASecretOnceAndMakesOneWebhookHoweverOftenTheFormIsSent() {
        var key = server.get("/webhooks/new")
                .html()
                .expectFirst("input[name=key]")
                .attr("value");
        var form = Map.of(
                "key",
                key,
                "name",
                "Once",
                "url",
                url("/once"),
                "storesBy",
                "ids",
                "stores",
                "DE-0001",
                "event-PRICE_UPDATED",
                "yes");

        var made = server.post("/webhooks", form);
        var again = server.post("/webhooks", form);
        var other = server.post(
                "/webhooks",
                Map.of("key", key, "name", "Other", "url", url("/o"), "storesBy", "all", "event-PRICE_UPDATED", "yes"));

        var secret = made.html().expectFirst("#secret").text();
        assertThat(secret).startsWith("whsec_");
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        assertThat(again.status()).isEqualTo(303);
        var page = server.get(again.header("Location"));
        assertThat(page.html().text()).contains("cannot be shown again", "DE-0001", "1 store");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.html().expectFirst("input[name=key]").attr("value")).isNotEqualTo(key);
        var path = again.header("Location").replaceAll("\\?.*", "");
        for (var shown : List.of("/webhooks", path, path + "/edit", path + "/rotate", path + "/delete")) {
            assertThat(server.get(shown).body()).contains("Once").doesNotContain(secret);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a#b   | https://partner.example/   | all  |         | event-PRICE_UPDATED | name
                    Wrong | ftp://partner.example/     | all  |         | event-PRICE_UPDATED | url
                    Wrong | nothing                    | all  |         | event-PRICE_UPDATED | url
                    Wrong | http://10.0.0.1:8080/      | all  |         | event-PRICE_UPDATED | url
                    Wrong | https://partner.example/   | ids  |         | event-PRICE_UPDATED | stores
                    Wrong | https://partner.example/   | ids  | nowhere | event-PRICE_UPDATED | stores
                    Wrong | https://partner.example/   | all  |         | other               | events
                    """)
    void saysBesideTheFieldWhatIsWrongAndMakesNothing(
            String name, String url, String storesBy, String stores, String event, String field) {
        var answer = server.post(
                "/webhooks",
                Map.of(
                        "name",
                        name,
                        "url",
                        url,
                        "storesBy",
                        storesBy,
                        "stores",
                        stores == null ? "" : stores,
                        event,
                        "yes"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().expectFirst("#" + field + "-error").text()).isNotBlank();
        assertThat(answer.html().expectFirst("#name").val()).isEqualTo(name);
        assertThat(answer.html().expectFirst("#url").val()).isEqualTo(url);
        assertThat(answer.body()).doesNotContain("whsec_");
    }

    @Test
    void saysThatThereIsNoKey() {
        var withoutKey = ChangeSample.shared().server();

        assertThat(withoutKey.get("/webhooks").html().select(".alert-warning").text())
                .contains("menuboard.webhooks.key");
        var refused = withoutKey.post(
                "/webhooks",
                Map.of(
                        "name",
                        "Partner",
                        "url",
                        "https://partner.example/",
                        "storesBy",
                        "all",
                        "event-PRICE_UPDATED",
                        "yes"));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select(".alert-error").text()).contains("menuboard.webhooks.key");
    }

    @Test
    void sendsATestAndShowsWhatCameOfIt() {
        var page = page(registered("Tested", "/tested"));
        status.set(503);
        var failed = server.post(page + "/test", Map.of()).html();
        status.set(204);
        var taken = server.post(page + "/test", Map.of()).html();

        assertThat(failed.select(".alert-error").text()).contains("The receiver answered 503 after", " ms");
        assertThat(taken.select(".alert-success").text()).contains("The receiver answered 204 after");
        assertThat(received).filteredOn("/tested"::equals).hasSize(2);
        assertThat(server.get(page + "/test").header("Location")).isEqualTo(page);
    }

    @Test
    void showsATestThatTakesAllTheTimeThatAPageHas() {
        var page = page(registered("Slow", "/slow"));

        var answer = server.post(page + "/test", Map.of());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.html().select(".alert-error").text()).contains("There was no answer", "within 10 seconds");
        slow.countDown();
    }

    @Test
    void asksBeforeItActsAndSaysWhatWasDone() {
        var made = registered("Acted on", "/acted");
        var page = page(made);

        assertThat(server.get(page + "/rotate").html().select("h1").text())
                .isEqualTo("Make a new secret for Acted on?");
        var rotated = server.post(page + "/rotate", Map.of()).html();
        assertThat(rotated.expectFirst("#secret").text()).startsWith("whsec_").isNotEqualTo(made.secret());
        assertThat(server.get(page).html().text()).contains("Earlier secret signs until");
        assertThat(did(page + "/off")).isEqualTo("The webhook is switched off.");
        assertThat(server.get(page).html().text()).contains("Switched off", "back-office switched it off");
        assertThat(server.get(page + "/on").html().text()).contains("a replay of price events sends it");
        assertThat(did(page + "/on")).isEqualTo("The webhook is switched on.");
        for (var untrue : List.of("off", "delete")) {
            assertThat(server.get(page + "?did=" + untrue).html().select(".alert-success"))
                    .isEmpty();
        }
        assertThat(did(page + "/redeliver"))
                .isEqualTo(
                        "None of the latest 500 deliveries is dead, so none is sent again. Older ones are retried on the"
                                + " page Tasks.");
        var edited = server.post(
                page + "/edit",
                Map.of(
                        "before",
                        before(page),
                        "name",
                        "Edited",
                        "url",
                        url("/edited"),
                        "storesBy",
                        "all",
                        "event-PRICE_UPDATED",
                        "yes"));
        assertThat(server.get(edited.header("Location")).html().text()).contains("The webhook is changed.", "Edited");
        assertThat(server.get("/audit?subject=WEBHOOK%23" + made.webhook().id())
                        .html()
                        .select("tbody a[href=" + page + "]"))
                .isNotEmpty();
        assertThat(did(page + "/delete")).isEqualTo("The webhook is deleted.");
        assertThat(server.get(page).status()).isEqualTo(404);
    }

    @Test
    void undoesNothingThatSomebodyElseHasChangedSinceTheFormWasShown() {
        var page = page(registered("Shared", "/shared"));
        var form =
                Map.of("before", before(page), "url", url("/shared"), "storesBy", "ids", "event-PRICE_UPDATED", "yes");
        var renamed = new HashMap<>(form);
        renamed.putAll(Map.of("name", "Renamed", "stores", "DE-0001"));
        var widened = new HashMap<>(form);
        widened.putAll(Map.of("name", "Shared", "stores", "DE-0001\nJP-0001"));

        assertThat(server.post(page + "/edit", widened).status()).isEqualTo(303);
        // As often as it is sent.
        assertThat(server.post(page + "/edit", widened).status()).isEqualTo(303);
        var refused = server.post(page + "/edit", renamed);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("[role=alert]").text()).contains("Somebody has changed the webhook");
        assertThat(refused.html().expectFirst("#stores").wholeText().lines()).containsExactly("DE-0001", "JP-0001");
        renamed.put("before", refused.html().select("input[name=before]").attr("value"));
        renamed.put("stores", "DE-0001\nJP-0001");
        assertThat(server.post(page + "/edit", renamed).status()).isEqualTo(303);
        assertThat(server.get(page).html().select("h1").text()).isEqualTo("Renamed");
    }

    private static String before(String page) {
        return server.get(page + "/edit").html().select("input[name=before]").attr("value");
    }

    @Test
    void showsTheLatestDeliveriesAndSendsDeadOnesAgain() {
        var page = page(registered("Told", "/told"));
        var feed = new PartitionFeed(server.bean(QueryDb.class), "STORE#DE-0001");
        feed.next();
        change("BURGER-003", "3.45");
        status.set(410);
        var announcer = server.bean(ChangeHandler.class, "webhooks");
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            feed.next().stream()
                    .filter(record -> record.type().equals(DynamoPriceHistory.TYPE))
                    .forEach(announcer::handle);
            return !server.get(page).html().select("tbody tr").isEmpty();
        });
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                        server.get(page).html().select("tbody tr").text())
                .contains("Dead", "the receiver answered 410"));
        assertThat(server.get(page).html().text()).contains("Switched off", "410");
        assertThat(server.get(page).html().select("a[href$=/redeliver]")).isEmpty();
        assertThat(server.post(page + "/redeliver", Map.of()).status()).isEqualTo(409);
        assertThat(server.get(server.get(page).html().expectFirst("#dead").attr("href"))
                        .status())
                .isEqualTo(200);
        status.set(200);
        did(page + "/on");
        assertThat(server.get(page).html().select("a[href$=/redeliver]")).hasSize(1);

        assertThat(did(page + "/redeliver")).isEqualTo("1 delivery is sent again.");

        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                        server.get(page).html().select("tbody tr").text())
                .contains("Completed"));
    }

    @Test
    void saysWhereThereIsNoSuchWebhook() {
        for (var path : List.of(NO_WEBHOOK, NO_WEBHOOK + "/edit", NO_WEBHOOK + "/rotate")) {
            assertThat(server.get(path).status()).as(path).isEqualTo(404);
        }
        assertThat(server.post(NO_WEBHOOK + "/test", Map.of()).status()).isEqualTo(404);
        assertThat(server.post(NO_WEBHOOK + "/delete", Map.of()).status()).isEqualTo(404);
        assertThat(server.get("/webhooks/x").status()).isEqualTo(400);
    }

    private static String did(String action) {
        var done = server.post(action, Map.of());
        assertThat(done.status()).as(action).isEqualTo(303);
        return server.get(done.header("Location"))
                .html()
                .select(".alert-success")
                .text();
    }

    @Test
    void isSentWhatItHasMissedByAReplay() {
        var webhook = registered("Missed some", "/missed").webhook().id();
        change("BURGER-004", "3.95");
        var form = "/operations/price-events";
        var fields = replay(webhook);

        assertThat(server.get(form).html().select("#webhook option").eachText())
                .contains("Webhook Missed some")
                .doesNotContain("The event bus");
        var question = server.post(form + "/confirm", fields).html().expectFirst("main form");
        assertThat(question.select("dd").eachText()).contains("Webhook Missed some");
        var hidden = new HashMap<String, String>();
        question.select("input[type=hidden]").forEach(field -> hidden.put(field.attr("name"), field.attr("value")));
        assertThat(server.post(question.attr("action"), hidden).header("Location"))
                .startsWith("/tasks/");

        await().atMost(Duration.ofMinutes(1)).until(() -> received.contains("/missed"));
        var none = new HashMap<>(fields);
        none.put("webhook", NO_WEBHOOK.substring("/webhooks/".length()));
        var refused = server.post(form + "/confirm", none);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("#webhook-error").text()).startsWith("Must exist");
    }

    private static Map<String, String> replay(WebhookId webhook) {
        var now = LocalDateTime.ofInstant(server.bean(Webhooks.class).now(), ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.MINUTES);
        return Map.of(
                "storesBy", "ids",
                "stores", "DE-0001",
                "from", now.minusHours(1).toString(),
                "to", now.plusHours(1).toString(),
                "webhook", webhook.value());
    }

    /** Where several are made at the same time, there may be more than are listed. */
    @Test
    void isNamedBeforeAReplayThoughAsManyAsAreListedWereMadeBefore() {
        var last = registered("The last one", "/last").webhook().id();
        var db = server.bean(QueryDb.class);
        var item = db.get(new Key("WEBHOOKS", last.value())).orElseThrow();
        var others = IntStream.range(0, Webhooks.MOST)
                .mapToObj(number -> new Key("WEBHOOKS", "%026d".formatted(number)))
                .toList();
        db.saveBatch(others.stream()
                        .map(key -> new Save(likeButOfNoStore(item, key), SaveMode.ANY))
                        .toList())
                .orThrow();

        var question = server.post("/operations/price-events/confirm", replay(last));

        db.deleteBatch(others).orThrow();
        assertThat(question.html().select("main form dd").eachText()).contains("Webhook The last one");
    }

    private static Item likeButOfNoStore(Item webhook, Key key) {
        return Item.at(key)
                .type(webhook.type())
                .string("name", webhook.string("name"))
                .string("url", webhook.string("url"))
                .strings("stores", List.of("NOWHERE"))
                .strings("events", webhook.strings("events"))
                .string("createdBy", webhook.string("createdBy"))
                .number("createdAt", webhook.integer("createdAt"))
                .string("secret", webhook.string("secret"))
                .strings("oldSecrets", List.of())
                .build();
    }

    private static void change(String product, String amount) {
        var draft = new DraftChangeSet(
                "Told of", "costs rose", null, List.of(ChangeSample.rule(amount, product, "DE-0001")));
        var set = ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class).draft(STAFF, draft, null)).set();
        server.bean(ChangeSets.class).applyAccepted(STAFF, set.id(), String.valueOf(set.token()));
    }

    private static NewSecret registered(String name, String path) {
        var settings = new WebhookSettings(
                name,
                WebhookSettings.url(url(path)),
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"))),
                Set.of(WebhookEvent.PRICE_UPDATED));
        return ((CreateWebhookResult.Created) server.bean(Webhooks.class).create(STAFF, settings, null)).made();
    }

    private static String page(NewSecret made) {
        return "/webhooks/" + made.webhook().id();
    }

    private static String url(String path) {
        return "http://localhost:" + receiver.getAddress().getPort() + path;
    }
}
