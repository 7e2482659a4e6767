package io.menuboard.webadmin.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.OptionId;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceEnding;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.PagesServer;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form "Change prices", as it is filled in. */
class NewChangePagesTest {
    private static final ChangeSample SAMPLE = ChangeSample.start("new-change-pages");

    private final PagesServer server = SAMPLE.server();

    @ParameterizedTest
    @ValueSource(strings = {"JP", "japan", " Japan ;", "jp, JP"})
    void changesEveryStoreOfACountryAndNoOther(String typed) {
        var fields = filledIn();
        fields.putAll(Map.of("storesBy", "countries", "countries", typed, "operation", "PERCENT", "percent", "5"));

        var answer = server.post("/changes/new", fields);

        assertThat(answer.status()).isEqualTo(303);
        assertThat(previewed(answer.header("Location"))
                        .select("tbody tr td:first-child span.code")
                        .eachText())
                .containsExactly("JP-0001");
    }

    @Test
    void findsCountriesAsTheyAreWritten() {
        var fields = filledIn();
        fields.putAll(Map.of("storesBy", "countries", "countries", "Turkiye, bosnia and herzegovina, Cote d'Ivoire"));

        var answer = server.post("/changes/new", fields);

        var id = new ChangeSetId(answer.header("Location").replaceFirst("/changes/", ""));
        assertThat(SAMPLE.lines().rules(ChangeSample.GRACE, id).getFirst().stores())
                .isEqualTo(new StoreSelection.Countries(List.of("BA", "CI", "TR")));
    }

    @Test
    void offersCountriesByTheirEnglishNames() {
        var html = server.get("/changes/new").html();

        assertThat(html.select("#countries").attr("list")).isEqualTo("countries-known");
        assertThat(html.select("#countries-known option").eachAttr("value"))
                .hasSizeGreaterThan(200)
                .startsWith("Afghanistan", "Åland Islands", "Albania")
                .contains("Germany")
                .noneMatch(name -> name.contains(","));
        assertThat(html.select("label[for=search]").text())
                .isEqualTo("Search: the beginning of an id or a city, or of any word of a name");
    }

    @Test
    void saysWhereNoStoreIsFoundAndOffersTheSameFormAgain() {
        var fields = filledIn();
        fields.putAll(Map.of("storesBy", "countries", "countries", "Nepal"));

        var html = previewed(server.post("/changes/new", fields).header("Location"));

        assertThat(html.select("strong[data-summary]").text()).isEqualTo("It would change nothing.");
        assertThat(html.select(".empty-title").text()).isEqualTo("No matching prices");
        var again = server.get(html.select(".empty a").attr("href")).html();
        assertThat(again.select("#countries").attr("value")).isEqualTo("Nepal");
    }

    @Test
    void saysEverythingThatIsWrongAtOnce() {
        var answer = server.post(
                "/changes/new", fields(server.get("/changes/new?channel=ALL").html()));

        assertThat(answer.status()).isEqualTo(400);
        var html = answer.html();
        assertThat(html.select("[role=alert] .alert-title").text()).isEqualTo("Nothing was drafted: 6 things to fix");
        assertThat(html.select("[role=alert] li").eachText())
                .containsExactly(
                        "Store ids: must name 1 to 1000 stores",
                        "Product ids: must name at least one product",
                        "Amount: must be a number such as 4.50 or 4,50",
                        "Name: must have 1 to 200 characters, not only blanks",
                        "Reason: must have 1 to 500 characters, not only blanks",
                        "Date: must be a date such as 2026-03-01 or 01.03.2026");
        for (var link : html.select("[role=alert] a").eachAttr("href")) {
            var field = html.expectFirst(link);
            assertThat(field.attr("aria-invalid")).isEqualTo("true");
            assertThat(html.expectFirst("#" + field.attr("aria-describedby")).text())
                    .startsWith("Must ");
        }
        assertThat(html.select("[aria-invalid]")).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            countries | Germania  | countries | Countries: must be English names or two-letter codes, such as Germany or DE: “Germania” is neither
            countries |           | countries | Countries: must name 1 to 250 countries
            storesBy  | moon      | storesBy  | Stores: must be ids, search, countries or all
            when      | soon      | when      | When: must be now or date
            operation | HALVE     | operation | New price: must be one of SET, ADD, PERCENT, ROUND, DELETE
            time      | 25:00     | time      | Time: must be a time such as 06:00, or empty for midnight
            """)
    void leadsToTheFieldThatIsWrong(String field, @Nullable String value, String beside, String text) {
        var fields = filledIn();
        fields.put("storesBy", "countries");
        fields.put("countries", "DE");
        fields.put(field, value == null ? "" : value);

        var html = server.post("/changes/new", fields).html();

        assertThat(html.select("[role=alert] .alert-title").text()).isEqualTo("Nothing was drafted: 1 thing to fix");
        assertThat(html.select("[role=alert] a").text()).isEqualTo(text);
        assertThat(html.select("[role=alert] a").attr("href")).isEqualTo("#" + beside);
        assertThat(html.select("#" + beside)).hasSize(1);
        assertThat(html.select("#" + beside + "-error").text()).startsWith("Must ");
    }

    @Test
    void saysThatATimeIsWrongBesideADateThatIsMissing() {
        var fields = filledIn();
        fields.putAll(Map.of("date", "", "time", "25:00"));

        var html = server.post("/changes/new", fields).html();

        assertThat(html.select("[role=alert] li").eachText()).hasSize(2);
        assertThat(html.select("[aria-invalid]").eachAttr("id")).containsExactly("date", "time");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SET     | ' 2,79 '      | 2.79
            SET     | 2.79          | 2.79
            SET     | \u00a03,10\u202f | 3.10
            SET     | 0,800         | 0.800
            SET     | 1500          | 1500
            ADD     | −0,10         | -0.10
            ADD     | -0.10         | -0.10
            PERCENT | 5 %           | 5
            PERCENT | 5\u202f%      | 5
            PERCENT | '5,0% '       | 5.0
            PERCENT | −2,5 %        | -2.5
            """)
    void readsNumbersAsPeopleTypeThem(String operation, String typed, String number) {
        var fields = filledIn();
        fields.putAll(Map.of("operation", operation, operation.equals("PERCENT") ? "percent" : "amount", typed));

        var answer = server.post("/changes/new", fields);

        assertThat(answer.status()).isEqualTo(303);
        var id = new ChangeSetId(answer.header("Location").replaceFirst("/changes/", ""));
        assertThat(SAMPLE.lines().rules(ChangeSample.GRACE, id).getFirst().operation())
                .isEqualTo(operation(operation, number));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SET     | amount  | 1.234,50  | Must have one separator, before the decimals, such as 1234.50 or 1234,50
            SET     | amount  | 1,234.50  | Must have one separator, before the decimals, such as 1234.50 or 1234,50
            ADD     | amount  | 1,500     | Must be written 1500 or 1.50: “1,500” may mean either
            SET     | amount  | 25.000    | Must be written 25000 or 25.00: “25.000” may mean either
            SET     | amount  | 1,255     | Must be written 1255 or 1.2550: “1,255” may mean either
            SET     | amount  | 1,2,3     | Must be a number such as 4.50 or 4,50
            SET     | amount  | 3 10      | Must be a number such as 4.50 or 4,50
            SET     | amount  | 5 %       | Must be a number such as 4.50 or 4,50
            SET     | amount  | −1        | Must not be negative
            PERCENT | percent | %         | Must be a number such as 5, 2.5 or 2,5
            PERCENT | percent | −100 %    | Must be more than -100 and at most 10000
            """)
    void refusesNumbersThatMayMeanSomethingElse(String operation, String field, String typed, String rule) {
        var fields = filledIn();
        fields.putAll(Map.of("operation", operation, field, typed));

        var answer = server.post("/changes/new", fields);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + field).attr("value")).isEqualTo(typed);
    }

    @Test
    void ignoresAnEndingThatIsHiddenBecausePricesAreDeleted() {
        var fields = filledIn();
        fields.putAll(Map.of("operation", "DELETE", "ending", "99"));

        assertThat(server.post("/changes/new", fields).status()).isEqualTo(303);
    }

    @Test
    void draftsAnotherSetLikeOneThatIsThere() {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"), new StoreId("FR-0001"))),
                List.of(product("COFFEE"), product("BURGER-030")),
                List.of(Channel.ALL, new Channel("KIOSK")),
                operation("PERCENT", "-2.5"),
                new PriceEnding("9"));
        var set = drafted("Autumn", EffectiveDate.parse("2199-09-01T06:30"), rule);

        var link = server.get("/changes/" + set.id()).html().select("a:contains(Draft another one like this)");
        var html = server.get(link.attr("href")).html();

        assertThat(link.attr("href")).isEqualTo("/changes/new?like=" + set.id());
        assertThat(html.select("[role=status]").text())
                .contains("Filled in like Autumn", "That one stays as it is, until it is cancelled");
        assertThat(html.select("[role=status] a").attr("href")).isEqualTo("/changes/" + set.id());
        var fields = fields(html);
        assertThat(fields)
                .containsEntry("storesBy", "ids")
                .containsEntry("stores", "DE-0001\nFR-0001")
                .containsEntry("products", "COFFEE\nBURGER-030")
                .containsEntry("channels", "ALL\nKIOSK")
                .containsEntry("operation", "PERCENT")
                .containsEntry("percent", "-2.5")
                .containsEntry("ending", "9")
                .containsEntry("name", "Autumn")
                .containsEntry("reason", "costs rose")
                .containsEntry("when", "date")
                .containsEntry("date", "2199-09-01")
                .containsEntry("time", "06:30");
        var again = server.post("/changes/new", fields);
        assertThat(again.status()).isEqualTo(303);
        var id = new ChangeSetId(again.header("Location").replaceFirst("/changes/", ""));
        assertThat(id).isNotEqualTo(set.id());
        assertThat(SAMPLE.lines().rules(ChangeSample.GRACE, id)).containsExactly(rule);
    }

    @Test
    void saysWhatThereIsTooMuchOf() {
        var few = PagesServer.start("few-lines", Map.of("menuboard.pricing.changes.max-lines", 2));
        try {
            var fields = fields(few.get("/changes/new?store=DE-0001&product=A&product=B&product=C")
                    .html());
            fields.putAll(Map.of("name", "Form", "reason", "costs rose", "date", "2199-07-01", "amount", "3.10"));

            var refused = few.post("/changes/new", fields);

            assertThat(refused.status()).isEqualTo(400);
            var wrong = refused.html().expectFirst("[role=alert] li a");
            assertThat(wrong.text()).isEqualTo("Stores × products × channels: must have at most 2 lines together");
            assertThat(wrong.attr("href")).isEqualTo("#products");
        } finally {
            few.stop();
        }
    }

    @Test
    void anEditedDraftTakesThePlaceOfTheOneBefore() {
        var set = drafted("To be edited", null, ChangeSample.rule("3.10", "COFFEE", "DE-0001", "DE-0002"));
        var page = server.get("/changes/" + set.id()).html();

        var form = server.get(page.expectFirst("#edit").attr("href")).html();

        assertThat(form.select("[role=status]").text())
                .contains("This edits a draft", "Once the new one is drafted, the draft as it was before is cancelled")
                .doesNotContain("Filled in like");
        var fields = fields(form);
        assertThat(fields).containsEntry("replaces", set.id().value());
        fields.put("stores", "");
        var refused = server.post("/changes/new", fields);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("[role=status] a").attr("href")).isEqualTo("/changes/" + set.id());
        assertThat(status(set)).isEqualTo(ChangeSetStatus.DRAFT);
        fields = fields(refused.html());
        fields.put("stores", "DE-0001");
        var edited = server.post("/changes/new", fields).header("Location");
        assertThat(status(set)).isEqualTo(ChangeSetStatus.CANCELLED);
        var shown = server.get(edited).html();
        assertThat(shown.select("main").text()).contains("Edited. The draft as it was before is cancelled.");
        assertThat(shown.expectFirst("[aria-label=Findings] .count").text()).isEqualTo("1");
        assertThat(server.post("/changes/new", fields).header("Location"))
                .as("sent twice")
                .isEqualTo(edited);
    }

    @Test
    void aSetThatIsAppliedWhileItIsEditedStaysSo() {
        var set = drafted(
                "Was quicker", EffectiveDate.parse("2199-09-01"), ChangeSample.rule("3.10", "COFFEE", "DE-0001"));
        var fields = fields(server.get("/changes/new?edit=" + set.id()).html());
        SAMPLE.sets().applyAccepted(ChangeSample.GRACE, set.id(), String.valueOf(set.token()));

        var other = server.post("/changes/new", fields).header("Location");

        assertThat(status(set)).isEqualTo(ChangeSetStatus.SCHEDULED);
        assertThat(server.get(other).html().select("[role=alert]").text())
                .contains("no draft any more, and stays as it is: scheduled", "This is another draft");
        assertThat(server.get("/changes/" + set.id()).html().select("#edit")).isEmpty();
        assertThat(fields(server.get("/changes/new?edit=" + set.id()).html())).doesNotContainKey("replaces");
    }

    private static ChangeSetStatus status(ChangeSet set) {
        return SAMPLE.sets().find(ChangeSample.GRACE, set.id()).orElseThrow().status();
    }

    @ParameterizedTest
    @CsvSource({"search, DELETE", "countries, SET", "all, ADD", "ids, ROUND"})
    void fillsInEverySelectionAndOperation(String storesBy, String operation) {
        var fields = filledIn();
        fields.putAll(Map.of("storesBy", storesBy, "search", "berlin", "countries", "DE, FR", "when", "now"));
        fields.putAll(Map.of("operation", operation, "amount", "0.10", "ending", operation.equals("ROUND") ? "5" : ""));
        var set = server.post("/changes/new", fields).header("Location").replaceFirst("/changes/", "");

        var html = server.get("/changes/new?like=" + set).html();

        assertThat(html.select("[name=storesBy][checked]").attr("value")).isEqualTo(storesBy);
        assertThat(html.select("[name=operation][checked]").attr("value")).isEqualTo(operation);
        assertThat(html.select("[name=when][checked]").attr("value")).isEqualTo("now");
        var again = server.post("/changes/new", fields(html)).header("Location").replaceFirst("/changes/", "");
        assertThat(again).isNotEqualTo(set);
        assertThat(SAMPLE.lines().rules(ChangeSample.GRACE, new ChangeSetId(again)))
                .isEqualTo(SAMPLE.lines().rules(ChangeSample.GRACE, new ChangeSetId(set)));
    }

    @Test
    void saysWhyAFormCannotBeFilledIn() {
        var coffee = ChangeSample.rule("3.10", "COFFEE", "DE-0001");
        var swap = new ChangeRule(
                coffee.stores(),
                List.of(new PriceSubject.Swap(new ComboId("MENU-CLASSIC"), new OptionId("SALAD"))),
                coffee.channels(),
                coffee.operation(),
                null);
        var euros = new ChangeRule(
                coffee.stores(),
                coffee.subjects(),
                coffee.channels(),
                new PriceOperation.SetTo(new BigDecimal("3.10"), Money.currencyOf("EUR")),
                null);

        var several = like(drafted("Several", null, coffee, ChangeSample.rule("3.20", "TEA", "DE-0001")));
        var swaps = like(drafted("Swaps", null, swap));
        var currency = like(drafted("Euros", null, euros));
        var price = new BasePrice(
                PriceSample.BERLIN,
                Channel.ALL,
                new ProductId("TEA"),
                EffectiveDate.parse("2199-07-01"),
                new Money(new BigDecimal("2.10"), PriceSample.BERLIN.currency()));
        var imported = like(SamplePrices.save(server.bean(Imports.class), SAMPLE.sets(), List.of(price)));

        assertThat(several.select("[role=status]").text())
                .contains("The prices of Several could not be filled in", "It has several rules");
        assertThat(several.select("#name").attr("value")).isEqualTo("Several");
        assertThat(several.select("[name=when][checked]").attr("value")).isEqualTo("now");
        assertThat(several.expectFirst("#products").wholeText()).isEmpty();
        assertThat(swaps.select("[role=status]").text()).contains("It changes swap prices");
        assertThat(currency.select("[role=status]").text()).contains("It sets an amount in EUR only");
        assertThat(imported.select("[role=status]").text())
                .contains("It came from a file of prices")
                .doesNotContain("puts prices back");
    }

    @Test
    void offersNoSetLikeAnUndoAndRefusesOneThatIsNotThere() {
        var undone = SAMPLE.sets().find(ChangeSample.GRACE, SAMPLE.undone()).orElseThrow();
        var undo = String.valueOf(undone.undoneBy());

        assertThat(server.get("/changes/" + undo).html().select("a[href*=like]"))
                .isEmpty();
        assertThat(server.get("/changes/new?like=" + undo)
                        .html()
                        .select("[role=status]")
                        .text())
                .contains("It has no rule of its own");
        assertThat(server.get("/changes/new?like=01JD8X00000000000000000000").status())
                .isEqualTo(404);
        assertThat(server.get("/changes/new?like=nonsense").status()).isEqualTo(400);
        assertThat(server.get("/changes/new?like=").status()).isEqualTo(200);
    }

    private Document like(ChangeSet set) {
        return server.get("/changes/new?like=" + set.id()).html();
    }

    private static ChangeSet drafted(String name, @Nullable EffectiveDate date, ChangeRule... rules) {
        var result = SAMPLE.drafts()
                .draft(ChangeSample.GRACE, new DraftChangeSet(name, "costs rose", date, List.of(rules)), null);
        assertThat(result).isInstanceOf(ChangeSetResult.Done.class);
        return ((ChangeSetResult.Done) result).set();
    }

    private static PriceOperation operation(String name, String number) {
        return PriceOperation.of(name, name.equals("PERCENT") ? "" : number, name.equals("PERCENT") ? number : "");
    }

    private static PriceSubject product(String id) {
        return new PriceSubject.Product(new ProductId(id));
    }

    /** The page of that set once it has its preview. */
    private Document previewed(String page) {
        var id = new ChangeSetId(page.replaceFirst("/changes/", ""));
        await().until(() ->
                SAMPLE.sets().find(ChangeSample.GRACE, id).orElseThrow().token() != null);
        return server.get(page).html();
    }

    /** A form that drafts what it says. */
    private Map<String, String> filledIn() {
        var fields =
                fields(server.get("/changes/new?store=DE-0001&product=COFFEE").html());
        fields.putAll(Map.of("name", "Form", "reason", "costs rose", "date", "2199-07-01", "amount", "3.10"));
        return fields;
    }

    /** What a browser would send of the page's form. */
    private static Map<String, String> fields(Document html) {
        var fields = new HashMap<String, String>();
        for (var field : html.expectFirst("main form[method=post]").select("input, textarea")) {
            if (!field.attr("type").equals("radio") || field.hasAttr("checked")) {
                fields.put(
                        field.attr("name"),
                        field.tagName().equals("textarea") ? field.wholeText() : field.attr("value"));
            }
        }
        return fields;
    }
}
