package io.menuboard.webadmin.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter above the list of change sets. */
@ResourceLock(ChangeSample.LOCK)
class ChangesFilterPagesTest {
    private static final ChangeSample SAMPLE = ChangeSample.shared();

    private final PagesServer server = SAMPLE.server();

    @Test
    void listsAndExportsSetsOfAStatus() {
        var html = server.get("/changes?status=SCHEDULED").html();
        var export = html.select("a[href*=.csv]").attr("href");

        assertThat(html.select("tbody .badge").eachText()).isNotEmpty().containsOnly("Scheduled");
        assertThat(html.select("tbody a").eachText()).contains("Next season").doesNotContain("Never mind");
        assertThat(html.select("#status option[selected]").attr("value")).isEqualTo("SCHEDULED");
        assertThat(html.select("details[open]")).isEmpty();
        assertThat(export).isEqualTo("/changes.csv?status=SCHEDULED");
        assertThat(server.get(export).body().lines().skip(1))
                .isNotEmpty()
                .allMatch(line -> line.contains(",SCHEDULED,"));
    }

    @Test
    void findsSetsByAPartOfTheirNameAndByWhoDraftedThem() {
        assertThat(names("/changes?name=NEXT%20sea&by=grace"))
                .isNotEmpty()
                .allMatch(name -> name.contains("Next season"));
        assertThat(names("/changes?by=grac")).isEmpty();
        assertThat(server.get("/changes?by=grace").html().select("details[open] #by"))
                .hasSize(1);
    }

    @Test
    void listsSetsOfDays() {
        var today = LocalDate.ofInstant(server.now(), ZoneOffset.UTC);

        assertThat(names("/changes?name=next%20season&from=" + today + "&to=" + today))
                .isNotEmpty();
        assertThat(names("/changes?to=" + today.minusDays(1))).isEmpty();
        var none = server.get("/changes?from=" + today.plusDays(1)).html();
        assertThat(none.select(".empty-title").text()).isEqualTo("No change set matches");
        assertThat(none.select(".empty a").attr("href")).isEqualTo("/changes");
    }

    @Test
    void keepsTheFilterFromPageToPage() {
        var filtered = "/changes?status=DRAFT&name=set&first=16";

        assertThat(server.get(filtered).html().select("a[rel=next]").attr("href"))
                .startsWith("/changes?status=DRAFT&name=set&first=16&after=");
        ListPages.assertPagesBothWays(server, filtered);
        ListPages.assertAddressFollows(server, filtered);
    }

    @ParameterizedTest
    @CsvSource({
        "status=ODD, status, Must be one of DRAFT",
        "from=soon, from, 'Must be a day from 1970 on, such as 2026-03-01'",
        "from=2026-03-02&to=2026-03-01, to, 'Must not be before the first day, 2026-03-02'"
    })
    void saysBesideTheFieldWhatIsWrongWithIt(String filter, String field, String rule) {
        var refused = server.get("/changes?" + filter);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("#" + field + "-error").text()).startsWith(rule);
        assertThat(refused.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
        assertThat(server.get("/changes.csv?" + filter).status()).isEqualTo(400);
    }

    private List<String> names(String list) {
        return server.get(list).html().select("tbody a").eachText();
    }
}
