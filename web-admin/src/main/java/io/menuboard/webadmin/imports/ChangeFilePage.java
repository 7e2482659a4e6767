package io.menuboard.webadmin.imports;

import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.webadmin.changes.ChangeAbout;
import io.menuboard.webadmin.changes.NewChangePage;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Problems;
import java.util.List;

/**
 * View model of {@code changes/file}: a new change set from a file.
 *
 * @param key idempotency key
 */
record ChangeFilePage(
        String key,
        ChangeAbout about,
        String columns,
        String required,
        String operations,
        Problems problems,
        List<NewChangePage.Wrong> wrong,
        String wrongTitle) {

    static ChangeFilePage of(ChangeAbout about, Problems problems) {
        return new ChangeFilePage(
                FormKey.fresh(),
                about,
                String.join(", ", ImportKind.CHANGES.columns()),
                String.join(", ", ImportKind.CHANGES.required()),
                String.join(", ", PriceOperation.NAMES),
                problems,
                NewChangePage.Wrong.of(problems),
                NewChangePage.Wrong.title(problems));
    }
}
