package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ChangeSetRulesTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @Test
    void readsTheFirstRulesOfASetAndNoneOfAnUndo() {
        try (var fixture = new ChangesFixture(table.queryDb(clock), clock)) {
            var first = rule(percent("5"), List.of("DE-0001"), "COFFEE");
            var second = rule(percent("6"), List.of("DE-0001"), "TEA");
            var third = rule(percent("7"), List.of("DE-0001"), "COLA");
            fixture.stores.save(EVERYTHING, List.of(BERLIN));
            fixture.load(List.of(price(BERLIN, "ALL", "COFFEE", "2030-01-01", "2.90")));
            var set = fixture.applied(draft(null, first, second, third));
            var undo = done(fixture.drafts.draftUndo(GRACE, set.id(), "a mistake", null));

            assertThat(fixture.setLines.rules(GRACE, set.id())).containsExactly(first, second);
            assertThat(fixture.setLines.rules(GRACE, undo.id())).isEmpty();
            assertThat(fixture.setLines.rules(GRACE, new ChangeSetId("01JD8X00000000000000000000")))
                    .isEmpty();
        }
    }
}
