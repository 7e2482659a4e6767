package io.menuboard.access;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows the people who have accounts, for what needs another person than the one who asks. */
public interface People {
    /** Where nobody signs in, nobody is known. */
    People NOBODY = new People() {
        @Override
        public List<List<String>> named(Permission permission, List<Wanted> wanted, int most) {
            return Collections.nCopies(wanted.size(), List.of());
        }

        @Override
        public Map<String, String> creatorsOf(Set<String> tokens) {
            return Map.of();
        }
    };

    /**
     * Who is wanted for something.
     *
     * @param stores for all of which they may do it; empty for people who may do it for every store
     * @param except id of an account that is left out; empty for none
     */
    record Wanted(Set<String> stores, String except) {}

    /**
     * Names of people who may do that now, sorted; as many lists as are wanted, in order. Reads all accounts, once: half a read unit
     * for every 4 KB.
     *
     * @param most how many names there are at most in each list
     */
    List<List<String>> named(Permission permission, List<Wanted> wanted, int most);

    /**
     * Ids of the accounts that created those tokens, or the tokens that created them, by token; none of which that is not known. One
     * read unit for each token, read together.
     */
    Map<String, String> creatorsOf(Set<String> tokens);
}
