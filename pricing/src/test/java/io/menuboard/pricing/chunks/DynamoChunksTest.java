package io.menuboard.pricing.chunks;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is recorded of a chunk. */
class DynamoChunksTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    @Test
    void nobodyTakesBackAChunkThatARunHasBegunSinceItWasRead() {
        var clock = new MovingClock();
        var db = table.queryDb(clock);
        var line = new ChangeChunk.Line(
                1,
                new PriceSubject.Product(new ProductId("BURGER")),
                Money.of("4.99 EUR"),
                null,
                EffectiveDate.parse("2030-01-01"),
                false);
        var chunk = ChangeChunk.fresh(
                new ChangeChunk.Place("CHANGESET#S1#P1#0", 0),
                new StoreId("DE-0001"),
                Channel.ALL,
                ChangeChunk.Kind.UNLOAD,
                null,
                List.of(line));
        var ttl = clock.instant().plus(Duration.ofDays(1));
        db.transact(List.of(Write.put(DynamoChunks.item(chunk, ttl), SaveMode.ANY)));

        db.transact(List.of(DynamoChunks.begun(chunk)));

        var back = DynamoChunks.written(chunk, 2, ChangeChunk.State.CANCELLED, null, null, Map.of());
        assertThatThrownBy(() -> db.transact(List.of(back))).isInstanceOf(ConditionFailed.class);
    }
}
