package io.menuboard.webadmin.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.webadmin.pages.ChangeSample.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.messaging.DeadLetters;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.math.BigDecimal;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What the server sends about changes of prices. What holds for every page is in {@code PagesTest}. */
@ResourceLock(ChangeSample.LOCK)
class ChangePagesTest {
    private static final ChangeSample SAMPLE = ChangeSample.shared();
    private static final String HEADER = "store,channel,product,combo,option,operation,amount,percent,ending\n";

    static final List<String> LISTS = List.of("/changes?first=16", "/stores/DE-0001/changes");

    private final PagesServer server = SAMPLE.server();

    @ParameterizedTest
    @FieldSource("LISTS")
    void sendsHtmxThePartOfTheSameTemplateThatChanges(String list) {
        var page = server.get(list).html();
        var fragment = server.htmx(list);

        var live = fragment.html();
        live.select("[hx-swap-oob]").remove();
        assertThat(live.body().children().outerHtml())
                .isEqualTo(page.expectFirst("#live").children().outerHtml());
        assertThat(fragment.body()).doesNotContain("<html", "<h1");
        assertThat(fragment.header("HX-Push-Url")).isEqualTo(list);
    }

    @Test
    void listsSetsNewestFirstAndPagesThroughThem() {
        var first = server.get("/changes?first=16").html();
        var second = server.get(first.select("a[rel=next]").attr("href")).html();
        var back = server.get(second.select("a[rel=prev]").attr("href")).html();

        assertThat(first.select("tbody tr")).hasSize(16);
        assertThat(second.select("tbody tr a").eachText()).contains("Set 10");
        assertThat(back.select("tbody tr").eachText())
                .isEqualTo(first.select("tbody tr").eachText());
        assertThat(first.select("tbody tr:contains(Next season)").text())
                .contains(SAMPLE.day().toString(), "3", "grace in the back office", "Scheduled");
        assertThat(server.get("/changes.csv").body().lines())
                .anyMatch(line -> line.contains(",Next season,costs rose,SCHEDULED,"))
                .anyMatch(line -> line.contains(",Never mind,costs rose,CANCELLED,"));
    }

    @Test
    void saysWhatADraftWouldChangeAndWhatNeedsAttention() {
        var html = server.get(page(SAMPLE.draft())).html();

        assertThat(html.expectFirst("[data-summary]").text()).isEqualTo("73 prices in 73 stores would change.");
        assertThat(html.select(".facts").text()).contains("The moment it is applied", "Stores that change 73");
        assertThat(html.select("nav[aria-label=Findings] a").eachText())
                .containsExactly("All 75", "Suspicious 1", "Will change 72", "Not found 1", "No change 1");
        assertThat(html.expectFirst("tbody tr").text()).contains("DAILY", "€99.00", "Suspicious");
        assertThat(html.select(".actions a").eachText()).containsExactly("Apply", "Cancel");
        assertThat(html.select(".actions button").eachText()).containsExactly("Preview again");
        assertThat(html.select("tbody tr")).hasSize(64);
        var found = server.get(
                html.select("nav[aria-label=Findings] a:contains(Not found)").attr("href"));
        assertThat(found.html().select("tbody tr").eachText()).hasSize(1).allMatch(row -> row.startsWith("nowhere"));
        assertThat(server.get(found.html().select("a[href*=.csv]").attr("href"))
                        .body()
                        .lines())
                .hasSize(2)
                .anyMatch(line -> line.contains(",nowhere,ALL,COFFEE,,,,") && line.contains(",NOT_FOUND,"));
    }

    @Test
    void saysWhichFindingsThereAreWhereOneIsAskedForThatIsNot() {
        var none = server.get(page(SAMPLE.draft()) + "?finding=CONFLICT").html();
        var wrong = server.get(page(SAMPLE.draft()) + "?finding=ODD");

        assertThat(none.select(".empty-title").text()).isEqualTo("No line is “conflict”");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.html().select("[role=alert]").text()).contains("finding must be one of CONFLICT, SUSPICIOUS");
    }

    @Test
    void draftsWhatTheFormSaysOnceHoweverOftenItIsSent() {
        var form = server.get("/changes/new?store=DE-0001&product=BURGER-010&channel=")
                .html();
        var fields = fields(form);
        fields.putAll(Map.of("name", "Burger week", "reason", "advertised", "date", "2199-07-01", "amount", "4.99"));

        var first = server.post("/changes/new", fields);
        var again = server.post("/changes/new", fields);
        fields.put("amount", "5.99");
        var other = server.post("/changes/new", fields);

        assertThat(first.status()).isEqualTo(303);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        var html = server.get(first.header("Location")).html();
        assertThat(html.select("h1").text()).isEqualTo("Burger week");
        assertThat(html.select(".facts").text()).contains("2199-07-01 on each store's own clock");
        assertThat(html.select("tbody tr").text()).contains("BURGER-010", "€10.90", "€4.99");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.html().select("[role=alert] a").attr("href")).isEqualTo(first.header("Location"));
        assertThat(other.html().select("input[name=key]").attr("value")).isNotEqualTo(fields.get("key"));
        assertThat(other.html().select("#amount").attr("value")).isEqualTo("5.99");
    }

    @Test
    void fillsTheFormWithWhatTheAddressSays() {
        var html = server.get("/changes/new?store=DE-0001&product=COFFEE&product=TEA&channel=KIOSK")
                .html();
        var everywhere = server.get("/changes/new?product=COFFEE").html();

        assertThat(html.expectFirst("#stores").wholeText()).isEqualTo("DE-0001");
        assertThat(html.expectFirst("#products").wholeText()).isEqualTo("COFFEE\nTEA");
        assertThat(html.expectFirst("#channels").wholeText()).isEqualTo("KIOSK");
        assertThat(html.select("[name=when][checked]").attr("value")).isEqualTo("date");
        assertThat(everywhere.select("[name=storesBy][checked]").attr("value")).isEqualTo("all");
        assertThat(everywhere.expectFirst("#channels").wholeText()).isEqualTo("ALL");
    }

    @Test
    void fillsTheFormWithAsManyPricesAsAListHas() {
        var chosen = server.get("/stores/DE-0001").html().expectFirst("form#selection");
        // As long as ids may be, and longer in an address.
        var products = IntStream.range(0, 256)
                .mapToObj(number -> "%03d, ".formatted(number) + "\u00e9".repeat(59))
                .toList();

        var one = server.send(sent(chosen, products.subList(0, 1))).html();
        var all = server.send(sent(chosen, products));

        assertThat(one.expectFirst("#products").wholeText()).isEqualTo(products.getFirst());
        assertThat(one.expectFirst("#stores").wholeText()).isEqualTo("DE-0001");
        assertThat(one.expectFirst("#channels").wholeText()).isEqualTo("KIOSK");
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.html().expectFirst("#products").wholeText().lines()).containsExactlyElementsOf(products);
    }

    private HttpRequest.Builder sent(Element form, List<String> products) {
        var body = "store=" + form.select("[name=store]").attr("value") + "&channel=KIOSK"
                + products.stream()
                        .map(product -> "&product=" + PagesServer.encoded(product))
                        .collect(Collectors.joining());
        return HttpRequest.newBuilder(server.address(form.attr("action")))
                .header("Accept", "text/html")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(form.attr("method").toUpperCase(Locale.ROOT), BodyPublishers.ofString(body));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    name      |             | name     | Must have 1 to 200 characters, not only blanks
                    reason    |             | reason   | Must have 1 to 500 characters, not only blanks
                    date      |             | date     | Must be a date such as 2026-03-01 or 01.03.2026
                    date      | 2026-02-30  | date     | Must be a date such as 2026-03-01 or 01.03.2026
                    date      | 2020-01-01  | date     | Must not have passed in every time zone
                    time      | 25:00       | time     | Must be a time such as 06:00, or empty for midnight
                    stores    |             | stores   | Must name 1 to 1000 stores
                    stores    | a#b         | stores   | “a#b” must not contain '#'
                    products  |             | products | Must name at least one product
                    products  | a#b         | products | “a#b” must not contain '#'
                    channels  |             | channels | Must name at least one channel
                    amount    |             | amount   | Must be a number such as 4.50 or 4,50
                    amount    | 3e1         | amount   | Must be a number such as 4.50 or 4,50
                    amount    | -1          | amount   | Must not be negative
                    ending    | 9x          | ending   | Must be 1 to 4 digits, such as 99
                    """)
    void saysBesideTheFieldWhatIsWrongWithIt(String field, @Nullable String value, String beside, String rule) {
        var before = sets();
        var fields =
                fields(server.get("/changes/new?store=DE-0001&product=COFFEE").html());
        fields.putAll(Map.of("name", "n", "reason", "r", "date", "2199-07-01", "amount", "3.10"));
        fields.put(field, value == null ? "" : value);

        var answer = server.post("/changes/new", fields);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + beside + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + beside).attr("aria-invalid")).isEqualTo("true");
        assertThat(answer.html().select("input[name=key]").attr("value")).isEqualTo(fields.get("key"));
        assertThat(sets()).isEqualTo(before);
    }

    @Test
    void draftsAFileAndOffersATemplateThatItReads() {
        var form = server.get("/changes/new/csv").html();
        var template = server.get(form.select("a[href*=.csv]").attr("href"));

        var answer = server.upload("/changes/new/csv", about(form, "From a file"), "file", template.body());

        assertThat(template.header("Content-Disposition")).isEqualTo("attachment; filename=\"changes.csv\"");
        assertThat(answer.status()).isEqualTo(303);
        var ended = imported(answer.header("Location"));
        assertThat(ended.select("h1").text()).isEqualTo("changes.csv");
        var html =
                server.get(ended.expectFirst("a.button-primary").attr("href")).html();
        assertThat(html.select("h1").text()).isEqualTo("From a file");
        assertThat(html.select(".lead").text()).contains("through a CSV file");
        assertThat(html.select(".facts").text()).contains("2199-07-01 on each store's own clock");
        assertThat(html.select("tbody tr").eachText())
                .hasSize(1)
                .allMatch(row -> row.contains("HAMBURGER") && row.contains("€2.49"));
        assertThat(ended.select("table[aria-label=Rows of each file] tbody tr").text())
                .as("the sample has no prices for the others to change")
                .startsWith("changes.csv changes 3 ");
    }

    @Test
    void draftsOneSetOfAFormOfAFileThatIsSentAgain() {
        var form = server.get("/changes/new/csv").html();
        var fields = new HashMap<>(about(form, "Sent again"));
        fields.put("key", form.select("form[enctype] input[name=key]").attr("value"));
        var file = HEADER + "DE-0001,,COFFEE,,,SET,3.10,,\n";

        var first = server.upload("/changes/new/csv", fields, "file", file).header("Location");
        imported(first);
        var again = server.upload("/changes/new/csv", fields, "file", file).header("Location");

        assertThat(again).isEqualTo(first);
        assertThat(fields.get("key")).startsWith("page-");
    }

    @Test
    void listsTheRowsOfAFileThatAreWrongAndDraftsTheOthers() {
        var form = server.get("/changes/new/csv").html();

        var answer = server.upload(
                "/changes/new/csv",
                about(form, "Half a file"),
                "file",
                HEADER + "DE-0001,,COFFEE,,,SET,3.10,,\na#b,,COFFEE,,,SET,3.10,,\nDE-0001,,COFFEE,,,SET,3;10,,\n");

        assertThat(answer.status()).isEqualTo(303);
        var ended = imported(answer.header("Location"));
        assertThat(ended.select("table[aria-label=Rejected rows] tbody tr").eachText())
                .containsExactly(
                        "changes row 3 store a#b store must not contain '#' INVALID_ID",
                        "changes row 4 amount 3;10 amount must be a plain decimal number such as 4.50: a point before"
                                + " decimals, no exponent, no separators INVALID_AMOUNT");
        var draft =
                server.get(ended.expectFirst("a.button-primary").attr("href")).html();
        assertThat(draft.select("h1").text()).isEqualTo("Half a file");
        assertThat(draft.select("tbody tr").eachText()).hasSize(1).allMatch(row -> row.contains("€3.10"));
    }

    @Test
    void draftsNothingOfAFileThatCannotBeUsed() {
        var before = sets();
        var form = server.get("/changes/new/csv").html();

        var answer = server.upload("/changes/new/csv", about(form, "Bad file"), "file", "store,price\n");

        var ended = imported(answer.header("Location"));
        assertThat(ended.select(".badge").text()).isEqualTo("Refused");
        assertThat(ended.select("main").text()).contains("column 2 is 'price', which is unknown");
        assertThat(ended.select("a.button-primary")).isEmpty();
        assertThat(sets()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    name | ''         | name | Must have 1 to 200 characters, not only blanks
                    date | 2026-02-30 | date | Must be a date such as 2026-03-01 or 01.03.2026
                    key  | any        | file | Must be chosen
                    """)
    void saysBesideTheFieldWhatIsWrongWithTheFormOfAFile(String field, String value, String beside, String rule) {
        var fields = new HashMap<>(about(server.get("/changes/new/csv").html(), "A file"));
        fields.put(field, value);

        var answer = server.upload("/changes/new/csv", fields, "other", "");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + beside + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#reason").attr("value")).isEqualTo("costs rose");
    }

    @Test
    void saysEverythingThatIsWrongWithTheFormOfAFileAtOnce() {
        var answer = server.upload("/changes/new/csv", Map.of("when", "date"), "other", "");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("[role=alert] .alert-title").text())
                .isEqualTo("Nothing was drafted: 4 things to fix");
        assertThat(answer.html().select("[role=alert] a").eachAttr("href"))
                .containsExactly("#file", "#name", "#reason", "#date");
        assertThat(answer.html().select("[aria-invalid]").eachAttr("id"))
                .containsExactly("file", "name", "reason", "date");
    }

    @Test
    void showsFirstPricesThatAreNotListedAndHasAllInTheCsv() {
        var store = store("DE-0099", "Neukölln");
        var prices = IntStream.rangeClosed(1, 60)
                .mapToObj(number -> new BasePrice(
                        store,
                        Channel.ALL,
                        new ProductId("BURGER-%03d".formatted(number)),
                        EffectiveDate.parse("2026-01-01"),
                        new Money(new BigDecimal("4.50"), store.currency())))
                .toList();

        var set = SamplePrices.save(server.bean(Imports.class), SAMPLE.sets(), prices);

        var html = server.get(page(set.id())).html();
        assertThat(html.select("#first-prices .list-head p").text())
                .isEqualTo("60 prices in all. The first 50 are listed here; the CSV has all.");
        assertThat(html.select("#first-prices tbody tr").eachText())
                .hasSize(50)
                .element(0)
                .asString()
                .contains("Neukölln", "BURGER-001", "€4.50", "2026-01-01", "New");
        assertThat(html.select(".empty-title").text()).isEqualTo("Nothing but first prices");
        var csv = server.get(html.select("#first-prices a[href*=.csv]").attr("href"));
        assertThat(csv.body().lines())
                .hasSize(61)
                .anyMatch(line -> line.contains(",DE-0099,ALL,BURGER-060,,,,4.50,EUR,2026-01-01,,NEW,,APPLIED"));
        assertThat(server.get(page(set.id()) + "?finding=NEW").html().select("#first-prices tbody tr"))
                .hasSize(50);
        assertThat(server.get(page(set.id()) + "?finding=CONFLICT").html().select("#first-prices"))
                .isEmpty();
    }

    @Test
    void listsAFirstPriceThatNeedsAcceptanceAsThatAndNotAmongTheOthers() {
        var store = store("DE-0097", "Kiosk");
        var product = "BURGER-001";
        var kiosk = new Channel("KIOSK");
        save(List.of(first(store, Channel.ALL, product, "4.50")));

        var set = save(List.of(
                first(store, kiosk, product, "450.00"),
                first(store, kiosk, "BURGER-002", "4.50"),
                first(store, kiosk, "BURGER-003", "4.50")));

        var html = server.get(page(set.id())).html();
        assertThat(html.select("form[aria-label=Prices] tbody tr").eachText())
                .singleElement()
                .asString()
                .contains(product, "Suspicious");
        assertThat(html.select("#first-prices .list-head p").text()).isEqualTo("2 prices in all.");
        assertThat(server.get(page(set.id()) + "?finding=NEW").html().select("#first-prices tbody tr"))
                .hasSize(2);
        assertThat(server.get(page(set.id()) + "/lines.csv?finding=NEW").body().lines())
                .hasSize(3)
                .noneMatch(line -> line.contains(product));
        assertThat(server.get(page(set.id()) + "/lines.csv").body().lines()).hasSize(4);
    }

    private static BasePrice first(Store store, Channel channel, String product, String amount) {
        return new BasePrice(
                store,
                channel,
                new ProductId(product),
                EffectiveDate.parse("2026-01-01"),
                new Money(new BigDecimal(amount), store.currency()));
    }

    private ChangeSet save(List<BasePrice> prices) {
        return SamplePrices.save(server.bean(Imports.class), SAMPLE.sets(), prices);
    }

    @Test
    void saysWhenTheFirstPriceOfAStoreTakesEffect() {
        var store = store("DE-0098", "Opening");
        var before = server.get("/stores/DE-0098").html();
        var day = SAMPLE.day().plusMonths(1);

        SamplePrices.save(
                server.bean(Imports.class),
                SAMPLE.sets(),
                List.of(new BasePrice(
                        store,
                        Channel.ALL,
                        new ProductId("COFFEE"),
                        EffectiveDate.startOf(day),
                        new Money(new BigDecimal("4.50"), store.currency()))));

        var html = server.get("/stores/DE-0098").html();
        assertThat(before.select(".empty a").attr("href")).isEqualTo("/imports");
        assertThat(html.select(".empty").text())
                .contains("The first one takes effect on " + day + ", on the store's own clock.");
        assertThat(html.select(".empty a").attr("href")).isEqualTo("/stores/DE-0098/changes");
        assertThat(server.get("/stores/DE-0098/swaps").html().select(".empty a").attr("href"))
                .as("there is no swap price to come")
                .isEqualTo("/imports");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    apply      | Only a draft can be applied. The set is: cancelled.
                    cancel     | Only a draft, or a set that waits for its time, can be cancelled. The set is: cancelled.
                    reschedule | Only a set that waits for its time can be rescheduled. The set is: cancelled.
                    retry      | None of its prices has failed. The set is: cancelled.
                    undo       | Only a set that is applied, in whole or in part, can be undone. The set is: cancelled.
                    """)
    void asksNothingThatTheSetDoesNotAllow(String action, String why) {
        var answer = server.get(page(SAMPLE.cancelled()) + "/" + action);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.html().select("h1").text()).isEqualTo("Never mind");
        assertThat(answer.html().select("[role=alert]").text()).isEqualTo("Nothing was changed " + why);
    }

    @Test
    void saysThatNothingHasFailedWhereAnotherSetHasOvertakenIt() {
        var answer = server.get(page(SAMPLE.failed()) + "/retry");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.html().select("[role=alert]").text())
                .isEqualTo("Nothing was changed None of its prices has failed. The set is: scheduled.");
    }

    @Test
    void appliesAndUndoesAfterAQuestionAndSaysSo() {
        var set = SAMPLE.draft("Round trip", null, "20.50", "BURGER-020").id();
        var question = server.get(page(set) + "/apply").html();

        var applied = server.post(page(set) + "/apply", fields(question));

        assertThat(question.select("h1").text()).isEqualTo("Change 1 price?");
        assertThat(question.select("tbody tr").text()).contains("BURGER-020", "€20.90", "€20.50");
        assertThat(applied.status()).isEqualTo(303);
        var html = server.get(applied.header("Location")).html();
        assertThat(html.expectFirst("[data-summary]").text()).isEqualTo("1 price is changed.");
        assertThat(html.select(".alert-title").text()).isEqualTo("Applied.");
        assertThat(price("BURGER-020")).isEqualTo("20.50");

        var asked = fields(server.get(page(set) + "/undo").html());
        assertThat(server.post(page(set) + "/undo", asked).status()).isEqualTo(400);
        asked.put("reason", "a mistake");
        var undo = server.post(page(set) + "/undo", asked);
        var draft = page(new ChangeSetId(
                undo.header("Location").replaceFirst("/changes/", "").replaceFirst("\\?.*", "")));
        var undone = server.post(
                draft + "/apply", fields(server.get(draft + "/apply").html()));

        assertThat(undone.status()).isEqualTo(303);
        assertThat(server.get(draft).html().select(".facts a").text()).contains("what another set changed");
        assertThat(server.get(page(set)).html().expectFirst(".badge").text()).isEqualTo("Undone");
        assertThat(price("BURGER-020")).isEqualTo("20.90");
        assertThat(server.get("/prices/history?store=DE-0001&product=BURGER-020")
                        .html()
                        .select("tbody tr")
                        .eachText())
                .hasSize(2)
                .anyMatch(row -> row.contains("€20.90 €20.50 -€0.40 (-1.9%) grace in the back office costs rose"))
                .anyMatch(row ->
                        row.contains("€20.50 €20.90") && row.contains("back-office in the back office a mistake"));
    }

    @Test
    void appliesSuspiciousPricesOnlyWhereTheyAreMeant() {
        var set = SAMPLE.draft("Typing error", null, "990", "BURGER-021").id();
        var fields = fields(server.get(page(set) + "/apply").html());

        var refused = server.post(page(set) + "/apply", fields);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("#suspicious-error").text()).startsWith("Say that they are meant");
        assertThat(refused.html().select("label:has([name=suspicious])").text()).isEqualTo("This price is meant");
        assertThat(price("BURGER-021")).isEqualTo("21.90");

        fields.put("suspicious", "meant");
        assertThat(server.post(page(set) + "/apply", fields).status()).isEqualTo(303);
        assertThat(price("BURGER-021")).isEqualTo("990.00");
    }

    @Test
    void refusesToApplyAPreviewThatIsNotTheLatestAndDoesItAfterAnother() {
        var set = SAMPLE.draft("Overtaken", null, "22.50", "BURGER-022").id();
        var seen = fields(server.get(page(set) + "/apply").html());
        ChangeSample.apply(SAMPLE.sets(), SAMPLE.draft("Quicker", null, "22.70", "BURGER-022"));

        var stale = server.post(page(set) + "/apply", seen);

        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.html().select("[role=alert]").text()).contains("Nothing was changed", "Preview again");
        assertThat(price("BURGER-022")).isEqualTo("22.70");

        var action =
                server.get(page(set)).html().select("form:has(#action-preview)").attr("action");
        assertThat(server.post(action, Map.of()).status()).isEqualTo(303);
        assertThat(server.post(page(set) + "/apply", seen).status()).isEqualTo(409);
        assertThat(server.post(
                                page(set) + "/apply",
                                fields(server.get(page(set) + "/apply").html()))
                        .status())
                .isEqualTo(303);
        assertThat(price("BURGER-022")).isEqualTo("22.50");
    }

    @Test
    void movesAndCancelsWhatWaitsForItsTimeOnce() {
        var day = SAMPLE.day().plusDays(3);
        var set = ChangeSample.apply(SAMPLE.sets(), SAMPLE.draft("Postponed", day, "23.50", "BURGER-023"))
                .id();

        var wrong = server.post(page(set) + "/reschedule", Map.of("date", "soon"));
        var moved = server.post(
                page(set) + "/reschedule", Map.of("date", day.plusDays(1).toString(), "time", "06:30"));

        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.html().select("#date-error").text())
                .isEqualTo("Must be a date such as 2026-03-01 or 01.03.2026");
        assertThat(moved.status()).isEqualTo(303);
        assertThat(server.get(page(set)).html().select(".facts").text()).contains(day.plusDays(1) + " 06:30");

        var cancelled = server.post(page(set) + "/cancel", Map.of());
        var again = server.post(page(set) + "/cancel", Map.of());

        var after = server.get(cancelled.header("Location")).html();
        assertThat(after.expectFirst(".badge").text()).isEqualTo("Cancelled");
        assertThat(after.expectFirst("[data-summary]").text()).isEqualTo("Taken back before its time.");
        assertThat(again.status()).as("it stays so").isEqualTo(303);
        assertThat(SAMPLE.sets().find(ChangeSample.GRACE, set).orElseThrow().status())
                .isEqualTo(ChangeSetStatus.CANCELLED);
    }

    @Test
    void cancelsNothingThatIsNotAnyMoreWhatWasAskedAbout() {
        var draft = SAMPLE.draft("Applied meanwhile", SAMPLE.day().plusDays(5), "26.50", "BURGER-026");
        var cancel = page(draft.id()) + "/cancel";
        var asked = fields(server.get(cancel).html());
        ChangeSample.apply(SAMPLE.sets(), draft);

        var late = server.post(cancel, asked);

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html().select("[role=alert]").text()).contains("Nothing was changed", "not as you saw it");
        assertThat(late.html().select(".facts .badge").text()).isEqualTo("Scheduled");
        assertThat(SAMPLE.sets()
                        .find(ChangeSample.GRACE, draft.id())
                        .orElseThrow()
                        .status())
                .isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(server.post(cancel, fields(late.html())).status()).isEqualTo(303);
        assertThat(SAMPLE.sets()
                        .find(ChangeSample.GRACE, draft.id())
                        .orElseThrow()
                        .status())
                .isEqualTo(ChangeSetStatus.CANCELLED);
    }

    @Test
    void saysOfADraftThatWasCancelledThatItHasChangedNothing() {
        var html = server.get(page(SAMPLE.cancelled())).html();

        assertThat(html.expectFirst("[data-summary]").text()).isEqualTo("Cancelled as a draft: no price was changed.");
    }

    @Test
    void saysWhatIsAndNotWhatWasAskedForWhereAnotherTabWasQuicker() {
        var day = SAMPLE.day().plusDays(4);
        var set = SAMPLE.draft("In two tabs", day, "24.50", "BURGER-024").id();
        var asked = fields(server.get(page(set) + "/apply").html());

        var applied = server.post(page(set) + "/apply", asked).header("Location");
        assertThat(server.get(applied).html().select(".alert-title").text())
                .isEqualTo("Scheduled: takes effect " + day + " on each store's own clock.");
        server.post(page(set) + "/cancel", Map.of());
        var late = server.post(page(set) + "/apply", asked);

        assertThat(late.status()).isEqualTo(409);
        assertThat(late.html().select("[role=alert]").text())
                .isEqualTo("Nothing was changed Only a draft can be applied. The set is: cancelled.");
        assertThat(server.get(applied).html().select(".alert")).isEmpty();
    }

    @Test
    void saysBeforeItIsAppliedWhatIsLeftOutAndWhatIsRisky() {
        var html = server.get(page(SAMPLE.draft()) + "/apply").html();

        assertThat(html.select("[data-left]").text()).isEqualTo("2 will not change: 1 no change, 1 not found.");
        assertThat(html.select(".alert-warning li").eachText())
                .containsExactly("1 price would change more than prices mostly do.");
    }

    @Test
    void movesNothingIntoThePastAndSaysSoBesideTheDate() {
        var before = SAMPLE.sets().find(ChangeSample.GRACE, SAMPLE.scheduled());
        var fields = fields(server.get(page(SAMPLE.scheduled()) + "/reschedule").html());
        fields.put("date", "2020-01-01");

        var answer = server.post(page(SAMPLE.scheduled()) + "/reschedule", fields);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#date-error").text()).isEqualTo("Must be to come in every store");
        assertThat(answer.html().select("#date").attr("aria-invalid")).isEqualTo("true");
        assertThat(SAMPLE.sets().find(ChangeSample.GRACE, SAMPLE.scheduled())).isEqualTo(before);
    }

    @Test
    void listsWhatIsToComeInAStore() {
        var html = server.get("/stores/DE-0001/changes?from=" + SAMPLE.day() + "T00:00&to="
                        + SAMPLE.day().plusDays(1) + "T00:00")
                .html();
        var later = server.get("/stores/DE-0001/changes?from=2199-01-01T00:00");
        var wrong = server.get("/stores/DE-0001/changes?from=soon");

        assertThat(html.select("tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.contains("COFFEE €3.60 " + SAMPLE.day()))
                .anyMatch(row -> row.contains("BURGER-004 €4.20"));
        assertThat(html.select("tbody a[href^=/changes/]").attr("href")).isEqualTo(page(SAMPLE.scheduled()));
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith("DE-0001,ALL,COFFEE,,," + SAMPLE.day() + ","));
        assertThat(later.html().select(".empty-title").text()).isEqualTo("Nothing is to change at that time");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.html().select("#from-error").text()).startsWith("Must be a date and time");
        assertThat(server.get("/stores/nowhere/changes").status()).isEqualTo(404);
    }

    @Test
    void showsAMonthOfBatchesAndTheOnesOfADay() {
        var month = server.get("/changes/calendar?month=" + SAMPLE.month()).html();
        var day = server.get(month.select(".calendar a").attr("href")).html();

        assertThat(month.select(".calendar tbody tr")).hasSizeBetween(4, 6);
        assertThat(month.select(".calendar a").text())
                .as("what is shown, with words for those who only hear it")
                .matches("[A-Z][a-z]+day [0-9]{1,2} [A-Z][a-z]+ [0-9]{4}: 2 batches, 3 changes");
        assertThat(day.select("input[name=day]").attr("value"))
                .isEqualTo(SAMPLE.day().toString());
        assertThat(day.select("table[aria-label^=Batches] tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.contains("Berlin Alexanderplatz") && row.endsWith("2 Next season"))
                .anyMatch(row -> row.contains("東京 新宿") && row.endsWith("1 Next season"));
        assertThat(server.get(day.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(3)
                .anyMatch(line -> line.contains(",JP-0001,ALL," + SAMPLE.day() + ",1," + SAMPLE.scheduled()));
        for (var way : month.select("nav[aria-label=Months] a").eachAttr("href")) {
            assertThat(server.get(way).status()).isEqualTo(200);
        }
        assertThat(server.get("/changes/calendar?month=never").status()).isEqualTo(400);
        assertThat(server.get("/changes/calendar?month=2026-03&day=2026-04-01").status())
                .isEqualTo(400);
    }

    @Test
    void showsWhatIsToComeOnDaysOfTheNextMonthThatAreInTheLastWeek() {
        var month = SAMPLE.month().plusMonths(24);
        while (month.atEndOfMonth().getDayOfWeek() == DayOfWeek.SUNDAY) {
            month = month.plusMonths(1);
        }
        var next = month.plusMonths(1);
        var address = "/changes/calendar?month=" + next + "&day=" + next.atDay(1) + "#day";
        var set = ChangeSample.apply(SAMPLE.sets(), SAMPLE.draft("On the first", next.atDay(1), "25.50", "BURGER-025"));

        var html = server.get("/changes/calendar?month=" + month).html();
        SAMPLE.sets().cancel(ChangeSample.GRACE, set.id());

        assertThat(html.select(".calendar a").eachAttr("href")).containsExactly(address);
        assertThat(html.select(".calendar-outside .calendar-changes").text()).isEqualTo("1 change");
        assertThat(html.select("form[aria-label=Calendar] .panel-note").text())
                .isEqualTo("Nothing is to come in this month.");
        assertThat(html.select("input[name=day]").attr("value"))
                .isEqualTo(month.atDay(1).toString());
    }

    @Test
    void saysWhatIsToComeInAMonthThoughItsDayIsWrong() {
        var wrong = server.get("/changes/calendar?month=" + SAMPLE.month() + "&day=2026-01-01");

        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.html().select("#day-error").text()).startsWith("Must be a day of " + SAMPLE.month());
        assertThat(wrong.html().select("form[aria-label=Calendar] .panel-note").text())
                .isEqualTo("2 batches, 3 changes in this month.");
        assertThat(wrong.html().select("input[name=month][type=month]").attr("value"))
                .isEqualTo(SAMPLE.month().toString());
        assertThat(wrong.html().select(".calendar a")).hasSize(1);
    }

    @Test
    void showsAPriceThatIsDeletedAsNoPrice() {
        var rule = ChangeSample.rule("1.10", "BURGER-006", "DE-0001");
        var deletion =
                new ChangeRule(rule.stores(), rule.subjects(), rule.channels(), new PriceOperation.Delete(), null);
        var draft = SAMPLE.drafts()
                .draft(
                        ChangeSample.GRACE,
                        new DraftChangeSet("Off the menu", "nobody wants it", null, List.of(deletion)),
                        null);
        ChangeSample.apply(SAMPLE.sets(), ((ChangeSetResult.Done) draft).set());

        var html = server.get("/stores/DE-0001/products/BURGER-006").html();

        assertThat(html.select(".figure-none").eachText()).element(0).isEqualTo("No price");
        assertThat(html.select("table[aria-label^=Timeline] tbody tr").eachText())
                .element(0)
                .asString()
                .endsWith("In effect No price");
        assertThat(html.select(".figures .muted").eachText())
                .element(0)
                .asString()
                .startsWith("since ");
        assertThat(html.select("desc").text()).contains(". No price from ");
        assertThat(server.get(html.select("a[href*=.csv]").attr("href"))
                        .body()
                        .lines()
                        .toList())
                .last()
                .asString()
                .startsWith("DE-0001,ALL,BURGER-006,,,")
                .endsWith(",,");
    }

    @Test
    void saysSinceWhenAChannelSellsAtThePriceOfAll() {
        var store = store("DE-0096", "Fallback");
        var kiosk = new Channel("KIOSK");
        save(List.of(first(store, Channel.ALL, "COFFEE", "4.00"), first(store, kiosk, "COFFEE", "5.00")));
        var deletion = new ChangeRule(
                new StoreSelection.Listed(List.of(store.id())),
                List.of(new PriceSubject.Product(new ProductId("COFFEE"))),
                List.of(kiosk),
                new PriceOperation.Delete(),
                null);
        var draft = SAMPLE.drafts()
                .draft(
                        ChangeSample.GRACE,
                        new DraftChangeSet("No price of its own", "one for all", null, List.of(deletion)),
                        null);
        ChangeSample.apply(SAMPLE.sets(), ((ChangeSetResult.Done) draft).set());

        var html = server.get("/stores/DE-0096/products/COFFEE?channel=KIOSK").html();

        var deleted =
                html.select("table[aria-label^=Timeline] td span").getFirst().text();
        assertThat(deleted).isNotEqualTo("2026-01-01");
        assertThat(html.select(".figure").eachText()).element(0).isEqualTo("€4.00");
        assertThat(html.select(".figures .muted").eachText()).element(0).isEqualTo("since " + deleted);
    }

    @Test
    void saysWhoChangedAPriceAndItsLowestOfThirtyDays() {
        var timeline = server.get("/stores/DE-0001/products/BURGER-003").html();

        var html =
                server.get(timeline.select("a:contains(History)").attr("href")).html();

        assertThat(html.select(".figure").text()).isEqualTo("€3.40");
        assertThat(html.select("tbody tr").text()).contains("€3.90", "€3.40", "grace in the back office", "costs rose");
        assertThat(html.select("tbody a").attr("href")).isEqualTo(page(SAMPLE.applied()));
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(2);
        assertThat(server.get("/prices/history").html().select(".empty-title").text())
                .isEqualTo("Which price?");
        var missing = server.get("/prices/history?store=nowhere&product=TEA");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.html().select("#store-error").text()).isEqualTo("Must exist: there is no nowhere");
    }

    @Test
    void saysOfASetThatIsTakingEffectWhatCancellingItLeaves() {
        var tokyo = ZoneId.of("Asia/Tokyo");
        var soon = LocalDateTime.ofInstant(server.now(), tokyo).plusSeconds(4).truncatedTo(ChronoUnit.SECONDS);
        var drafted = SAMPLE.drafts()
                .draft(
                        ChangeSample.GRACE,
                        new DraftChangeSet(
                                "Follows the sun",
                                "costs rose",
                                new EffectiveDate(soon),
                                List.of(
                                        ChangeSample.rule("510", "SUNRISE", "JP-0001"),
                                        ChangeSample.rule("5.10", "SUNRISE", "DE-0001"))),
                        null);
        var set = ChangeSample.apply(SAMPLE.sets(), ((ChangeSetResult.Done) drafted).set());

        var shownAs = await().until(
                        () -> server.get(page(set.id())).html(),
                        shown -> shown.expectFirst(".badge").text().equals("In progress"));
        var question = server.get(page(set.id()) + "/cancel").html();
        var cancelled = server.post(
                page(set.id()) + "/cancel",
                Map.of("key", "k", "token", question.select("input[name=token]").attr("value")));

        assertThat(shownAs.select("[data-refresh]").attr("hx-trigger")).isEqualTo("load delay:60s, again");
        assertThat(question.select(".lead").text())
                .isEqualTo(
                        "What is not in effect yet is taken back. What is in effect stays, and can be undone afterwards.");
        var after = await().until(
                        () -> server.get(cancelled.header("Location")).html(),
                        shown -> shown.expectFirst(".badge").text().equals("Partly applied"));
        assertThat(after.select(".alert-success").text())
                .isEqualTo("Cancelled: what was not in effect yet is taken back. The rest stays, and can be undone.");
    }

    @Test
    void linksToTheFormFromEveryPageOfPrices() {
        var prices = server.get("/stores/DE-0001?product=COFFEE&channel=KIOSK").html();
        var all = server.get("/products/COFFEE").html();
        var kiosk = server.htmx("/products/COFFEE?channel=KIOSK").html();
        var coming = server.htmx("/stores/DE-0001/changes?channel=KIOSK").html();

        assertThat(prices.select("tbody a:contains(Change)").attr("href"))
                .isEqualTo("/changes/new?store=DE-0001&product=COFFEE&channel=KIOSK");
        assertThat(prices.select("[form=selection][name=product]").attr("value"))
                .isEqualTo("COFFEE");
        assertThat(prices.select("[form=selection][name=channel]").attr("value"))
                .isEqualTo("KIOSK");
        assertThat(prices.select("form#selection input[name=store]").attr("value"))
                .isEqualTo("DE-0001");
        assertThat(all.select(".list-actions a").attr("href")).isEqualTo("/changes/new?product=COFFEE");
        assertThat(all.select(".list-actions").text()).startsWith("In every store, in channel ALL.");
        assertThat(kiosk.select(".list-actions a").attr("href")).isEqualTo("/changes/new?product=COFFEE&channel=KIOSK");
        assertThat(kiosk.select(".list-actions").text()).startsWith("In every store, in channel KIOSK.");
        assertThat(coming.select(".list-actions a").attr("href")).isEqualTo("/changes/new?store=DE-0001&channel=KIOSK");
    }

    @Test
    void showsDeadLettersAndSendsThemBackAfterAQuestion() {
        // While somebody looks at them, as other tests do, nobody else is given these messages.
        await().untilAsserted(() -> {
            var html = server.get("/dead-letters").html();
            assertThat(html.select("h2").eachText()).containsExactly("changes", "due");
            assertThat(html.select("tbody tr").text()).contains(PriceSample.ATTACK);
            var question =
                    server.get(html.select("a:contains(Redrive)").attr("href")).html();
            assertThat(question.select(".facts").text()).contains("About 1 message");
        });
        assertThat(server.get("/dead-letters/nothing/redrive").status()).isEqualTo(404);
        ChangeSample.bury(SAMPLE.due(), "{\"store\":\"DE-0001\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-01-01\"}");
        await().untilAsserted(() -> assertThat(server.get("/dead-letters/due/redrive")
                        .html()
                        .select(".facts")
                        .text())
                .contains("About 1 message"));

        var redriven = server.post("/dead-letters/due/redrive", Map.of());

        assertThat(redriven.header("Location")).isEqualTo("/dead-letters?redriven=due");
        assertThat(server.get("/dead-letters?redriven=due")
                        .html()
                        .select(".alert-title")
                        .text())
                .isEqualTo("The messages of due are on their way again.");
        assertThat(server.get("/dead-letters?redriven=nothing").html().select(".alert"))
                .isEmpty();
        assertThat(server.bean(AuditTrail.class)
                        .bySubject("QUEUE#due", PageRequest.forward(10, null))
                        .nodes())
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.actor()).isEqualTo(new Actor(Actor.Kind.USER, "back-office", Actor.Source.PAGE));
                    assertThat(record.details()).isEqualTo(Map.of("messages", "about 1"));
                });
        await().until(() -> server.bean(DeadLetters.class).queues().contains(new DeadLetters.Queue("due", 0)));
        assertThat(PagesServer.shared()
                        .get("/dead-letters")
                        .html()
                        .select(".empty-title")
                        .text())
                .isEqualTo("No queues are configured");
    }

    @Test
    void doesWhatIsLargeBehindTheScenesAndLeadsThereFromTheOperations() {
        var fields = fields(server.get("/changes/new?product=COFFEE").html());
        fields.putAll(
                Map.of("name", "Everywhere", "reason", "r", "when", "now", "operation", "PERCENT", "percent", "5"));
        fields.put("storesBy", "search");
        fields.put("search", "boutique");

        var answer = server.post("/changes/new", fields);

        assertThat(answer.status()).isEqualTo(303);
        var id = new ChangeSetId(answer.header("Location").replace("/changes/", ""));
        await().until(() ->
                SAMPLE.sets().find(ChangeSample.GRACE, id).orElseThrow().token() != null);
        var html = server.get(page(id)).html();
        assertThat(html.select(".effect").text()).isEqualTo("One price becomes another one.");
        var operation = "tr:has(a[href=" + page(id) + "])";
        await().until(() -> !server.get("/operations").html().select(operation).isEmpty());
        var row = server.get("/operations").html().expectFirst(operation);
        assertThat(row.select("a[href=" + page(id) + "]").text()).isEqualTo("Price changes");
        var task = server.get(row.select("a[href^=/tasks/]").attr("href")).html();
        assertThat(task.select(".facts a[href=" + page(id) + "]").text()).isEqualTo("Price changes");
    }

    @Test
    void offersToCancelASetWhoseTaskIsNoLongerKept() {
        var idle = PagesServer.start("gone-tasks", Map.of("menuboard.pricing.changes.inline", 1));
        try {
            PriceSample.save(idle::bean);
            var sets = idle.bean(ChangeSets.class);
            var id = draftedEverywhere(idle).id();
            var draft =
                    await().until(() -> sets.find(ChangeSample.GRACE, id).orElseThrow(), set -> set.token() != null);
            // So that nobody claims the task before it is removed.
            idle.bean(TaskWorkers.class).close();
            var task = Objects.requireNonNull(ChangeSample.apply(sets, draft).task());
            var db = idle.bean(QueryDb.class);
            db.load("TASK#" + task).forEach(item -> db.transact(List.of(Write.delete(item.key()))));

            var html = idle.get(page(id)).html();

            assertThat(html.select(".alert").text()).contains("Its task is no longer kept and was not done.");
            assertThat(html.select(".actions a").eachText()).contains("Cancel");
            assertThat(idle.post(page(id) + "/cancel", Map.of()).status()).isEqualTo(303);
        } finally {
            idle.stop();
        }
    }

    private static ChangeSet draftedEverywhere(PagesServer server) {
        var rule = new ChangeRule(
                new StoreSelection.Countries(List.of("FR")),
                List.of(new PriceSubject.Product(new ProductId("COFFEE"))),
                List.of(Channel.ALL),
                new PriceOperation.Percent(BigDecimal.TEN),
                null);
        var draft = new DraftChangeSet("Everywhere", "costs rose", null, List.of(rule));
        return ((ChangeSetResult.Done) server.bean(ChangeSetDrafts.class).draft(ChangeSample.GRACE, draft, null)).set();
    }

    @Test
    void offersAnotherPreviewWhereTheLastOneWasCancelled() {
        var idle = PagesServer.start("ended-previews");
        try {
            PriceSample.save(idle::bean);
            // So that nobody claims the task before it is cancelled.
            idle.bean(TaskWorkers.class).close();
            var draft = draftedEverywhere(idle);
            var page = page(draft.id());
            var refresh = "[data-refresh], noscript";
            var before = idle.get(page).html();
            assertThat(before.select(refresh)).hasSize(2);
            assertThat(before.select("#action-preview")).isEmpty();

            idle.bean(TaskAdministration.class)
                    .cancel(ChangeSample.GRACE, Objects.requireNonNull(draft.task()), "not today");

            var html = idle.get(page).html();
            assertThat(html.select(refresh)).isEmpty();
            assertThat(html.select(".alert").text()).contains("Its preview has ended before it was done.");
            assertThat(html.select("#action-preview")).hasSize(1);
            var again = idle.post(page + "/preview", Map.of());
            assertThat(idle.get(again.header("Location"))
                            .html()
                            .select(".alert")
                            .text())
                    .isEqualTo("It is being previewed.");
        } finally {
            idle.stop();
        }
    }

    @Test
    void saysOfALargeSetThatItIsTakenBackOrMovedAndNotThatItIsBeingApplied() {
        var idle = PagesServer.start("large-sets", Map.of("menuboard.pricing.changes.inline", 0));
        try {
            PriceSample.save(idle::bean);
            var cancelled = scheduled(idle, "3.30");
            var moved = scheduled(idle, "3.40");
            // So that nobody does what is asked for from here on.
            idle.bean(TaskWorkers.class).close();

            var cancel = idle.post(page(cancelled) + "/cancel", Map.of()).header("Location");
            var move = idle.post(page(moved) + "/reschedule", Map.of("date", "2199-09-01"))
                    .header("Location");

            saysTwice(idle.get(cancel).html(), "Being taken back: 72 prices.");
            saysTwice(idle.get(move).html(), "Being moved: 72 prices.");
            assertThat(idle.get(page(moved) + "?did=cancel").html().select(".alert"))
                    .isEmpty();
        } finally {
            idle.stop();
        }
    }

    private static void saysTwice(Document html, String state) {
        assertThat(html.expectFirst("[data-summary]").text()).isEqualTo(state);
        assertThat(html.select(".alert-title").text()).isEqualTo(state);
    }

    /** A set of more prices than one transaction takes, which waits for its time. */
    private static ChangeSetId scheduled(PagesServer server, String amount) {
        var stores = PriceSample.MANY.stream().map(store -> store.id().value()).toArray(String[]::new);
        var date = EffectiveDate.parse("2199-07-01");
        var rules = List.of(ChangeSample.rule(amount, "COFFEE", stores));
        var drafted = server.bean(ChangeSetDrafts.class)
                .draft(ChangeSample.GRACE, new DraftChangeSet(amount, "costs rose", date, rules), null);
        var id = ((ChangeSetResult.Done) drafted).set().id();
        var sets = server.bean(ChangeSets.class);
        ChangeSample.apply(
                sets, await().until(() -> sets.find(ChangeSample.GRACE, id).orElseThrow(), set -> set.token() != null));
        await().until(
                        () -> sets.find(ChangeSample.GRACE, id).orElseThrow().status(),
                        ChangeSetStatus.SCHEDULED::equals);
        return id;
    }

    @ParameterizedTest
    @CsvSource({"/changes/nonsense, 400", "/changes/01JD8X00000000000000000000, 404"})
    void saysThatThereIsNoSuchSet(String page, int status) {
        Answer answer = server.get(page);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.html().select("main a").attr("href")).isEqualTo("/changes");
    }

    /** What a browser would send of the page's form. */
    private static Map<String, String> fields(Document html) {
        var fields = new HashMap<String, String>();
        var form = html.expectFirst("main form[method=post]");
        for (var field : form.select("input, textarea")) {
            var choice =
                    field.attr("type").equals("radio") || field.attr("type").equals("checkbox");
            if (!choice || field.hasAttr("checked")) {
                fields.put(
                        field.attr("name"),
                        field.tagName().equals("textarea") ? field.wholeText() : field.attr("value"));
            }
        }
        return fields;
    }

    /** A new one where Berlin is. */
    private Store store(String id, String name) {
        var berlin = PriceSample.BERLIN;
        var store = new Store(
                new StoreId(id), name, berlin.address(), berlin.timeZone(), berlin.currency(), berlin.status());
        server.bean(Stores.class).save(EVERYTHING, List.of(store));
        return store;
    }

    /** What an import says once it has ended. */
    private Document imported(String page) {
        assertThat(page).startsWith("/imports/");
        return await().until(() -> server.get(page).html(), html -> html.select("progress")
                .isEmpty());
    }

    /** The fields of the form of a file, filled in validly. */
    private static Map<String, String> about(Document form, String name) {
        assertThat(form.select("form[enctype] input[name=name]")).hasSize(1);
        return Map.of("name", name, "reason", "costs rose", "when", "date", "date", "2199-07-01", "time", "");
    }

    private List<String> sets() {
        var sets = new ArrayList<String>();
        server.get("/changes.csv")
                .body()
                .lines()
                .map(line -> line.split(",", 2)[0])
                .forEach(sets::add);
        return sets;
    }

    private String price(String product) {
        var pricing = server.bean(Pricing.class);
        return pricing.price(EVERYTHING, new StoreId("DE-0001"), new ProductId(product), Channel.ALL, pricing.now())
                .orElseThrow()
                .price()
                .amount()
                .toPlainString();
    }
}
