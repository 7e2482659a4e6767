package io.menuboard.webadmin;

import io.menuboard.pricing.ImportKind;
import io.menuboard.pricing.PriceOperation;
import org.jspecify.annotations.Nullable;

/** View model of {@code changes/file}: a new change set from a file. */
record ChangeFilePage(
        ChangeAbout about,
        String columns,
        String required,
        String operations,
        @Nullable Problem problem) {

    static ChangeFilePage of(ChangeAbout about, @Nullable Problem problem) {
        return new ChangeFilePage(
                about,
                String.join(", ", ImportKind.CHANGES.columns()),
                String.join(", ", ImportKind.CHANGES.required()),
                String.join(", ", PriceOperation.NAMES),
                problem);
    }

    /** The same for what every form of a new set shares. Public because templates call nothing else. */
    public Problems problems() {
        return Problems.of(problem);
    }

    /** Whether the problem is that of this field. Public because templates call nothing else. */
    public boolean invalid(String field) {
        return problem != null && problem.field().equals(field);
    }
}
