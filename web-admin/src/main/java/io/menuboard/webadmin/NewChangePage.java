package io.menuboard.webadmin;

import io.menuboard.pricing.StoreSelection;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/new}.
 *
 * @param key makes two submissions of this form one
 * @param problem what is wrong with what was sent, or null
 * @param existing address of the set that another submission of this form drafted, with other fields; or null
 */
record NewChangePage(
        NewChangeForm form,
        String key,
        int mostStores,
        @Nullable Problem problem,
        @Nullable String existing) {

    static NewChangePage of(NewChangeForm form, String key, @Nullable Problem problem, @Nullable String existing) {
        return new NewChangePage(form, key, StoreSelection.Listed.MOST, problem, existing);
    }

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
