package io.menuboard.access;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows the people who have accounts, for what needs another person than the one who asks. */
public interface People {
    /** Where nobody signs in, nobody is known. */
    People NOBODY = new People() {
        @Override
        public List<String> named(Permission permission, Set<String> stores, String except, int most) {
            return List.of();
        }

        @Override
        public Map<String, String> creatorsOf(Set<String> tokens) {
            return Map.of();
        }
    };

    /**
     * Names of people who may do that now, sorted. Reads all accounts: half a read unit for every 4 KB.
     *
     * @param stores for all of which they may; empty for people who may do it for every store
     * @param except id of an account that is left out; empty for none
     * @param most how many names there are at most
     */
    List<String> named(Permission permission, Set<String> stores, String except, int most);

    /** Ids of the accounts that created those tokens, by token; none of which that is not known. One read unit each, read together. */
    Map<String, String> creatorsOf(Set<String> tokens);
}
