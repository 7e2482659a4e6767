package io.menuboard.webadmin.changes;

import io.menuboard.pricing.StoreSelection;
import io.menuboard.webadmin.ui.Countries;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/new}.
 *
 * @param key makes two submissions of this form one
 * @param countries what can be chosen
 * @param problems what is wrong with what was sent
 * @param wrong the same for the top of the page
 * @param wrongTitle how much that is
 * @param existing address of the set that another submission of this form drafted, with other fields; or null
 * @param replaces id of the draft whose place the new one takes; empty for none
 * @param like the set that the form is filled in from; or null
 */
public record NewChangePage(
        NewChangeForm form,
        String key,
        int mostStores,
        List<Countries.Country> countries,
        Problems problems,
        List<Wrong> wrong,
        String wrongTitle,
        @Nullable String existing,
        String replaces,
        @Nullable LikeForm like) {

    /** Of all stores, products and channels of a set: no field of its own, and of these the one that every form shows. */
    private static final String RULES = "rules";

    /** As the labels of the form have them, shortened. */
    private static final Map<String, String> LABELS = Map.ofEntries(
            Map.entry("storesBy", "Stores"),
            Map.entry("stores", "Store ids"),
            Map.entry("search", "Search"),
            Map.entry("countries", "Countries"),
            Map.entry("products", "Product ids"),
            Map.entry(RULES, "Stores × products × channels"),
            Map.entry("channels", "Channels"),
            Map.entry("operation", "New price"),
            Map.entry("amount", "Amount"),
            Map.entry("percent", "Percent"),
            Map.entry("ending", "Ends in"),
            Map.entry("file", "CSV file"),
            Map.entry("name", "Name"),
            Map.entry("reason", "Reason"),
            Map.entry("when", "When"),
            Map.entry("date", "Date"),
            Map.entry("time", "Time"));

    /**
     * One thing that is wrong with the form.
     *
     * @param href of the field; null where it is about none
     */
    public record Wrong(@Nullable String href, String text) {
        public static List<Wrong> of(Problems problems) {
            return problems.all().stream().map(Wrong::of).toList();
        }

        public static String title(Problems problems) {
            var count = problems.all().size();
            return "Nothing was drafted: " + count + (count == 1 ? " thing" : " things") + " to fix";
        }

        private static Wrong of(Problem problem) {
            var label = LABELS.get(problem.field());
            return label == null
                    ? new Wrong(null, problem.rule())
                    : new Wrong(
                            "#" + (problem.field().equals(RULES) ? "products" : problem.field()),
                            label + ": " + problem.message().replaceFirst("^" + problem.field() + " ", ""));
        }
    }

    /** The form before anything was sent. */
    static NewChangePage of(NewChangeForm form, String key, @Nullable LikeForm like) {
        return of(form, key, like == null ? "" : like.replaces(), Problems.NONE, null, like);
    }

    static NewChangePage of(
            NewChangeForm form, String key, String replaces, Problems problems, @Nullable String existing) {
        return of(form, key, replaces, problems, existing, null);
    }

    /** Address of the draft whose place the new one takes. Public because templates call nothing else. */
    public String replacedHref() {
        return Link.to("changes", replaces).toString();
    }

    private static NewChangePage of(
            NewChangeForm form,
            String key,
            String replaces,
            Problems problems,
            @Nullable String existing,
            @Nullable LikeForm like) {
        return new NewChangePage(
                form,
                key,
                StoreSelection.Listed.MOST,
                Countries.ALL,
                problems,
                Wrong.of(problems),
                Wrong.title(problems),
                existing,
                replaces,
                like);
    }
}
