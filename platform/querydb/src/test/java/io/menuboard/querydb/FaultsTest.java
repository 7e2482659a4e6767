package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FaultInjectingHttpClient.Sent;
import io.menuboard.querydb.QueryDb.Removed;
import io.menuboard.querydb.requests.Pauses;
import io.menuboard.querydb.requests.Usage;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What DynamoDB may do to a request: throttle it, take half of it, lose it, or lose the reply. */
final class FaultsTest {

    private static final Key KEY = new Key("p", "s");
    private static final Query LIST = Query.table("things", "p");
    private static final Update INCREMENT = Update.of(KEY).add("n", 1);
    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final int ATTEMPTS = FreshTable.RETRIES.maxAttempts();
    private static final int TOO_OFTEN = 1000;

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

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
        table.faults().inject(Fault.HALF_PROCESSED, "BatchGetItem", 3);
        assertThat(table.meter()
                        .during(() -> assertThat(db().getBatch(keys, Consistency.STRONG))
                                .allMatch(Optional::isPresent))
                        .read())
                .as("strongly consistent each time")
                .isEqualTo(60);
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
        assertThat(QueryDbException.isPassing(thrown)).isTrue();
        assertThat(thrown.keys()).containsExactly(other.item().key(), KEY);
        assertThat(thrown).hasMessage("batch of p / other, p / s: 2 of 3 not written");
    }

    @Test
    void whatMayHaveBeenWrittenBeforeItStayedUnprocessedIsSaidToBe() {
        table.faults().inject(Fault.REPLY_LOST, "BatchWriteItem", 1);
        table.faults().inject(Fault.UNPROCESSED, "BatchWriteItem", TOO_OFTEN);

        var result = db().saveBatch(List.of(new Save(item(KEY, 1), SaveMode.ANY)));

        assertThat(result.outcomes())
                .singleElement(InstanceOfAssertFactories.type(Outcome.Failed.class))
                .satisfies(failed -> assertThat(failed.reason().maybeApplied()).isTrue());
        assertThat(db().get(KEY, Consistency.STRONG)).isPresent();
    }

    @Test
    void whatIsLeftUnprocessedIsMeteredAsRetriesAndItsEndAsAFailure() {
        table.faults().inject(Fault.UNPROCESSED, "BatchWriteItem", TOO_OFTEN);
        table.faults().inject(Fault.UNPROCESSED, "BatchGetItem", TOO_OFTEN);

        assertThat(retriesAndFailures(() -> assertThat(db().saveBatch(List.of(new Save(item(KEY, 1), SaveMode.ANY)))
                                .outcomes())
                        .hasOnlyElementsOfType(Outcome.Failed.class)))
                .containsExactly(ATTEMPTS - 1, 1);
        assertThat(retriesAndFailures(
                        () -> assertThatExceptionOfType(NotLoaded.class).isThrownBy(() -> db().getBatch(keys(2)))))
                .containsExactly(ATTEMPTS - 1, 1);
    }

    private List<Integer> retriesAndFailures(Runnable action) {
        table.meter().during(action);
        var usages = table.meter().usages();
        return List.of(usages.stream().mapToInt(usage -> usage.attempts() - 1).sum(), (int) usages.stream()
                .filter(usage -> usage.outcome() == Usage.Outcome.FAILED)
                .count());
    }

    @Test
    void whatStaysUnreadIsAFailureOfTheBatch() {
        table.faults().inject(Fault.UNPROCESSED, "BatchGetItem", TOO_OFTEN);

        var thrown = catchThrowableOfType(NotLoaded.class, () -> db().getBatch(keys(2)));

        assertThat(thrown.operation()).isEqualTo("getBatch");
        assertThat(thrown.keys()).isEqualTo(keys(2));
        assertThat(sent("BatchGetItem")).hasSize(ATTEMPTS);
        assertThat(QueryDbException.isPassing(thrown)).isTrue();
    }

    @Test
    void aTransactionThatOthersAlwaysPreventMaySucceedLater() {
        table.faults().inject(Fault.TRANSACTION_CONFLICT, "TransactWriteItems", TOO_OFTEN);

        var thrown = catchThrowableOfType(NotSaved.class, () -> db().transact(List.of(INCREMENT)));

        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(sent("TransactWriteItems")).hasSize(ATTEMPTS);
        assertThat(QueryDbException.isPassing(thrown)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TransactionConflictException", "ReplicatedWriteConflictException"})
    void aWriteThatOthersPreventMaySucceedLater(String code) {
        assertThat(QueryDbException.isPassing(error(code))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded", "ValidationError"})
    void aTransactionWithAReasonThatStaysFailsLaterToo(String code) {
        var reasons = Stream.of("TransactionConflict", "ThrottlingError", code)
                .map(each -> CancellationReason.builder().code(each).build())
                .toList();

        assertThat(QueryDbException.isPassing(TransactionCanceledException.builder()
                        .cancellationReasons(reasons.subList(0, 2))
                        .build()))
                .isTrue();
        assertThat(QueryDbException.isPassing(TransactionCanceledException.builder()
                        .cancellationReasons(reasons)
                        .build()))
                .isFalse();
    }

    @Test
    void anErrorWithoutACodeFailsLaterToo() {
        assertThat(QueryDbException.isPassing(DynamoDbException.builder().build()))
                .isFalse();
        assertThat(QueryDbException.isPassing(error("ValidationException"))).isFalse();
    }

    private static Throwable error(String code) {
        return DynamoDbException.builder()
                .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
                .statusCode(400)
                .build();
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

    @Test
    void aSaveThatFindsItsOwnItemAfterALostReplyIsSaved() {
        var item = Item.at(KEY)
                .type("thing")
                .number("amount", new BigDecimal("1.50"))
                .strings("list", List.of("b", "a"))
                .stringMap("map", Map.of("k", "v"))
                .value("set", AttributeValue.fromSs(List.of("y", "x")))
                .value("numbers", AttributeValue.fromNs(List.of("2.0", "1")))
                .value("bytes", AttributeValue.fromB(SdkBytes.fromUtf8String("b")))
                .value("nothing", AttributeValue.fromNul(true))
                .ttl(NOW.plusSeconds(1))
                .build();
        table.faults().inject(Fault.REPLY_LOST, "PutItem", 1);

        db().save(item, SaveMode.INIT);

        assertThat(sent("PutItem")).hasSize(2);
    }

    @Test
    void aSaveThatFindsAnotherItemAfterALostReplyFails() {
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(Fault.REQUEST_LOST, "PutItem", 1);

        var thrown = catchThrowableOfType(AlreadyExists.class, () -> db().save(item(KEY, 2), SaveMode.INIT));

        assertThat(thrown.current()).contains(item(KEY, 1));
        assertThat(thrown.maybeApplied()).isTrue();
    }

    @Test
    void aSaveThatFindsAnEqualItemWithoutALostReplyFails() {
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(Fault.TABLE_THROTTLED, "PutItem", 1);

        var thrown = catchThrowableOfType(AlreadyExists.class, () -> db().save(item(KEY, 1), SaveMode.INIT));

        assertThat(thrown.maybeApplied()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST"})
    void aBatchOfAnyKindIsWrittenOnceThoughRepliesAreLost(Fault fault) {
        var keys = keys(30);
        table.faults().inject(fault, "BatchWriteItem", 2);
        table.faults().inject(fault, "PutItem", 3);
        var saves = keys.stream()
                .map(key -> new Save(item(key, 1), key.sort().endsWith("0") ? SaveMode.INIT : SaveMode.ANY))
                .toList();

        var result = db().saveBatch(saves);

        assertThat(result.failures()).isEmpty();
        assertThat(db().load("p")).isEqualTo(saves.stream().map(Save::item).toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST"})
    void aRemovalIsRepeatedUntilItIsAnswered(Fault fault) {
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(fault, "DeleteItem", ATTEMPTS - 1);

        assertThat(db().remove(KEY, "id").map(Removed::item)).contains(item(KEY, 1));

        assertThat(db().get(KEY)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST", "SERVER_ERROR"})
    void aCountIsNeverRepeatedWhenItMayHaveHappened(Fault fault) {
        var applied = fault == Fault.REPLY_LOST || fault == Fault.SERVER_ERROR_AFTERWARDS;
        db().count(KEY, "n", 1);
        table.faults().inject(fault, "UpdateItem", 1);

        var thrown = catchThrowableOfType(NotCounted.class, () -> db().count(KEY, "n", 1));

        assertThat(thrown.maybeApplied()).isTrue();
        assertThat(thrown.operation()).isEqualTo("count");
        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(thrown).hasMessageEndingWith("; it may have been applied");
        assertThat(db().get(KEY).orElseThrow().integer("n")).isEqualTo(applied ? 2 : 1);
    }

    @Test
    void aCountIsRepeatedWhenItCertainlyDidNotHappen() {
        table.faults().inject(Fault.TABLE_THROTTLED, "UpdateItem", 2);
        table.faults().inject(Fault.ACCOUNT_THROTTLED, "UpdateItem", 2);

        assertThat(db().count(KEY, "n", 1)).isEqualTo(1);
    }

    @Test
    void anExpiredCounterIsNotStartedTwice() {
        db().save(Item.at(KEY).number("n", 41).ttl(NOW).build(), SaveMode.ANY);
        table.faults().inject(Fault.REPLY_LOST, "PutItem", 1);

        var thrown = catchThrowableOfType(NotCounted.class, () -> db().count(KEY, "n", 1));

        assertThat(thrown.maybeApplied()).isTrue();
        assertThat(db().get(KEY).orElseThrow().integer("n")).isEqualTo(1);
        assertThat(db().count(KEY, "n", 1)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST", "SERVER_ERROR"})
    void anUpdateIsNeverRepeatedWhenItMayHaveHappened(Fault fault) {
        var applied = fault == Fault.REPLY_LOST || fault == Fault.SERVER_ERROR_AFTERWARDS;
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(fault, "UpdateItem", 1);

        var thrown = catchThrowableOfType(NotSaved.class, () -> db().update(INCREMENT));

        assertThat(thrown.maybeApplied()).isTrue();
        assertThat(thrown.operation()).isEqualTo("update");
        assertThat(db().get(KEY)).contains(item(KEY, applied ? 2 : 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS", "REQUEST_LOST", "SERVER_ERROR", "TABLE_THROTTLED"})
    void anUpdateWithAWriteIdIsRepeatedAndHappensOnce(Fault fault) {
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(fault, "UpdateItem", 2);

        var updated = updateOnce("mine");

        assertThat(updated.integer("n")).isEqualTo(2);
        assertThat(updated.string("writeId")).isEqualTo("mine");
        assertThat(db().get(KEY)).contains(updated);
        assertThat(sent("UpdateItem")).hasSize(3);
    }

    @Test
    void anUpdateThatFindsAnothersWriteIdAfterALostRequestIsRefused() {
        db().save(item(KEY, 1), SaveMode.ANY);
        updateOnce("theirs");
        table.faults().inject(Fault.REQUEST_LOST, "UpdateItem", 1);

        var thrown = catchThrowableOfType(ConditionFailed.class, () -> updateOnce("mine"));

        assertThat(thrown.current().orElseThrow().string("writeId")).isEqualTo("theirs");
        assertThat(thrown.maybeApplied()).isTrue();
    }

    @Test
    void anUpdateThatFindsItsWriteIdWithoutALostReplyIsRefused() {
        db().save(item(KEY, 1), SaveMode.ANY);
        updateOnce("mine");

        var thrown = catchThrowableOfType(ConditionFailed.class, () -> updateOnce("mine"));

        assertThat(thrown.maybeApplied()).isFalse();
    }

    /** Counts once, for who is first. */
    private Item updateOnce(String writeId) {
        return db().update(
                        Update.of(KEY).add("n", 1).set("writeId", writeId).when(Condition.equal("n", 1)),
                        current -> current.string("writeId").equals(writeId));
    }

    @Test
    void anUpdateIsRepeatedWhenItCertainlyDidNotHappen() {
        table.faults().inject(Fault.ACCOUNT_THROTTLED, "UpdateItem", 3);

        assertThat(db().update(INCREMENT).integer("n")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "REPLY_LOST",
                "SERVER_ERROR_AFTERWARDS",
                "REQUEST_LOST",
                "SERVER_ERROR",
                "TRANSACTION_CONFLICT",
                "TABLE_THROTTLED"
            })
    void aRepeatedTransactionHappensOnce(Fault fault) {
        table.faults().inject(fault, "TransactWriteItems", 2);
        var created = Item.at(new Key("p", "created"))
                .stringMap("map", Map.of("a", "1", "b", "2", "c", "3"))
                .value("set", AttributeValue.fromSs(List.of("z", "y", "x")))
                .number("amount", new BigDecimal("1.50"))
                .build();

        db().transact(List.of(INCREMENT, Write.put(created, SaveMode.INIT)));

        assertThat(db().get(KEY).orElseThrow().integer("n")).isEqualTo(1);
        assertThat(sent("TransactWriteItems")).hasSize(3);
    }

    @Test
    void aTransactionThatDynamoDbKnowsByAnotherContentMayHaveHappened() {
        table.faults().inject(Fault.REPLY_LOST, "TransactWriteItems", 1);
        table.faults().inject(Fault.TOKEN_MISMATCH, "TransactWriteItems", 1);

        var thrown = catchThrowableOfType(NotSaved.class, () -> db().transact(List.of(INCREMENT)));

        assertThat(thrown.maybeApplied()).isTrue();
        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(db().get(KEY).orElseThrow().integer("n")).isEqualTo(1);
    }

    @Test
    void aTransactionRefusedAfterALostReplyCertainlyDidNotHappen() {
        db().save(item(KEY, 1), SaveMode.ANY);
        table.faults().inject(Fault.REPLY_LOST, "TransactWriteItems", 1);

        var thrown = catchThrowableOfType(
                ConditionFailed.class, () -> db().transact(List.of(Write.put(item(KEY, 2), SaveMode.INIT))));

        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(thrown.current()).contains(item(KEY, 1));
    }

    @ParameterizedTest
    @EnumSource(names = {"TABLE_THROTTLED", "ACCOUNT_THROTTLED", "SERVER_ERROR", "REQUEST_LOST"})
    void everyReadIsRepeated(Fault fault) {
        db().save(item(KEY, 1), SaveMode.ANY);
        for (var operation : List.of("GetItem", "BatchGetItem", "Query")) {
            table.faults().inject(fault, operation, ATTEMPTS - 1);
        }

        assertThat(db().get(KEY)).contains(item(KEY, 1));
        assertThat(db().getBatch(List.of(KEY))).containsExactly(Optional.of(item(KEY, 1)));
        assertThat(db().load("p")).containsExactly(item(KEY, 1));
    }

    private static Stream<Arguments> failures() {
        return Stream.of(
                failure("GetItem", db -> db.get(KEY), NotLoaded.class, "get", KEY),
                failure("BatchGetItem", db -> db.getBatch(List.of(KEY)), NotLoaded.class, "getBatch", KEY),
                failure("Query", db -> db.load("p"), NotLoaded.class, "load"),
                failure("Query", db -> db.query(LIST, PageRequest.forward(1, null)), NotLoaded.class, "things"),
                failure("Query", db -> assertThat(db.all(LIST)).isEmpty(), NotLoaded.class, "things"),
                failure("PutItem", db -> db.save(item(KEY, 1), SaveMode.INIT), NotSaved.class, "save INIT", KEY),
                failure("PutItem", db -> db.save(item(KEY, 1), SaveMode.ANY), NotSaved.class, "save ANY", KEY),
                failure(
                        "BatchWriteItem",
                        db -> db.saveBatch(List.of(new Save(item(KEY, 1), SaveMode.ANY)))
                                .orThrow(),
                        BatchNotFullyWritten.class,
                        "batch",
                        KEY),
                failure(
                        "BatchWriteItem",
                        db -> db.deleteBatch(List.of(KEY)).orThrow(),
                        BatchNotFullyWritten.class,
                        "batch",
                        KEY),
                failure("DeleteItem", db -> db.delete(KEY), NotDeleted.class, "delete", KEY),
                failure("UpdateItem", db -> db.count(KEY, "n", 1), NotCounted.class, "count", KEY),
                failure("UpdateItem", db -> db.update(INCREMENT), NotSaved.class, "update", KEY),
                failure(
                        "TransactWriteItems",
                        db -> db.transact(List.of(
                                Write.delete(KEY), Update.of(new Key("q", "s")).add("n", 1))),
                        NotSaved.class,
                        "transact",
                        KEY,
                        new Key("q", "s")));
    }

    private static Arguments failure(
            String request, Consumer<QueryDb> use, Class<?> failure, String operation, Key... keys) {
        return Arguments.of(request, use, failure, operation, List.of(keys));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void retriesEndAndTheFailureNamesOperationAndKeys(
            String request,
            Consumer<QueryDb> use,
            Class<? extends QueryDbException> failure,
            String operation,
            List<Key> keys) {
        table.faults().inject(Fault.TABLE_THROTTLED, request, TOO_OFTEN);

        var thrown = catchThrowableOfType(failure, () -> use.accept(db()));

        assertThat(sent(request)).hasSize(ATTEMPTS);
        assertThat(thrown.operation()).isEqualTo(operation);
        assertThat(thrown.keys()).isEqualTo(keys);
        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(thrown).hasMessageContaining(keys.isEmpty() ? "partition p" : "p / s");
        assertThat(thrown).hasRootCauseInstanceOf(ProvisionedThroughputExceededException.class);
    }

    @Test
    void anotherFailureThanThrottlingIsNotRepeated() {
        var bad = Item.at(KEY).string("gsi1pk", "").build();

        var thrown = catchThrowableOfType(NotSaved.class, () -> db().save(bad, SaveMode.ANY));

        assertThat(sent("PutItem")).hasSize(1);
        assertThat(thrown.maybeApplied()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_CONNECTED", "NO_CONNECTION_FREE"})
    void whatWasNeverSentIsSentAgainHoweverOftenItMayBeDone(Fault fault) {
        table.faults().inject(fault, "UpdateItem", 3);
        assertThat(db().count(KEY, "n", 1)).isEqualTo(1);
        assertThat(db().update(INCREMENT).integer("n")).isEqualTo(2);

        table.faults().inject(fault, "UpdateItem", TOO_OFTEN);
        var thrown = catchThrowableOfType(NotCounted.class, () -> db().count(KEY, "n", 1));

        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(sent("UpdateItem")).hasSize(3 + 2 + ATTEMPTS);
    }

    @Test
    void aRepeatedRemovalTakesNothingThatWasMadeInBetween() {
        var first = made("first", 1);
        var second = made("second", 1);
        db().save(first, SaveMode.INIT);
        table.faults().inject(Fault.REPLY_LOST, "DeleteItem", 1);
        var db = pausing(() -> db().save(second, SaveMode.INIT));

        assertThat(db.remove(KEY, "id")).contains(new Removed(first, false));

        assertThat(db().get(KEY)).contains(second);
    }

    @Test
    void aRemovalOfWhatHasChangedMeanwhileRemovesItAsItIsThen() {
        var changed = made("first", 2);
        db().save(made("first", 1), SaveMode.INIT);
        table.faults().inject(Fault.REQUEST_LOST, "DeleteItem", 1);
        var db = pausing(() -> db().save(changed, SaveMode.OVERWRITE));

        assertThat(db.remove(KEY, "id")).contains(new Removed(changed, true));

        assertThat(db().get(KEY)).isEmpty();
    }

    private static Item made(String id, long n) {
        return Item.at(KEY).string("id", id).number("n", n).build();
    }

    @Test
    void aRemovalThatWasOvertakenRemovesWhatIsThereThen() {
        var second = item(KEY, 2);
        db().save(item(KEY, 1), SaveMode.INIT);
        table.faults().inject(Fault.TABLE_THROTTLED, "DeleteItem", 1);
        var db = pausing(() -> db().save(second, SaveMode.OVERWRITE));

        assertThat(db.remove(KEY, "id")).contains(new Removed(second, true));

        assertThat(db().get(KEY)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"REPLY_LOST", "SERVER_ERROR_AFTERWARDS"})
    void aDeletionWithoutAnAnswerIsNotRepeated(Fault fault) {
        db().save(item(KEY, 1), SaveMode.INIT);
        table.faults().inject(fault, "DeleteItem", 1);
        table.faults().inject(fault, "BatchWriteItem", 1);

        var one = catchThrowableOfType(NotDeleted.class, () -> db().delete(KEY));
        var many = db().deleteBatch(List.of(KEY)).failures();

        assertThat(one.maybeApplied()).isTrue();
        assertThat(many).singleElement().matches(failure -> failure.reason().maybeApplied());
        assertThat(sent("DeleteItem")).hasSize(1);
        assertThat(sent("BatchWriteItem")).hasSize(1);
    }

    /** Does something instead of each pause. */
    private QueryDb pausing(Runnable pause) {
        var requests = Pauses.requests(table.client(), FreshTable.RETRIES, table.meter(), _ -> pause.run());
        return new QueryDb(table.definition(), clock(), requests, FreshTable.CURSOR_KEY);
    }

    private QueryDb db() {
        return table.queryDb(clock());
    }

    private static Clock clock() {
        return Clock.fixed(NOW, ZoneOffset.UTC);
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
