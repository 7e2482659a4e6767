package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.menuboard.querydb.FaultInjectingHttpClient.Sent;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What DynamoDB may do to a request: throttle it, take half of it, lose it, or lose the reply. */
final class FaultsTest {

    private static final Key KEY = new Key("p", "s");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int ATTEMPTS = FreshTable.RETRIES.maxAttempts();
    private static final int TOO_OFTEN = 1000;

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private QueryDb db() {
        return table.queryDb(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void sixtyItemsSavedUnderThrottlingAreSixtyOutcomesInOrder() {
        var keys = keys(60);
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 0.5, 1);
        table.faults().inject(Fault.HALF_PROCESSED, "BatchWriteItem", 0.5, 2);
        table.faults().inject(Fault.TABLE_THROTTLED, "PutItem", 0.3, 3);
        var saves = new ArrayList<Save>();
        for (var i = 0; i < 60; i++) {
            saves.add(new Save(item(keys.get(i), i), i % 3 == 0 ? SaveMode.INIT : SaveMode.ANY));
        }

        var result = db().saveBatch(saves);

        assertThat(result.outcomes())
                .isEqualTo(keys.stream().map(Outcome.Saved::new).toList());
        assertThat(db().getBatch(keys))
                .isEqualTo(saves.stream().map(save -> Optional.of(save.item())).toList());
    }

    @Test
    void whatABatchLeavesUnprocessedIsAskedForAgain() {
        var keys = keys(60);
        table.faults().inject(Fault.HALF_PROCESSED, "BatchGetItem", 3);
        table.faults().inject(Fault.UNPROCESSED, "BatchGetItem", 2);
        table.faults().inject(Fault.HALF_PROCESSED, "BatchWriteItem", 5);
        keys.forEach(key -> db().save(item(key, 1), SaveMode.ANY));

        assertThat(db().getBatch(keys)).hasSize(60).allMatch(Optional::isPresent);
        assertThat(db().deleteBatch(keys).outcomes())
                .isEqualTo(keys.stream().map(Outcome.Deleted::new).toList());
        assertThat(db().load("p")).isEmpty();
    }

    @Test
    void whatStaysUnprocessedIsAFailureOfEachInput() {
        table.faults().inject(Fault.UNPROCESSED, "BatchWriteItem", TOO_OFTEN);
        var saves = List.of(new Save(item(KEY, 1), SaveMode.ANY), new Save(item(KEY, 2), SaveMode.INIT));
        var other = new Save(item(new Key("p", "other"), 1), SaveMode.ANY);

        var result = db().saveBatch(List.of(saves.get(0), other, saves.get(1)));

        assertThat(result.outcomes())
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo(new Outcome.Saved(KEY)),
                        two -> assertThat(two).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                            assertThat(failed.reason())
                                    .isInstanceOf(NotSaved.class)
                                    .hasMessageContaining("unprocessed");
                            assertThat(failed.reason().maybeApplied()).isFalse();
                        }),
                        three -> assertThat(three)
                                .isInstanceOfSatisfying(Outcome.Failed.class, failed -> assertThat(failed.reason())
                                        .isInstanceOf(AlreadyExists.class)));
        assertThat(sent("BatchWriteItem")).hasSize(ATTEMPTS);
        var thrown = catchThrowableOfType(BatchNotFullyWritten.class, result::orThrow);
        assertThat(thrown.keys()).containsExactly(other.item().key(), KEY);
        assertThat(thrown).hasMessage("batch of p / other, p / s: 2 of 3 not written");
    }

    @Test
    void whatStaysUnreadIsAFailureOfTheBatch() {
        table.faults().inject(Fault.UNPROCESSED, "BatchGetItem", TOO_OFTEN);

        var thrown = catchThrowableOfType(NotLoaded.class, () -> db().getBatch(keys(2)));

        assertThat(thrown.operation()).isEqualTo("getBatch");
        assertThat(thrown.keys()).isEqualTo(keys(2));
        assertThat(sent("BatchGetItem")).hasSize(ATTEMPTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST", "SERVER_ERROR", "TABLE_THROTTLED"})
    void aRepeatedSaveIsStillOneSave(Fault fault) {
        table.faults().inject(fault, "PutItem", 2);

        db().save(item(KEY, 1), SaveMode.INIT);

        assertThat(db().get(KEY)).contains(item(KEY, 1));
        table.faults().inject(fault, "PutItem", 2);
        db().save(item(KEY, 2), SaveMode.OVERWRITE);
        assertThat(db().get(KEY)).contains(item(KEY, 2));
        table.faults().inject(fault, "PutItem", 2);
        db().save(item(KEY, 3), SaveMode.ANY);
        assertThat(db().get(KEY)).contains(item(KEY, 3));
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "REQUEST_LOST"})
    void aRepeatedTransactionHappensOnce(Fault fault) {
        table.faults().inject(fault, "TransactWriteItems", 2);
        var add = Expression.of("ADD n :one").number(":one", 1);

        db().transact(List.of(Write.update(KEY, add), Write.put(item(new Key("p", "new"), 1), SaveMode.INIT)));

        assertThat(db().get(KEY).orElseThrow().integer("n")).isEqualTo(1);
        assertThat(sent("TransactWriteItems")).hasSize(3);
    }

    private List<Sent> sent(String operation) {
        return table.faults().sent().stream()
                .filter(sent -> sent.operation().equals(operation))
                .toList();
    }

    private static List<Key> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Key("p", "s%03d".formatted(i)))
                .toList();
    }

    private static Item item(Key key, long n) {
        return Item.at(key).type("thing").number("n", n).build();
    }
}
