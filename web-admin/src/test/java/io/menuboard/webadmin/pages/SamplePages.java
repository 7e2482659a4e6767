package io.menuboard.webadmin.pages;

import java.util.List;
import java.util.stream.Stream;

/** Addresses of the pages of all samples, of which each is on a server of its own. */
public final class SamplePages {
    /** Every kind of page, in every state that looks different; the others are on servers of their own. */
    public static final List<String> ADDRESSES = Stream.of(
                    pagesOfPrices().stream(),
                    addresses(TaskSample.shared().server(), TaskSample.shared().pages()),
                    addresses(
                            ChangeSample.shared().server(),
                            ChangeSample.shared().pages()),
                    addresses(
                            BillingSample.shared().server(),
                            BillingSample.shared().pages()),
                    addresses(
                            FavoritesSample.shared().server(),
                            FavoritesSample.shared().pages()),
                    addresses(
                            AccountsSample.shared().server(),
                            AccountsSample.shared().pages()))
            .flatMap(pages -> pages)
            .toList();

    private static Stream<String> addresses(PagesServer server, List<String> pages) {
        return pages.stream().map(page -> server.address(page).toString());
    }

    private static List<String> pagesOfPrices() {
        return List.of(
                "/stores?first=16",
                "/stores?search=zzz",
                "/stores?search=!",
                "/stores?after=forged",
                "/stores/DE-0001?product=BURGER&at=2026-02-01T12:00&first=16",
                "/stores/DE-0001?channel=NONE",
                "/stores/DE-0001/swaps",
                "/stores/%3D1%2B1",
                "/stores/DE-0001/products/COFFEE",
                "/stores/DE-0001/products/DAILY?last=16",
                "/stores/TR-0001/products/BIGMAC",
                "/stores/DE-0001/products/NOTHING",
                "/products",
                "/products/COFFEE?first=16",
                "/dead-letters",
                "/operations/price-events",
                "/stores/nowhere");
    }

    private SamplePages() {}
}
