package io.menuboard.webadmin;

import io.menuboard.pricing.ChangeFile;
import io.menuboard.pricing.PriceOperation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code changes/file}: a new change set from a file.
 *
 * @param key makes two submissions of this form one
 * @param wrong what is wrong with the file's rows, as much of it as is shown
 * @param wrongNote how much of it that is
 * @param existing address of the set that another submission of this form drafted, from another file; or null
 */
record ChangeFilePage(
        ChangeAbout about,
        String key,
        String maxRows,
        String maxBytes,
        String columns,
        String required,
        String operations,
        @Nullable Problem problem,
        List<ChangeFile.Wrong> wrong,
        String wrongNote,
        @Nullable String existing) {

    /** More than anybody fixes before sending the file again. */
    private static final int SHOWN = 200;

    static ChangeFilePage of(
            ChangeAbout about,
            String key,
            ChangeFile file,
            @Nullable Problem problem,
            List<ChangeFile.Wrong> wrong,
            @Nullable String existing) {
        var shown = wrong.subList(0, Math.min(SHOWN, wrong.size()));
        return new ChangeFilePage(
                about,
                key,
                Counts.of(file.maxRows()),
                Counts.bytes(file.maxBytes()),
                String.join(", ", ChangeFile.COLUMNS),
                String.join(", ", ChangeFile.REQUIRED),
                String.join(", ", PriceOperation.NAMES),
                problem,
                shown,
                shown.size() < wrong.size()
                        ? "The first " + SHOWN + " of " + Counts.of(wrong.size())
                        : Counts.of(wrong.size()) + (wrong.size() == 1 ? " thing" : " things") + " to fix",
                existing);
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
