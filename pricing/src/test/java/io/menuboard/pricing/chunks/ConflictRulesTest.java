package io.menuboard.pricing.chunks;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrice.Layer;
import io.menuboard.pricing.chunks.ChangeChunk.Line;
import io.menuboard.pricing.chunks.ConflictRules.Placement;
import io.menuboard.pricing.chunks.ConflictRules.Withdrawal;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Three sets, drafted one after the other, change one price from the same instant on. */
class ConflictRulesTest {
    private static final EffectiveDate DATE = EffectiveDate.parse("2036-07-01");
    private static final ChangeSetId FIRST = id(1);
    private static final ChangeSetId SECOND = id(2);
    private static final ChangeSetId THIRD = id(3);

    @Test
    void theSetThatWasDraftedLastHasThePrice() {
        assertThat(ConflictRules.place(FIRST, line(4), null)).isEqualTo(new Placement.OnTop());
        assertThat(ConflictRules.place(FIRST, line(4), top(null))).isEqualTo(new Placement.OnTop());
        assertThat(ConflictRules.place(SECOND, line(4), top(FIRST))).isEqualTo(new Placement.OnTop());
    }

    @Test
    void anEarlierSetGoesBeneathInTheOrderOfDrafts() {
        var top = top(THIRD, layer(null), layer(FIRST));

        assertThat(ConflictRules.place(SECOND, line(4), top))
                .isEqualTo(new Placement.Beneath(top(THIRD, layer(null), layer(FIRST), layer(SECOND)), THIRD));
        assertThat(ConflictRules.place(FIRST, line(4), top(THIRD, layer(null), layer(SECOND))))
                .isEqualTo(new Placement.Beneath(top(THIRD, layer(null), layer(FIRST), layer(SECOND)), THIRD));
    }

    @Test
    void aSetHasOneVersionHoweverOftenItIsPlaced() {
        assertThat(ConflictRules.place(SECOND, line(4), top(SECOND))).isEqualTo(new Placement.Present());
        assertThat(ConflictRules.place(FIRST, line(4), top(SECOND, layer(FIRST))))
                .isEqualTo(new Placement.Present());
    }

    @Test
    void whatHadThePriceIsKeptBeneath() {
        assertThat(ConflictRules.onTop(DATE, THIRD, euros(), top(SECOND, layer(FIRST)), 4))
                .isEqualTo(top(THIRD, layer(FIRST), layer(SECOND)));
        assertThat(ConflictRules.onTop(DATE, THIRD, euros(), null, null)).isEqualTo(top(THIRD));
    }

    @Test
    void whatWasBeneathComesBack() {
        assertThat(ConflictRules.withdraw(THIRD, top(THIRD, layer(FIRST), layer(SECOND))))
                .isEqualTo(new Withdrawal.Uncovered(top(SECOND, layer(FIRST)), layer(SECOND)));
        assertThat(ConflictRules.withdraw(THIRD, top(THIRD))).isEqualTo(new Withdrawal.Removed(top(THIRD)));
    }

    @Test
    void aSetIsTakenFromBeneathAnother() {
        assertThat(ConflictRules.withdraw(SECOND, top(THIRD, layer(FIRST), layer(SECOND))))
                .isEqualTo(new Withdrawal.FromBeneath(top(THIRD, layer(FIRST))));
    }

    @Test
    void aSetThatWasInEffectThereIsNotTakenBack() {
        assertThat(ConflictRules.withdraw(FIRST, top(THIRD, new Layer(FIRST, null, euros()), layer(SECOND))))
                .isEqualTo(new Withdrawal.WasInEffect());
    }

    @Test
    void aSetThatIsNotThereIsNotTakenBack() {
        assertThat(ConflictRules.withdraw(FIRST, null)).isEqualTo(new Withdrawal.Absent());
        assertThat(ConflictRules.withdraw(FIRST, top(THIRD, layer(SECOND)))).isEqualTo(new Withdrawal.Absent());
    }

    private static ChangeSetId id(int second) {
        return ChangeSetId.random(Instant.ofEpochSecond(second), new Random(second));
    }

    private static Line line(int number) {
        return new Line(number, new PriceSubject.Product(new ProductId("BURGER")), null, euros(), null, false);
    }

    private static Layer layer(@Nullable ChangeSetId set) {
        return new Layer(set, 4, euros());
    }

    private static StoredPrice top(@Nullable ChangeSetId set, Layer... beneath) {
        return new StoredPrice(DATE, euros(), set, false, null, List.of(beneath));
    }

    private static Money euros() {
        return Money.of("5.00 EUR");
    }
}
