package io.menuboard.webadmin.ui.lists;

import io.menuboard.webadmin.ui.Views;
import java.util.List;

/**
 * Everything about a list that does not depend on the request.
 *
 * @param template that shows it
 * @param noun name of a row
 * @param fields the filter's fields; a problem with one of them is shown there
 * @param order in which it is read
 * @param answer the part of the page that htmx gets
 */
public record ListKind(String template, Listing.Noun noun, List<String> fields, Paging.Order order, Answer answer) {

    /** A list in the order in which it is stored, without a filter, whose fragment has an address of its own. */
    public static ListKind of(String template, String one, String many) {
        return new ListKind(template, new Listing.Noun(one, many), List.of(), Paging.Order.AS_LISTED, Answer.LIVE);
    }

    public ListKind filteredBy(String... names) {
        return filteredBy(List.of(names));
    }

    public ListKind filteredBy(List<String> names) {
        return new ListKind(template, noun, names, order, answer);
    }

    public ListKind newestFirst() {
        return new ListKind(template, noun, fields, Paging.Order.NEWEST_FIRST, answer);
    }

    /** On a page that asks again by itself: the address in the browser stays. */
    public ListKind refreshed() {
        return new ListKind(template, noun, fields, order, Answer.REFRESHED);
    }

    /** On a page that only exists as a whole. */
    public ListKind whole() {
        return new ListKind(template, noun, fields, order, Answer.WHOLE);
    }

    /** As the methods of {@link Views} of these names. */
    enum Answer {
        LIVE,
        REFRESHED,
        WHOLE
    }
}
