package io.menuboard.querydb.audit;

import java.util.Map;

/** Words for actions that records of earlier versions have, which are kept for as long as any other. */
final class FormerActions {
    private static final Map<String, String> NOW = Map.of(
            "give up", "report run given up",
            "import", "import ended",
            "open", "report run begun",
            "put", "commission rule set",
            "run again", "report run begun again",
            "set interval", "run interval set",
            "take over", "report run taken over");

    private FormerActions() {}

    /** What an action is called now. */
    static String now(String action) {
        return NOW.getOrDefault(action, action);
    }
}
