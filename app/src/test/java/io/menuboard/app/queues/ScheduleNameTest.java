package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.PriceBatch;
import java.time.LocalDateTime;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ScheduleNameTest {

    @Test
    void peopleCanReadIt() {
        var name = EventBridgeSchedules.name(
                new PriceBatch(new StoreId("DE-0001"), Channel.ALL, EffectiveDate.parse("2026-03-01")));

        assertThat(name).matches("2026-03-01_DE-0001_ALL_[0-9a-f]{32}");
    }

    @Property
    void theServiceAllowsIt(@ForAll("batches") PriceBatch batch) {
        assertThat(EventBridgeSchedules.name(batch)).matches("[0-9a-zA-Z-_.]{1,64}");
    }

    @Property
    void oneBatchHasOneNameAndAnotherOneAnother(
            @ForAll("batches") PriceBatch one, @ForAll("batches") PriceBatch other) {
        assertThat(EventBridgeSchedules.name(one).equals(EventBridgeSchedules.name(other)))
                .isEqualTo(one.equals(other));
    }

    @Property
    void whatAPartEndsWithAndTheNextBeginsWithCounts(@ForAll("ids") String id) {
        var date = EffectiveDate.parse("2026-03-01");
        var one = new PriceBatch(new StoreId("A"), new Channel("A_" + cut(id)), date);
        var other = new PriceBatch(new StoreId("A_A"), new Channel(cut(id)), date);

        assertThat(EventBridgeSchedules.name(one)).isNotEqualTo(EventBridgeSchedules.name(other));
    }

    @Provide
    static Arbitrary<PriceBatch> batches() {
        var dates = Arbitraries.integers()
                .between(0, 3)
                .map(hour -> new EffectiveDate(LocalDateTime.of(2026, 3, 1, hour, 0)));
        return Combinators.combine(storeIds(), ids(), dates)
                .as((store, channel, date) -> new PriceBatch(new StoreId(store), new Channel(channel), date));
    }

    /** Ids that nearly are each other's, and any others. */
    @Provide
    static Arbitrary<String> ids() {
        var near = Arbitraries.of("A", "a", "A-A", "A_A", "A A", "Ä", "A.A", "A".repeat(64), "A".repeat(63) + "B");
        var any = Arbitraries.strings().ofMinLength(1).ofMaxLength(64).filter(ScheduleNameTest::isId);
        return Arbitraries.oneOf(near, any);
    }

    private static Arbitrary<String> storeIds() {
        var near = Arbitraries.of("A", "a", "A-A", "A_A", "A/A", "A.A", "A".repeat(64), "A".repeat(63) + "B");
        var any = Arbitraries.strings()
                .withCharRange('!', '~')
                .ofMinLength(1)
                .ofMaxLength(64)
                .filter(ScheduleNameTest::isId);
        return Arbitraries.oneOf(near, any);
    }

    private static String cut(String id) {
        return id.length() > 60 ? "cut" : id;
    }

    private static boolean isId(String text) {
        try {
            Ids.check("id", text);
            return true;
        } catch (InvalidInput _) {
            return false;
        }
    }
}
