package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What every list has around its table, for {@code components :: list}.
 *
 * @param fields the filter's fields; a problem with one of them is shown there
 * @param problem why nothing is listed, where that is the client's doing
 * @param empty what to say where nothing is listed and nothing is wrong, otherwise null
 * @param summary what the rows are, in words
 * @param start address of the list's beginning
 * @param export address of the whole filtered list as CSV
 * @param sizeField parameter of the number of rows
 */
public record Listing(
        List<String> fields,
        @Nullable Problem problem,
        @Nullable Empty empty,
        String summary,
        String start,
        String export,
        String sizeField,
        List<Choice> sizes,
        Pager pager) {

    /**
     * Around one page.
     *
     * @param noun what a row is, singular and plural
     */
    public static Listing of(
            List<String> fields, Paging paging, Link list, Link export, Page<?> page, Noun noun, Empty empty) {
        var pager = paging.pager(list, page);
        var count = page.edges().size();
        var more = pager.previous() != null || pager.next() != null;
        return new Listing(
                fields,
                null,
                count == 0 ? empty : null,
                count + " " + noun.of(count) + (more ? " on this page" : ""),
                paging.keep(list).toString(),
                export.toString(),
                paging.sizeField(),
                paging.sizes(),
                pager);
    }

    /** Around nothing, because of what the client asked for. */
    public static Listing refused(List<String> fields, Paging paging, Link list, InvalidInput why) {
        return new Listing(
                fields,
                Problem.of(why),
                null,
                "",
                list.toString(),
                list.toString(),
                paging.sizeField(),
                paging.sizes(),
                Pager.NONE);
    }

    /** Whether the problem has no field to stand beside. Public because templates call nothing else. */
    public boolean problemElsewhere() {
        return problem != null && !fields.contains(problem.field());
    }

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }

    /** What to do where there is nothing. */
    public record Empty(String title, String text, String href, String label) {}

    /** What rows are called. */
    public record Noun(String one, String many) {
        String of(int count) {
            return count == 1 ? one : many;
        }
    }
}
