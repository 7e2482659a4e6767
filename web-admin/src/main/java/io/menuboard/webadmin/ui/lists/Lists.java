package io.menuboard.webadmin.ui.lists;

import io.menuboard.kernel.PageLimits;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/** Shows lists, a page at a time. Thread-safe. */
public final class Lists {
    private final PageLimits limits;
    private final Views views;

    Lists(PageLimits limits, Views views) {
        this.limits = limits;
        this.views = views;
    }

    /**
     * The page that the request asks for.
     *
     * @param address of the list with its filter, without a page
     * @param export address of the whole filtered list as CSV; null for none
     */
    public ListPage page(HttpRequest<?> request, ListKind kind, Link address, @Nullable Link export) {
        return new ListPage(views, request, kind, Paging.of(request, kind.order(), limits), address, export);
    }
}
