package io.menuboard.pricing.batches;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.changes.PartitionFeed;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ChangeRecord.Kind;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records of batches come in any order, twice, and at once with others of the same batch. */
class BatchWakerTest {
    private static final PriceBatch BATCH =
            new PriceBatch(new StoreId("DE-0001"), Channel.ALL, EffectiveDate.parse("2036-07-01"));
    private static final Instant MIDNIGHT = Instant.parse("2036-06-30T22:00:00Z");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MemorySchedules schedules = new MemorySchedules();
    private ChangesFixture fixture;
    private PartitionFeed feed;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        var berlin = aStore("DE-0001").build();
        fixture.stores.save(EVERYTHING, List.of(berlin));
        fixture.load(List.of(price(berlin, "ALL", "BURGER", "2030-01-01", "5.00")));
        feed = new PartitionFeed(fixture.db, "STORE#DE-0001");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aBatchThatIsMadeAgainWhileItsScheduleIsCancelledHasOne() {
        var set = schedule();
        records();
        fixture.sets.cancel(ChangesFixture.GRACE, set.id());
        var removed = records().getFirst();
        var slow = new BatchSchedules() {
            private boolean first = true;

            /** In the middle of it another instance makes the batch again, and is told so. */
            @Override
            public void cancel(PriceBatch batch) {
                if (first) {
                    first = false;
                    BatchWakerTest.this.schedule();
                    var again = fixture.batching.waker(schedules);
                    records().forEach(again::handle);
                }
                schedules.cancel(batch);
            }

            @Override
            public void schedule(PriceBatch batch, Instant at) {
                schedules.schedule(batch, at);
            }

            @Override
            public boolean isScheduled(PriceBatch batch) {
                return schedules.isScheduled(batch);
            }
        };

        fixture.batching.waker(slow).handle(removed);

        assertThat(schedules.all()).isEqualTo(Map.of(BATCH, MIDNIGHT));
    }

    @RepeatedTest(20)
    void whatABatchIsDecidesInWhateverOrderItsRecordsComeAndHoweverOften(RepetitionInfo repetition) {
        var records = new ArrayList<ChangeRecord>();
        for (var i = 0; i < 2; i++) {
            var set = schedule();
            records.addAll(records());
            fixture.sets.cancel(ChangesFixture.GRACE, set.id());
            records.addAll(records());
        }
        var isThere = repetition.getCurrentRepetition() % 2 == 0;
        if (isThere) {
            schedule();
            records.addAll(records());
        }
        records.addAll(List.copyOf(records));
        Collections.shuffle(records, new Random(repetition.getCurrentRepetition()));
        var waker = fixture.batching.waker(schedules);

        records.forEach(waker::handle);

        assertThat(schedules.all()).isEqualTo(isThere ? Map.of(BATCH, MIDNIGHT) : Map.of());
    }

    private ChangeSet schedule() {
        return fixture.applied(draft("2036-07-01", rule(percent("10"), List.of("DE-0001"), "BURGER")));
    }

    /** What the pipe lets through of what has changed since. */
    private List<ChangeRecord> records() {
        return feed.next().stream()
                .filter(record -> record.type().equals(DynamoPriceBatches.TYPE))
                .filter(record -> record.kind() != Kind.CHANGED)
                .toList();
    }
}
