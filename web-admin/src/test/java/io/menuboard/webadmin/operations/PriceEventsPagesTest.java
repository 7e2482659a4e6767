package io.menuboard.webadmin.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.webadmin.pages.PagesFactory;
import io.menuboard.webadmin.pages.PagesServer;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way to events of price changes that are published again. What holds for every page is in {@code PagesTest}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PriceEventsPagesTest {
    private static final String FORM = "/operations/price-events";
    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    private final PagesServer server = PagesServer.start("price-events-pages", PagesServer.EVENT_BUS);
    private final ChangeSet applied = apply();

    private ChangeSet apply() {
        PriceSample.save(server::bean);
        var sets = server.bean(ChangeSets.class);
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId("DE-0001"))),
                List.of(new PriceSubject.Product(new ProductId("BURGER-001"))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal("7.77"), null),
                null);
        var draft = done(server.bean(ChangeSetDrafts.class)
                .draft(GRACE, new DraftChangeSet("n", "r", null, List.of(rule)), null));
        return done(sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token())));
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new AssertionError(result);
    }

    @Test
    void publishesAfterAQuestionAndShowsTheTask() {
        var form = server.get("/operations")
                .html()
                .expectFirst("main a:contains(Replay price events)")
                .attr("href");
        assertThat(form).isEqualTo(FORM);
        assertThat(server.get(form).html().select("button[disabled], .alert")).isEmpty();

        var question = server.post(FORM + "/confirm", fields("DE-0001\r\nFR-0001\r\n"))
                .html()
                .expectFirst("main form");
        assertThat(question.select("dd").eachText()).startsWith("2 stores").endsWith("2 h");
        assertThat(question.select("details p").text()).isEqualTo("DE-0001, FR-0001");
        var started = server.post(question.attr("action"), hidden(question));

        assertThat(started.status()).isEqualTo(303);
        assertThat(started.header("Location")).startsWith("/tasks/");
        assertThat(server.post(question.attr("action"), hidden(question)).header("Location"))
                .as("sent twice")
                .isEqualTo(started.header("Location"));
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            var task =
                    server.get(started.header("Location")).html().select("main").text();
            assertThat(task).contains("Completed", "stores done, 1 event published", "\"stores\" : 2");
        });
        assertThat(server.bean(PagesFactory.Bus.class).events()).singleElement().satisfies(event -> assertThat(
                        event.changeSet())
                .isEqualTo(applied.id().value()));
        assertThat(server.get("/operations")
                        .html()
                        .select("#finished ~ p, tbody")
                        .text())
                .contains("Price event replay");
    }

    @Test
    void goesBackToTheFormWithWhatWasSent() {
        var sent = fields("DE-0001");
        var question = server.post(FORM + "/confirm", sent).html().expectFirst("main form");

        var form = server.post(question.expectFirst("button[formaction]").attr("formaction"), hidden(question))
                .html();

        assertThat(form.select("#stores").text()).isEqualTo("DE-0001");
        assertThat(form.select("#from").attr("value")).isEqualTo(sent.get("from"));
        assertThat(form.select("#to").attr("value")).isEqualTo(sent.get("to"));
        assertThat(form.select("[name=storesBy][checked]").attr("value")).isEqualTo("ids");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stores | nowhere          | stores | Must exist: there is no nowhere
            stores | DE-0001\\na#b    | stores | “a#b” must not contain '#'
            stores |                  | stores | Must name 1 to 1000 stores
            from   | 2199-01-01T00:00 | from   | Must be before to
            from   |                  | from   | Must be given
            from   | yesterday        | from   | Must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00
            to     | 2199-01-01T00:00 | to     | Must be at most 35 days after from
            """)
    void saysBesideTheFieldWhatIsWrongWithIt(String field, String value, String at, String message) {
        var fields = new HashMap<>(fields("DE-0001"));
        fields.put(field, value == null ? "" : value.replace("\\n", "\n"));

        for (var address : List.of(FORM + "/confirm", FORM)) {
            var answer = server.post(address, fields);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.html().select("#" + at + "-error").text()).isEqualTo(message);
            assertThat(answer.html().select("#" + at).attr("aria-invalid")).isEqualTo("true");
            assertThat(answer.html().select(".alert-error").text()).startsWith("Nothing was published");
        }
    }

    @Test
    void saysThatThereIsNoBus() {
        var without = PagesServer.shared();

        var form = without.get(FORM).html();
        var started = without.post(
                FORM, Map.of("storesBy", "all", "stores", "", "from", "2026-01-01T00:00", "to", "2026-01-02T00:00"));

        assertThat(form.select(".alert").text()).contains("No bus is configured here");
        assertThat(form.select("form[method=post] button[type=submit]")).isEmpty();
        assertThat(started.status()).isEqualTo(409);
        assertThat(started.html().select(".alert").text()).contains("No bus is configured here");
    }

    /** Of the last hour, and the next one. */
    private Map<String, String> fields(String stores) {
        var now = LocalDateTime.ofInstant(server.bean(Pricing.class).now(), ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.MINUTES);
        return Map.of(
                "storesBy",
                "ids",
                "stores",
                stores,
                "from",
                now.minusHours(1).toString(),
                "to",
                now.plusHours(1).toString());
    }

    private static Map<String, String> hidden(Element form) {
        var fields = new HashMap<String, String>();
        form.select("input[type=hidden]").forEach(field -> fields.put(field.attr("name"), field.attr("value")));
        return fields;
    }
}
