package io.menuboard.webadmin.ui;

import java.util.UUID;

/** Idempotency keys of forms: a new one each time that a form is shown makes two submissions of it one. */
public final class FormKey {
    private FormKey() {}

    public static String fresh() {
        return "page-" + UUID.randomUUID();
    }
}
