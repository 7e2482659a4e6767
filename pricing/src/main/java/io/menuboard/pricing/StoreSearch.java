package io.menuboard.pricing;

import io.menuboard.kernel.Texts;
import java.text.Normalizer;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The terms that a store is found under: its id, its city, and its name from each word on. They are folded, so that
 * {@code koln} finds {@code Köln}, and a search for a prefix of any of them finds the store once.
 */
final class StoreSearch {
    /** Bounds the items that one store writes; words of a name beyond it are not searched. */
    static final int MAX_TERMS = 10;

    /** Bounds the key. */
    static final int MAX_TERM_LENGTH = 100;

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final Pattern SEPARATORS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private StoreSearch() {}

    /** The form in which terms and searches are compared: no case, no accents, one space between words. */
    static String fold(String text) {
        var base =
                MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD)).replaceAll("");
        // Upper case first, which makes two letters of the German ß.
        var folded = base.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
        var words = SEPARATORS.matcher(folded).replaceAll(" ").strip();
        return Texts.cut(words, MAX_TERM_LENGTH).strip();
    }

    static NavigableSet<String> terms(Store store) {
        var terms = new TreeSet<String>();
        terms.add(fold(store.id().value()));
        terms.add(fold(store.address().city()));
        var name = fold(store.name());
        for (var start = 0; start >= 0 && terms.size() < MAX_TERMS; ) {
            terms.add(name.substring(start));
            var space = name.indexOf(' ', start);
            start = space < 0 ? -1 : space + 1;
        }
        terms.remove("");
        return terms;
    }

    /** True where a search for {@code prefix} shows the store under {@code term}, and so under no other term. */
    static boolean showsUnder(String term, Store store, String prefix) {
        return Optional.of(term).equals(shownUnder(store, prefix));
    }

    /** The term that a search for {@code prefix} shows the store under; empty where it does not find it. */
    static Optional<String> shownUnder(Store store, String prefix) {
        return Optional.ofNullable(terms(store).ceiling(prefix)).filter(first -> first.startsWith(prefix));
    }
}
