package io.menuboard.webadmin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jsoup.nodes.Document;

/** What holds for every list that goes out page by page, whole or in part. */
public final class ListPages {
    private static final Pattern INSTANT = Pattern.compile("%40\\d+\\.");

    private ListPages() {}

    /** What htmx gets of the address is what the whole page has in its part that changes. */
    public static void assertFragment(PagesServer server, String page) {
        var fragment = server.htmx(page);
        var live = withoutTimes(fragment.html());
        live.select("[hx-swap-oob]").remove();

        assertThat(live.body().children().outerHtml())
                .isEqualTo(withoutTimes(server.get(page).html())
                        .expectFirst("#live")
                        .children()
                        .outerHtml());
        assertThat(fragment.body()).doesNotContain("<html", "<h1");
    }

    /** As {@link #assertFragment}, and the browser's address follows what is shown. */
    public static void assertAddressFollows(PagesServer server, String list) {
        assertFragment(server, list);

        assertThat(server.htmx(list).header("HX-Push-Url")).isEqualTo(list);
    }

    /** As {@link #assertFragment}, where a page asks again by itself: the browser's address stays. */
    public static void assertAddressStays(PagesServer server, String page) {
        assertFragment(server, page);

        assertThat(server.htmx(page).header("HX-Push-Url")).isEmpty();
    }

    /** Every link in the main part of those pages leads to a page, or on from there. */
    public static void assertLinksLeadSomewhere(PagesServer server, List<String> pages) {
        var links = pages.stream()
                .flatMap(page -> server.get(page).html().select("main a[href^=/]").eachAttr("href").stream())
                .collect(Collectors.toSet());

        for (var link : links) {
            assertThat(server.get(link).status()).as(link).isIn(200, 303);
        }
    }

    /** The list has several pages from that address on, and the way back from the last one is through the same rows. */
    public static void assertPagesBothWays(PagesServer server, String list) {
        var forward = walk(server, list, "next");
        var back = walk(server, forward.getLast().address(), "prev");

        assertThat(forward).as(list).hasSizeGreaterThan(1);
        assertThat(back.reversed().stream().flatMap(page -> page.rows().stream()))
                .as(list)
                .containsExactlyElementsOf(
                        forward.stream().flatMap(page -> page.rows().stream()).toList());
    }

    private record Walked(String address, List<String> rows) {}

    private static List<Walked> walk(PagesServer server, String start, String direction) {
        var pages = new ArrayList<Walked>();
        for (var address = start; !address.isEmpty(); ) {
            var html = withoutWhatIsNewEachTime(server.get(address).html());
            pages.add(new Walked(
                    address,
                    html.select("#live form:last-of-type tbody tr, form:has(#live) tbody tr")
                            .eachText()));
            address = html.select("#live a[rel=" + direction + "]").attr("href");
        }
        return pages;
    }

    private static Document withoutWhatIsNewEachTime(Document html) {
        html.select("[data-age]").forEach(age -> age.text(""));
        html.select("input[name=csrfToken], input[name=key]").remove();
        return html;
    }

    /** Also without the instant in a cursor of a ranking, which is another one every few seconds. */
    private static Document withoutTimes(Document html) {
        html.select("a[rel=next]")
                .forEach(next ->
                        next.attr("href", INSTANT.matcher(next.attr("href")).replaceAll("%40.")));
        return withoutWhatIsNewEachTime(html);
    }
}
