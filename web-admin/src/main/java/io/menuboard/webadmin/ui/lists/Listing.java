package io.menuboard.webadmin.ui.lists;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Summary, pager, export link and problem of a list, around its table, for {@code components :: list}.
 *
 * @param fields the filter's fields; a problem with one of them is shown there
 * @param problem why nothing is listed, where that is the client's doing
 * @param empty what to say where nothing is listed and nothing is wrong, otherwise null
 * @param summary what the rows are, in words
 * @param start address of the list's beginning
 * @param export address of the whole filtered list as CSV, or null
 * @param sizeField parameter of the number of rows
 */
public record Listing(
        List<String> fields,
        @Nullable Problem problem,
        @Nullable Empty empty,
        String summary,
        String start,
        @Nullable String export,
        String sizeField,
        List<Choice> sizes,
        Pager pager) {

    /** Around one page. */
    static Listing of(
            ListKind kind, Paging paging, Link list, @Nullable Link export, Page<?> page, Supplier<Empty> empty) {
        var pager = paging.pager(list, page);
        var count = page.edges().size();
        var more = pager.previous() != null || pager.next() != null;
        return new Listing(
                kind.fields(),
                null,
                count == 0 ? empty.get() : null,
                count + " " + kind.noun().of(count) + (more ? " on this page" : ""),
                paging.keep(list).toString(),
                export == null ? null : export.toString(),
                paging.sizeField(),
                paging.sizes(),
                pager);
    }

    /** Around nothing, because of what the client asked for. */
    static Listing refused(ListKind kind, Paging paging, Link list, InvalidInput why) {
        return new Listing(
                kind.fields(),
                Problem.of(why),
                null,
                "",
                list.toString(),
                list.toString(),
                paging.sizeField(),
                paging.sizes(),
                Pager.NONE);
    }

    /** Tells whether the problem has no field to stand beside. Public because templates call nothing else. */
    public boolean problemElsewhere() {
        return problem != null && !fields.contains(problem.field());
    }

    /** Tells whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }

    /** Advice in place of an empty list. */
    public record Empty(String title, String text, String href, String label) {}

    /** Name of a row, singular and plural. */
    public record Noun(String one, String many) {
        String of(int count) {
            return count == 1 ? one : many;
        }
    }
}
