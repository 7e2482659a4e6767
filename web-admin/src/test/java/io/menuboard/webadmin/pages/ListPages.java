package io.menuboard.webadmin.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Document;

/** What holds for every list that goes out page by page, whole or in part. */
public final class ListPages {
    private ListPages() {}

    /** What htmx gets of the address is what the whole page has in its part that changes. */
    public static void assertFragment(PagesServer server, String page) {
        var fragment = server.htmx(page);
        var live = withoutAges(fragment.html());
        live.select("[hx-swap-oob]").remove();

        assertThat(live.body().children().outerHtml())
                .isEqualTo(withoutAges(server.get(page).html())
                        .expectFirst("#live")
                        .children()
                        .outerHtml());
        assertThat(fragment.body()).doesNotContain("<html", "<h1");
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
            var html = withoutAges(server.get(address).html());
            pages.add(new Walked(
                    address,
                    html.select("#live form:last-of-type tbody tr, form:has(#live) tbody tr")
                            .eachText()));
            address = html.select("#live a[rel=" + direction + "]").attr("href");
        }
        return pages;
    }

    private static Document withoutAges(Document html) {
        html.select("[data-age]").forEach(age -> age.text(""));
        return html;
    }
}
