package io.menuboard.webadmin.audit;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.kernel.Actor;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the server sends of the audit trail, and what it records of files. What holds for every page is in {@code PagesTest}. */
class AuditPagesTest {
    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final Map<String, String> ADMINISTRATOR = Map.of(HeaderPrincipals.GRANT, "ADMINISTRATOR ALL");
    private static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final PagesServer server = PagesServer.start("audit-pages");

    @BeforeAll
    static void write() {
        var trail = server.bean(AuditTrail.class);
        for (var i = 0; i < 40; i++) {
            trail.record(actor("u" + i % 2, "Ada " + i % 2), "STORE#S" + i % 4, "changed", Map.of("n", "" + i));
        }
        trail.record(
                actor("u9", SCRIPT),
                "STORE#" + SCRIPT,
                SCRIPT,
                Map.of("NAME before", SCRIPT, "NAME after", "High street", SCRIPT, "=1+1"));
        trail.record(Actor.system("scheduler", Actor.Source.SCHEDULER), "ODD#1", "beeped", Map.of());
        var now = server.bean(Clock.class).instant();
        var place = Key.sortable(now) + "#00";
        server.bean(QueryDb.class)
                .save(
                        Item.at(new Key("AUDIT#" + LocalDate.ofInstant(now, ZoneOffset.UTC) + "#0", place))
                                .type("audit")
                                .number("subject", 7)
                                .build(),
                        SaveMode.ANY);
    }

    @AfterAll
    static void stop() {
        server.stop();
    }

    private static Actor actor(String id, String name) {
        return new Access(new Principal(id, Actor.Kind.USER, name, Set.of()), Actor.Source.PAGE).actor();
    }

    @Test
    void listsRecordsBothWays() {
        for (var list : List.of(
                "/audit?first=16",
                "/audit?subject=STORE%23S1&first=4",
                "/audit?person=u1&first=7",
                "/audit?action=changed&first=7",
                "/audit?subject=STORE%23S1&person=u1&action=changed&first=4")) {
            ListPages.assertPagesBothWays(server, list);
        }
        ListPages.assertAddressFollows(server, "/audit?subject=STORE%23S1&person=u1&first=4");
    }

    @Test
    void saysWhoDidWhatToWhatAndLeadsThere() {
        var row = server.get("/audit?subject=STORE%23S1&first=1").html().select("tbody tr");

        assertThat(row.text()).contains("changed", "Store S1", "n: 37", "Ada 1", "in the back office", " UTC");
        assertThat(row.select("a").eachAttr("href"))
                .containsExactly("/stores/S1", "/audit?subject=STORE%23S1", "/users/u1", "/audit?person=u1");
        assertThat(server.get("/audit?subject=ODD%231").html().select("tbody a").eachAttr("href"))
                .containsExactly("/audit?subject=ODD%231");
    }

    @Test
    void showsTextAsTextAndChangesAsBeforeAndAfter() {
        var page = server.get("/audit?person=u9");

        assertThat(page.html().select("tbody tr").text())
                .contains(SCRIPT, "NAME: " + SCRIPT + " → High street", SCRIPT + ": =1+1");
        assertThat(page.body()).doesNotContain(SCRIPT);
        assertThat(server.get("/audit?subject=" + PagesServer.encoded(SCRIPT)).body())
                .doesNotContain(SCRIPT);
        assertThat(server.get("/audit.csv?person=u9").body()).contains("NAME: " + SCRIPT + " → High street");
    }

    @Test
    void saysWhatIsWrongBesideItsField() {
        assertThat(Map.of(
                        "/audit?from=2026-03-01&to=2026-03-08",
                        "#to-error",
                        "/audit?from=2026-03-02&to=2026-03-01",
                        "#to-error",
                        "/audit?from=yesterday",
                        "#from-error",
                        "/audit?subject=" + "x".repeat(501),
                        "#subject-error"))
                .allSatisfy((address, field) -> {
                    var page = server.get(address);
                    assertThat(page.status()).isEqualTo(400);
                    assertThat(page.html().select(field).text()).isNotEmpty();
                });
        assertThat(server.get("/audit?person=nobody").html().select(".empty a").attr("href"))
                .isEqualTo("/audit");
    }

    @Test
    void recordsEveryFileThatGoesOut() {
        assertThat(server.get("/stores.csv?search=burger").status()).isEqualTo(200);
        assertThat(server.get("/stores").status()).isEqualTo(200);
        assertThat(server.get("/audit.csv?subject=" + "x".repeat(501)).status()).isEqualTo(400);

        var rows = server.get("/audit?action=downloaded&subject=" + PagesServer.encoded("DOWNLOAD#/stores.csv"))
                .html()
                .select("tbody tr")
                .eachText();
        assertThat(rows.stream().filter(row -> row.contains("search: burger")))
                .singleElement()
                .asString()
                .contains("downloaded", "File /stores.csv");
        assertThat(server.get("/audit?action=downloaded")
                        .html()
                        .select("tbody tr")
                        .eachText())
                .noneMatch(row -> row.contains("File /stores "));
    }

    @Test
    void recordsWhatWasAskedForFirstAndHowMuchMore() {
        var others = IntStream.range(0, 100).mapToObj(i -> "&x" + i + "=1").collect(joining());

        assertThat(server.get("/stores.csv?search=fries" + others).status()).isEqualTo(200);

        assertThat(server.get("/audit?action=downloaded&subject=" + PagesServer.encoded("DOWNLOAD#/stores.csv"))
                        .html()
                        .select("tbody tr")
                        .eachText())
                .anyMatch(row -> row.contains("search: fries") && row.contains("x14: 1") && row.contains("more: 85"));
    }

    @Test
    void givesNoFileThatCannotBeRecorded() {
        var broken = PagesServer.start("broken-audit", BrokenAudit.ENVIRONMENT);

        var answer = broken.get("/stores.csv");

        assertThat(answer.status()).isGreaterThanOrEqualTo(500);
        assertThat(answer.header("Content-Disposition")).isEmpty();
        assertThat(answer.body()).doesNotContain("timeZone");
        assertThat(broken.get("/stores").status()).isEqualTo(200);
        broken.stop();
    }

    @Test
    void aRecountLeadsToWhatWasDoneToIt() {
        var recount = server.bean(Recounts.class)
                .start(STAFF, Recount.Mode.CHECK, null)
                .id();

        var trail = server.get("/favorites/recounts/" + recount)
                .html()
                .select("#audit-trail")
                .attr("href");

        assertThat(server.get(trail).html().select("tbody tr")).as(trail).isNotEmpty();
    }

    @Test
    void aChangeSetLeadsToWhoDraftedAndAppliedIt() {
        var set = ChangeSample.shared().applied();
        var pages = ChangeSample.shared().server();

        var trail = pages.get("/changes/" + set).html().select("#audit-trail").attr("href");
        var rows = pages.get(trail).html().select("tbody tr").eachText();

        assertThat(rows).as(trail).hasSize(2);
        assertThat(rows.getFirst())
                .contains("change set applied", "Change set " + set, "status: DRAFT → APPLIED", "lines: ");
        assertThat(rows.getLast()).contains("change set drafted", "reason: ");
        assertThat(pages.get("/audit").html().select("#action option").eachText())
                .contains("change set applied", "change set drafted");
    }

    @Test
    void leadsThereOnlyWhoMayReadIt() {
        var some = PagesServer.start("audit-links", Map.of(HeaderPrincipals.SETTING, true));

        var reader = some.send("/audit", ADMINISTRATOR);
        var other = some.send("/favorites", Map.of(HeaderPrincipals.GRANT, "VIEWER ALL"));
        var restaurant = "/favorites/restaurants/r1";
        var client = Map.of(HeaderPrincipals.GRANT, "FAVORITES_CLIENT ALL");

        assertThat(reader.html().select("nav a[href=/audit]")).hasSize(1);
        assertThat(other.status()).isEqualTo(200);
        assertThat(other.html().select("a[href^=/audit]")).isEmpty();
        assertThat(some.send(restaurant, client).html().select("a[href^=/audit]"))
                .isEmpty();
        assertThat(server.get(restaurant).html().select("#audit-trail").attr("href"))
                .isEqualTo("/audit?subject=FAVORITES%23r1");
        some.stop();
    }
}
