package io.menuboard.graphql.bad;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Addresses and forms of a site, found by following its links.
 *
 * @param addresses with query strings
 * @param forms that are sent with POST
 * @param words parts of the addresses: ids, mostly
 */
record Site(List<String> addresses, List<Form> forms, List<String> words) {
    private static final Pattern LINK = Pattern.compile("(?:href|action|src|hx-get)=\"(/[^\"]*)\"");
    private static final Pattern FORM = Pattern.compile("<form([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern ACTION = Pattern.compile(" action=\"([^\"]*)\"");
    private static final Pattern NAME = Pattern.compile(" name=\"([^\"]*)\"");
    private static final int PAGES = 300;
    private static final int PAGES_OF_A_KIND = 6;

    /** A form that is sent with POST. */
    record Form(String action, boolean multipart, List<String> fields) {}

    /** Reads the site, from the list of stores on. */
    static Site read(Function<String, String> page) {
        var seen = new LinkedHashSet<>(Set.of("/stores"));
        var kinds = new HashMap<String, Integer>();
        var forms = new LinkedHashSet<Form>();
        var words = new TreeSet<String>();
        var waiting = new ArrayDeque<>(seen);
        for (var i = 0; i < PAGES && !waiting.isEmpty(); i++) {
            var address = waiting.remove();
            var html = page.apply(address);
            addForms(address, html, forms);
            LINK.matcher(html).results().forEach(link -> {
                var to = link.group(1).replace("&amp;", "&").replaceAll("#.*", "");
                words.addAll(List.of(to.replaceAll("\\?.*", "").split("/", -1)));
                // Of the addresses that differ in an id alone, some.
                var kind = to.replaceAll("/[^/?]*[0-9A-Z][^/?]*", "/_").replaceAll("=[^&]*", "");
                if (kinds.merge(kind, 1, Integer::sum) <= PAGES_OF_A_KIND && seen.add(to)) {
                    waiting.add(to);
                }
            });
        }
        words.remove("");
        return new Site(List.copyOf(seen), List.copyOf(forms), List.copyOf(words));
    }

    private static void addForms(String address, String html, Collection<Form> forms) {
        FORM.matcher(html).results().forEach(form -> {
            var head = form.group(1);
            if (head.contains("method=\"post\"")) {
                var action = ACTION.matcher(head).results().findFirst().map(found -> found.group(1)
                        .replace("&amp;", "&"));
                var fields = new ArrayList<String>();
                NAME.matcher(form.group(2)).results().forEach(name -> fields.add(name.group(1)));
                forms.add(new Form(
                        action.filter(to -> !to.isEmpty()).orElse(address),
                        head.contains("multipart/form-data"),
                        List.copyOf(new LinkedHashSet<>(fields))));
            }
        });
    }
}
