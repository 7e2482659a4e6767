package io.menuboard.webadmin.ui.lists;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request asks for. If the request asks for something that cannot be listed, the same template
 * says so beside the filter's field or in place of the list, with 400, or 404 for what a field names and does not exist.
 */
public final class ListPage {
    private final Views views;
    private final HttpRequest<?> request;
    private final ListKind kind;
    private final Paging paging;
    private final Link address;
    private final @Nullable Link export;

    ListPage(Views views, HttpRequest<?> request, ListKind kind, Paging paging, Link address, @Nullable Link export) {
        this.views = views;
        this.request = request;
        this.kind = kind;
        this.paging = paging;
        this.address = address;
        this.export = export;
    }

    /**
     * The page that is asked for, for what is read in another way than {@link #show} reads.
     *
     * @throws InvalidInput naming the parameter that asks for no page
     */
    public PageRequest request() {
        return paging.request();
    }

    /**
     * Reads and shows the page.
     *
     * @param read may refuse the request with {@link InvalidInput}
     * @param view the template's model; also called for the empty content of a refused request
     * @throws InvalidInput for what does not exist and no field of the filter names
     */
    public <T> MutableHttpResponse<?> show(
            Function<PageRequest, Page<T>> read, Function<Content<T>, ? extends Record> view) {
        try {
            return answer(view.apply(new Content<>(this, read.apply(paging.request()), null)), paging.keep(address));
        } catch (InvalidInput e) {
            return refuse(e, view);
        }
    }

    /**
     * Shows why nothing is listed.
     *
     * @throws InvalidInput as {@link #show} does
     */
    public <T> MutableHttpResponse<?> refuse(InvalidInput why, Function<Content<T>, ? extends Record> view) {
        if (NotFound.is(why) && !kind.fields().contains(why.field())) {
            throw why;
        }
        return answer(view.apply(new Content<>(this, Page.empty(), why)), address)
                .status(NotFound.is(why) ? HttpStatus.NOT_FOUND : HttpStatus.BAD_REQUEST);
    }

    private MutableHttpResponse<?> answer(Record page, Link shown) {
        return switch (kind.answer()) {
            case LIVE -> views.live(request, kind.template(), page, shown);
            case REFRESHED -> views.refreshed(request, kind.template(), page);
            case WHOLE -> views.page(kind.template(), page);
        };
    }

    /** Content of the page, from which a controller makes the template's model. */
    public static final class Content<T> {
        private final ListPage asked;
        private final Page<T> page;
        private final @Nullable InvalidInput refusal;

        private Content(ListPage asked, Page<T> page, @Nullable InvalidInput refusal) {
            this.asked = asked;
            this.page = page;
            this.refusal = refusal;
        }

        /** Tells whether the request asked for something that cannot be listed, so that the page is empty. */
        public boolean isRefused() {
            return refusal != null;
        }

        public Page<T> page() {
            return page;
        }

        /** Rows of the page, from where the list begins for its reader. */
        public <R> List<R> rows(Function<T, R> row) {
            var nodes = page.nodes();
            var ordered = asked.kind.order() == Paging.Order.NEWEST_FIRST ? nodes.reversed() : nodes;
            return ordered.stream().map(row).toList();
        }

        /** Address of this page, for a page that asks again by itself. */
        public Link here() {
            return isRefused() ? asked.address : asked.paging.here(asked.address);
        }

        public Listing listing(Listing.Empty empty) {
            return listing(() -> empty);
        }

        /**
         * The same, with an advice that takes a read to find.
         *
         * @param empty only called if nothing is listed and nothing is wrong
         */
        public Listing listing(Supplier<Listing.Empty> empty) {
            return refusal == null
                    ? Listing.of(asked.kind, asked.paging, asked.address, asked.export, page, empty)
                    : Listing.refused(asked.kind, asked.paging, asked.address, refusal);
        }
    }
}
