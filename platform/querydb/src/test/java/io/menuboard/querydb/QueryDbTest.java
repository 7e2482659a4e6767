package io.menuboard.querydb;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.exists;
import static io.menuboard.querydb.Condition.greater;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.menuboard.kernel.PageRequest;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Single items, batches and transactions when nothing goes wrong. */
final class QueryDbTest {

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final Key KEY = new Key("p", "s");
    private static final Key OTHER = new Key("p", "t");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @Test
    void anItemComesBackAsItWasSaved() {
        var item = Item.at(KEY)
                .type("thing")
                .index("things", "s")
                .string("name", "Pizza \uD83C\uDF55")
                .number("amount", new BigDecimal("12.34"))
                .number("count", -7)
                .flag("on", true)
                .strings("tags", List.of("b", "a", "b"))
                .stringMap("details", Map.of("k", "v"))
                .ttl(NOW.plusSeconds(1))
                .build();

        db().save(item, SaveMode.ANY);

        assertThat(db().get(KEY)).contains(item);
        assertThat(db().get(KEY, Consistency.STRONG)).contains(item);
        assertThat(db().get(OTHER)).isEmpty();
    }

    @Test
    void initSavesOnlyWhereNothingIs() {
        db().save(item(KEY, 1), SaveMode.INIT);

        var thrown = catchThrowableOfType(AlreadyExists.class, () -> db().save(item(KEY, 1), SaveMode.INIT));

        assertThat(thrown.operation()).isEqualTo("save INIT");
        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(thrown.current()).contains(item(KEY, 1));
        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(thrown).hasMessage("save INIT of p / s: already exists");
    }

    @Test
    void overwriteSavesOnlyWhereSomethingIs() {
        var thrown = catchThrowableOfType(ConditionFailed.class, () -> db().save(item(KEY, 1), SaveMode.OVERWRITE));

        assertThat(thrown.operation()).isEqualTo("save OVERWRITE");
        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(thrown.current()).isEmpty();
        assertThat(db().get(KEY)).isEmpty();
        db().save(item(KEY, 1), SaveMode.ANY);
        db().save(item(KEY, 2), SaveMode.OVERWRITE);
        assertThat(db().get(KEY)).contains(item(KEY, 2));
    }

    @Test
    void aPartitionIsLoadedInTheOrderOfItsSortKeys() {
        db().save(item(OTHER, 2), SaveMode.ANY);
        db().save(item(KEY, 1), SaveMode.ANY);
        db().save(item(new Key("q", "a"), 3), SaveMode.ANY);

        assertThat(db().load("p")).containsExactly(item(KEY, 1), item(OTHER, 2));
        assertThat(db().load("p", Consistency.STRONG)).containsExactly(item(KEY, 1), item(OTHER, 2));
        assertThat(db().load("nothing")).isEmpty();
    }

    @Test
    void aPartitionLargerThanAResponseIsLoadedWhole() {
        var ballast = "x".repeat(300_000);
        var items = IntStream.range(0, 9)
                .mapToObj(i -> Item.at(new Key("large", "s" + i))
                        .string("ballast", ballast)
                        .build())
                .toList();
        items.forEach(item -> db().save(item, SaveMode.ANY));

        assertThat(db().load("large")).isEqualTo(items);
        assertThat(db().all(Query.table("large", "large").reversed())).isEqualTo(items.reversed());
        assertThat(db().query(Query.table("large", "large"), PageRequest.forward(9, null))
                        .nodes())
                .isEqualTo(items);
    }

    @Test
    void aStreamOfAllItemsReadsNoFurtherThanItIsAsked() {
        var ballast = "x".repeat(300_000);
        IntStream.range(0, 9).forEach(i -> db().save(
                        Item.at(new Key("large", "s" + i))
                                .string("ballast", ballast)
                                .build(),
                        SaveMode.ANY));

        var units = table.meter().during(() -> assertThat(db().all(Query.table("large", "large"))
                        .map(item -> item.key().sort())
                        .findFirst())
                .contains("s0"));

        assertThat(units.requests()).isEqualTo(1);
    }

    @Test
    void removingReturnsWhatWasThere() {
        db().save(item(KEY, 1), SaveMode.ANY);

        assertThat(db().remove(KEY, "type").map(QueryDb.Removed::item)).contains(item(KEY, 1));
        assertThat(db().remove(KEY, "type")).isEmpty();
        assertThat(db().get(KEY)).isEmpty();
    }

    @Test
    void savesUnderAConditionOfItsOwn() {
        db().save(item(KEY, 2), isLess(2));

        var thrown = catchThrowableOfType(ConditionFailed.class, () -> db().save(item(KEY, 1), isLess(1)));

        assertThat(thrown.current()).contains(item(KEY, 2));
        db().save(item(KEY, 3), isLess(3));
        assertThat(db().get(KEY)).contains(item(KEY, 3));
    }

    @Test
    void deletingIsIdempotent() {
        db().save(item(KEY, 1), SaveMode.ANY);

        db().delete(KEY);
        db().delete(KEY);

        assertThat(db().get(KEY)).isEmpty();
    }

    @Test
    void countingAddsAndAnswersTheNewValue() {
        assertThat(db().count(KEY, "n", 5)).isEqualTo(5);
        assertThat(db().count(KEY, "n", -7)).isEqualTo(-2);
        assertThat(db().count(KEY, "size", 1)).isEqualTo(1);

        assertThat(db().get(KEY))
                .contains(Item.at(KEY).number("n", -2).number("size", 1).build());
    }

    @Test
    void countingWhatIsNoNumberFailsForCertain() {
        db().save(Item.at(KEY).string("n", "many").build(), SaveMode.ANY);

        var thrown = catchThrowableOfType(NotCounted.class, () -> db().count(KEY, "n", 1));

        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(thrown.maybeApplied()).isFalse();
        assertThat(thrown).hasMessageStartingWith("count of p / s: ").hasCauseInstanceOf(RuntimeException.class);
    }

    @Test
    void anUpdateAnswersTheWholeItem() {
        db().save(Item.at(KEY).string("name", "old").number("n", 1).build(), SaveMode.ANY);

        var updated = db().update(Update.of(KEY).set("name", "new").when(equal("n", 1)));

        assertThat(updated)
                .isEqualTo(Item.at(KEY).string("name", "new").number("n", 1).build());
        assertThat(db().get(KEY)).contains(updated);
        assertThat(db().update(Update.of(OTHER).set("n", 3))).isEqualTo(bare(OTHER, 3));
    }

    @Test
    void aRefusedUpdateSaysWhatIsThere() {
        db().save(item(KEY, 1), SaveMode.ANY);
        var update = Update.of(KEY).set("n", 2).when(greater("n", 2));

        var thrown = catchThrowableOfType(ConditionFailed.class, () -> db().update(update));

        assertThat(thrown.operation()).isEqualTo("update");
        assertThat(thrown.keys()).containsExactly(KEY);
        assertThat(thrown.current()).contains(item(KEY, 1));
        assertThat(thrown.maybeApplied()).isFalse();
    }

    @Test
    void aPlaceholderHasOneMeaning() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db().update(Update.of(KEY).set("n-Aa", 1).set("n-BB", 2)))
                .withMessageMatching("placeholder #_\\w+ means both n-Aa and n-BB");
    }

    @Test
    void aTransactionMakesAllItsWrites() {
        var gone = new Key("p", "gone");
        var checked = new Key("p", "checked");
        db().save(item(gone, 1), SaveMode.ANY);
        db().save(item(checked, 1), SaveMode.ANY);
        db().save(item(OTHER, 1), SaveMode.ANY);
        var isOne = equal("n", 1);

        db().transact(List.of(
                Write.put(item(KEY, 1), SaveMode.INIT),
                Update.of(OTHER).add("n", 2).when(isOne),
                Write.delete(gone, isOne),
                Write.delete(new Key("p", "never was")),
                Write.check(checked, isOne)));

        assertThat(db().load("p")).containsExactly(item(checked, 1), item(KEY, 1), item(OTHER, 3));
    }

    @Test
    void aRefusedTransactionNamesTheKeysAndChangesNothing() {
        db().save(item(OTHER, 1), SaveMode.ANY);
        var absent = new Key("p", "absent");

        var thrown = catchThrowableOfType(ConditionFailed.class, () -> db().transact(List.of(
                Write.put(item(KEY, 1), SaveMode.INIT),
                Write.put(item(OTHER, 2), SaveMode.INIT),
                Write.check(absent, exists()))));

        assertThat(thrown.operation()).isEqualTo("transact");
        assertThat(thrown.keys()).containsExactly(OTHER, absent);
        assertThat(thrown.current()).contains(item(OTHER, 1));
        assertThat(thrown.current(absent)).isEmpty();
        assertThat(db().load("p")).containsExactly(item(OTHER, 1));
    }

    @Test
    void aPutWithAConditionNeedsItToHold() {
        db().save(item(KEY, 1), SaveMode.ANY);
        var isTwo = equal("n", 2);

        assertThat(catchThrowableOfType(
                                ConditionFailed.class, () -> db().transact(List.of(Write.put(item(KEY, 3), isTwo))))
                        .current())
                .contains(item(KEY, 1));

        db().save(item(KEY, 2), SaveMode.ANY);
        db().transact(List.of(Write.put(item(KEY, 3), isTwo)));
        assertThat(db().get(KEY)).contains(item(KEY, 3));
    }

    @Test
    void aTransactionHasAtMostAHundredWritesEachOfAnotherKey() {
        var tooMany = IntStream.rangeClosed(0, QueryDb.MAX_TRANSACTION)
                .mapToObj(i -> Write.delete(new Key("p", "s" + i)))
                .toList();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> db().transact(tooMany))
                .withMessage("a transaction has at most 100 writes, not 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db().transact(List.of(Write.delete(KEY), Write.put(item(KEY, 1), SaveMode.ANY))))
                .withMessageStartingWith("a transaction writes every key once");
        db().transact(List.of());
        assertThat(table.faults().sent()).isEmpty();
        db().transact(tooMany.subList(0, QueryDb.MAX_TRANSACTION));
    }

    @Test
    void aBatchOfKeysIsAnsweredInTheirOrder() {
        var keys = IntStream.range(0, 250).mapToObj(i -> new Key("p", "s" + i)).toList();
        db().saveBatch(keys.stream()
                        .filter(key -> !key.sort().endsWith("7"))
                        .map(key -> new Save(item(key, 1), SaveMode.ANY))
                        .toList())
                .orThrow();
        var twice = IntStream.range(0, 500).mapToObj(i -> keys.get(i % 250)).toList();

        var units = table.meter().during(() -> assertThat(db().getBatch(twice))
                .isEqualTo(twice.stream()
                        .map(key -> Optional.of(item(key, 1))
                                .filter(_ -> !key.sort().endsWith("7")))
                        .toList()));

        assertThat(units.requests()).isEqualTo(3);
        assertThat(db().getBatch(List.of())).isEmpty();
    }

    @Test
    void aBatchOfSavesMeansWhatTheSavesOneAfterAnotherMean() {
        db().save(item(OTHER, 0), SaveMode.ANY);
        var third = new Key("p", "u");
        var fourth = new Key("p", "v");

        var outcomes = db().saveBatch(List.of(
                        new Save(item(KEY, 1), SaveMode.ANY),
                        new Save(item(OTHER, 1), SaveMode.INIT),
                        new Save(item(third, 1), SaveMode.OVERWRITE),
                        new Save(item(third, 2), SaveMode.INIT),
                        new Save(item(KEY, 2), SaveMode.ANY),
                        new Save(item(third, 3), SaveMode.INIT),
                        new Save(item(OTHER, 2), SaveMode.OVERWRITE),
                        new Save(item(third, 4), SaveMode.OVERWRITE),
                        new Save(item(fourth, 1), SaveMode.INIT),
                        new Save(item(fourth, 2), SaveMode.ANY)))
                .outcomes();

        assertThat(outcomes.stream().map(QueryDbTest::summary))
                .containsExactly(
                        "s saved",
                        "t AlreadyExists",
                        "u ConditionFailed",
                        "u saved",
                        "s saved",
                        "u AlreadyExists",
                        "t saved",
                        "u saved",
                        "v saved",
                        "v saved");
        assertThat(db().load("p")).containsExactly(item(KEY, 2), item(OTHER, 2), item(third, 4), item(fourth, 2));
    }

    @Test
    void oneBadItemDoesNotSpoilTheOthersOfItsRequest() {
        var saves = IntStream.range(0, 30)
                .mapToObj(i -> new Save(
                        i == 7
                                ? Item.at(new Key("p", "bad"))
                                        .string("gsi1pk", "")
                                        .build()
                                : item(new Key("p", "s" + i), i),
                        SaveMode.ANY))
                .toList();

        var result = db().saveBatch(saves);

        assertThat(result.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.key()).isEqualTo(new Key("p", "bad"));
            assertThat(failed.reason()).isInstanceOf(NotSaved.class);
        });
        assertThat(db().load("p")).hasSize(29);
    }

    @Test
    void aBatchOfDeletesHasAnOutcomePerKey() {
        var keys =
                IntStream.range(0, 60).mapToObj(i -> new Key("p", "s" + i % 40)).toList();
        keys.forEach(key -> db().save(item(key, 1), SaveMode.ANY));

        var units = table.meter()
                .during(() -> assertThat(db().deleteBatch(keys).orThrow().outcomes())
                        .isEqualTo(keys.stream().map(Outcome.Deleted::new).toList()));

        assertThat(units.requests()).isEqualTo(2);
        assertThat(db().load("p")).isEmpty();
        assertThat(db().deleteBatch(List.of()).outcomes()).isEmpty();
        assertThat(db().saveBatch(List.of()).outcomes()).isEmpty();
    }

    @Test
    void anExpiredItemIsNotThere() {
        var gone = Item.at(KEY).index("things", "s").ttl(NOW).build();
        var alive = Item.at(OTHER).index("things", "t").ttl(NOW.plusSeconds(1)).build();
        db().save(gone, SaveMode.ANY);
        db().save(alive, SaveMode.ANY);

        assertThat(db().get(KEY)).isEmpty();
        assertThat(db().getBatch(List.of(KEY, OTHER))).containsExactly(Optional.empty(), Optional.of(alive));
        assertThat(db().load("p")).containsExactly(alive);
        assertThat(db().all(Query.index("things", "gsi1", "things"))).containsExactly(alive);
        assertThat(db().query(Query.index("things", "gsi1", "things").attributes("type"), PageRequest.forward(9, null))
                        .nodes())
                .singleElement()
                .satisfies(item -> assertThat(item.key()).isEqualTo(OTHER));
    }

    @ParameterizedTest
    @EnumSource
    void anExpiredItemDoesNotStandInTheWayOfANewOne(SaveMode mode) {
        db().save(Item.at(KEY).number("n", 1).ttl(NOW).build(), SaveMode.ANY);
        db().save(Item.at(OTHER).number("n", 1).ttl(NOW).build(), SaveMode.ANY);

        if (mode == SaveMode.OVERWRITE) {
            assertThat(catchThrowableOfType(ConditionFailed.class, () -> db().save(item(KEY, 2), mode))
                            .current())
                    .isEmpty();
            assertThat(catchThrowableOfType(
                            ConditionFailed.class, () -> db().transact(List.of(Write.put(item(OTHER, 2), mode)))))
                    .isNotNull();
        } else {
            db().save(item(KEY, 2), mode);
            db().transact(List.of(Write.put(item(OTHER, 2), mode)));
            assertThat(db().load("p")).containsExactly(item(KEY, 2), item(OTHER, 2));
        }
    }

    @Test
    void anExpiredItemIsNeverUpdatedOrChecked() {
        db().save(Item.at(KEY).number("n", 1).ttl(NOW).build(), SaveMode.ANY);
        var set = Update.of(KEY).set("n", 2);
        var isOne = equal("n", 1);

        assertThat(catchThrowableOfType(ConditionFailed.class, () -> db().update(set.when(isOne)))
                        .current())
                .isEmpty();
        for (var write :
                List.of(set, Write.check(KEY, isOne), Write.delete(KEY, isOne), Write.put(item(KEY, 2), isOne))) {
            assertThat(catchThrowableOfType(ConditionFailed.class, () -> db().transact(List.of(write)))
                            .current())
                    .isEmpty();
        }
    }

    @Test
    void anUpdateThatMayCreateReplacesWhatHasExpired() {
        var set = Update.of(KEY).set("n", 2);
        var ifGone = set.when(absent("gone"));
        for (var update : List.<Runnable>of(
                () -> db().update(set), () -> db().update(ifGone), () -> db().update(ifGone, _ -> false))) {
            db().save(Item.at(KEY).number("gone", 1).ttl(NOW).build(), SaveMode.ANY);

            update.run();

            assertThat(db().get(KEY)).contains(bare(KEY, 2));
        }
    }

    @Test
    void anExpiredCounterStartsAgainFromZero() {
        db().save(Item.at(KEY).number("n", 41).string("other", "gone").ttl(NOW).build(), SaveMode.ANY);

        assertThat(db().count(KEY, "n", 2)).isEqualTo(2);
        assertThat(db().count(KEY, "n", 2)).isEqualTo(4);

        assertThat(db().get(KEY)).contains(bare(KEY, 4));
    }

    @Test
    void aTableWithoutExpiryHasNoConditionsOnIt() {
        var eternal = new TableDefinition(
                table.definition().name(),
                TableDefinition.KeyAttribute.string("pk"),
                TableDefinition.KeyAttribute.string("sk"),
                List.of(),
                null,
                null);
        var db = LocalTables.queryDb(table.client(), eternal, clock());

        db.save(item(KEY, 1), SaveMode.INIT);
        db.save(item(KEY, 2), SaveMode.OVERWRITE);
        db.update(Update.of(KEY).set("n", 3));
        db.count(KEY, "n", 1);
        db.transact(List.of(Write.delete(KEY, exists())));

        assertThat(db.get(KEY)).isEmpty();
        assertThat(table.faults().sent())
                .noneMatch(sent -> sent.body().toString().contains("ttl"));
    }

    private static String summary(Outcome outcome) {
        return outcome.key().sort()
                + switch (outcome) {
                    case Outcome.Saved _ -> " saved";
                    case Outcome.Deleted _ -> " deleted";
                    case Outcome.Failed(var _, var reason) ->
                        " " + reason.getClass().getSimpleName();
                };
    }

    private QueryDb db() {
        return table.queryDb(clock());
    }

    private static Clock clock() {
        return Clock.fixed(NOW, ZoneOffset.UTC);
    }

    private static Item item(Key key, long n) {
        return Item.at(key).type("thing").number("n", n).build();
    }

    private static Item bare(Key key, long n) {
        return Item.at(key).number("n", n).build();
    }

    private static Condition isLess(int n) {
        return absent("n").or(Condition.less("n", n));
    }
}
