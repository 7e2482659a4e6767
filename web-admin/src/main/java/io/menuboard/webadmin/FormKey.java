package io.menuboard.webadmin;

import java.util.UUID;

/** Idempotency keys of forms: a new one each time that a form is shown makes two submissions of it one. */
final class FormKey {
    private FormKey() {}

    static String fresh() {
        return "page-" + UUID.randomUUID();
    }
}
