package io.menuboard.accounts;

import io.menuboard.kernel.Actor;
import java.util.Map;

/** What the audit trail is to say of a change. */
record AccountEvent(Actor actor, String action, Map<String, String> details) {
    static AccountEvent of(Actor actor, String action) {
        return new AccountEvent(actor, action, Map.of());
    }
}
