package io.menuboard.webadmin.ui.lists;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.micronaut.http.HttpRequest;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of a list's address that says which page: {@code first} and {@code after}, or {@code last} and
 * {@code before}, as they were sent.
 */
public record Paging(
        @Nullable String first,
        @Nullable String after,
        @Nullable String last,
        @Nullable String before,
        Order order,
        PageLimits limits) {
    private static final List<Integer> SIZES = List.of(16, 32, 64, 128, 256);

    public static Paging of(HttpRequest<?> request, Order order, PageLimits limits) {
        var parameters = request.getParameters();
        return new Paging(
                emptyToNull(parameters.get("first")),
                emptyToNull(parameters.get("after")),
                emptyToNull(parameters.get("last")),
                emptyToNull(parameters.get("before")),
                order,
                limits);
    }

    /**
     * The page that is asked for.
     *
     * @throws InvalidInput naming the parameter that asks for no page
     */
    public PageRequest request() {
        var asked = PageRequest.of(number("first", first), after, number("last", last), before, limits);
        return order == Order.NEWEST_FIRST && first == null && after == null
                ? PageRequest.backward(asked.size(), before)
                : asked;
    }

    /** The list's address with the number of rows, where it is not the usual one. */
    public Link keep(Link list) {
        return list.with(sizeField(), sizeOrNull());
    }

    /** The list's address with this page of it, as it was asked for. */
    public Link here(Link list) {
        return list.with("first", first).with("after", after).with("last", last).with("before", before);
    }

    /** The parameter that asks for so many rows from where the list begins for its reader. */
    String sizeField() {
        return order == Order.NEWEST_FIRST ? "last" : "first";
    }

    /** The numbers of rows to choose from, with the one that was asked for. */
    List<Choice> sizes() {
        var sizes = new TreeSet<>(SIZES);
        sizes.add(limits.defaultSize());
        sizes.add(size());
        return sizes.stream()
                .map(size -> new Choice(size.toString(), size.toString(), size == size()))
                .toList();
    }

    /** The ways on from {@code page} of the list at {@code list}. May make a request to find out whether there are any. */
    Pager pager(Link list, Page<?> page) {
        var back = page.hasPreviousPage()
                ? list.with("last", sizeOrNull())
                        .with("before", page.startCursor())
                        .toString()
                : null;
        var on = page.hasNextPage()
                ? list.with("first", sizeOrNull())
                        .with("after", page.endCursor())
                        .toString()
                : null;
        return order == Order.NEWEST_FIRST
                ? new Pager(on, back, "Newer", "Older")
                : new Pager(back, on, "Previous", "Next");
    }

    /** Number of rows that were asked for; the usual one where that makes no sense. */
    private int size() {
        try {
            return request().size();
        } catch (InvalidInput e) {
            return limits.defaultSize();
        }
    }

    private @Nullable String sizeOrNull() {
        return size() == limits.defaultSize() ? null : Integer.toString(size());
    }

    private static @Nullable Integer number(String field, @Nullable String text) {
        try {
            return text == null ? null : Integer.valueOf(text);
        } catch (NumberFormatException e) {
            throw new InvalidInput(PageRequest.INVALID_PAGE, field, "must be a whole number");
        }
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /** Beginning of a list for its reader: where it begins, or at its end, the rows reversed. */
    public enum Order {
        AS_LISTED,
        NEWEST_FIRST
    }
}
