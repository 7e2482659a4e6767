package io.menuboard.querydb;

import static io.menuboard.querydb.Condition.absent;
import static io.menuboard.querydb.Condition.atLeast;
import static io.menuboard.querydb.Condition.atMost;
import static io.menuboard.querydb.Condition.beginsWith;
import static io.menuboard.querydb.Condition.contains;
import static io.menuboard.querydb.Condition.equal;
import static io.menuboard.querydb.Condition.exists;
import static io.menuboard.querydb.Condition.greater;
import static io.menuboard.querydb.Condition.less;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Updates and conditions against DynamoDB. */
final class UpdateTest {

    /** Far ahead, because DynamoDB Local deletes what has expired by the wall clock. */
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");

    private static final Instant GONE = Instant.parse("2100-01-01T00:00:00Z");
    private static final Key KEY = new Key("DISH#1", "META");
    private static final Key OTHER = new Key("DISH#2", "META");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private QueryDb db;

    @BeforeEach
    void saveADish() {
        db = table.queryDb(Clock.fixed(NOW, ZoneOffset.UTC));
        db.save(dish().build(), SaveMode.ANY);
    }

    private static Item.Builder dish() {
        return Item.at(KEY)
                .string("name", "Ramen")
                .number("size", 3)
                .number("price", new BigDecimal("1.25"))
                .strings("events", List.of("a", "b", "c"))
                .stringMap("values", Map.of("x", "1"))
                .value("tags", AttributeValue.fromSs(List.of("hot", "soup")));
    }

    @Test
    void changesOneItemInOneRequest() {
        var changed = db.update(Update.of(KEY)
                .type("dish")
                .index("DISHES", "Soba")
                .ttl(GONE)
                .set("name", "Soba")
                .set("size", 4)
                .set("price", new BigDecimal("2.75"))
                .set("status", true)
                .set("events", List.of("d"))
                .set("values", Map.of("y", "2"))
                .setIfAbsent("first", 7)
                .remove("tags", "never"));

        assertThat(changed)
                .isEqualTo(Item.at(KEY)
                        .type("dish")
                        .index("DISHES", "Soba")
                        .ttl(GONE)
                        .string("name", "Soba")
                        .number("size", 4)
                        .number("price", new BigDecimal("2.75"))
                        .flag("status", true)
                        .strings("events", List.of("d"))
                        .stringMap("values", Map.of("y", "2"))
                        .number("first", 7)
                        .build());
    }

    @Test
    void keepsWhatIsSetOnlyIfAbsent() {
        var changed = db.update(Update.of(KEY)
                .setIfAbsent("name", "Soba")
                .setIfAbsent("size", 9)
                .setIfAbsent("events", List.of())
                .setIfAbsent("origin", "JP"));

        assertThat(changed).isEqualTo(dish().string("origin", "JP").build());
    }

    @Test
    void removesWhatIsSetToNothing() {
        var changed = db.update(Update.of(KEY)
                .setOrRemove("name", (String) null)
                .setOrRemove("size", (Long) null)
                .setOrRemove("origin", "JP")
                .setOrRemove("rank", 5L));

        assertThat(changed.findString("name")).isEmpty();
        assertThat(changed.findNumber("size")).isEmpty();
        assertThat(changed.string("origin")).isEqualTo("JP");
        assertThat(changed.integer("rank")).isEqualTo(5);
    }

    @Test
    void addsToNumbersSetsAndLists() {
        var changed = db.update(Update.of(KEY)
                .add("size", 2)
                .add("sold", -1)
                .add("price", new BigDecimal("0.25"))
                .addElements("tags", Set.of("new"))
                .append("events", "d"));

        assertThat(changed.integer("size")).isEqualTo(5);
        assertThat(changed.integer("sold")).isEqualTo(-1);
        assertThat(changed.number("price")).isEqualTo("1.50");
        assertThat(tags(changed)).containsExactlyInAnyOrder("hot", "soup", "new");
        assertThat(changed.strings("events")).containsExactly("a", "b", "c", "d");
    }

    @Test
    void takesElementsOutOfSetsAndLists() {
        var changed = db.update(
                Update.of(KEY).deleteElements("tags", Set.of("hot", "never")).removeFirst("events", 2));

        assertThat(tags(changed)).containsExactly("soup");
        assertThat(changed.strings("events")).containsExactly("c");
    }

    @Test
    void namesAttributesThatAreNoWords() {
        var changed = db.update(
                Update.of(KEY).set("count#2026-11", 1).set("count#2026-12", 2).when(absent("count#2026-11")));

        assertThat(changed.integer("count#2026-11")).isEqualTo(1);
        assertThat(changed.integer("count#2026-12")).isEqualTo(2);
    }

    @Test
    void leavesTheUpdateThatItGrewOutOfAsItWas() {
        var small = Update.of(KEY).set("size", 1);
        var named = small.set("name", "Udon").when(equal("size", 3));

        assertThat(db.update(named).string("name")).isEqualTo("Udon");
        assertThat(db.update(small).string("name")).isEqualTo("Udon");
    }

    @Test
    void createsAnAbsentItemUnlessTheConditionForbids() {
        assertThat(fails(Update.of(OTHER).set("size", 1).when(exists()))).isTrue();
        assertThat(fails(Update.of(OTHER).set("size", 1).when(equal("size", 1))))
                .isTrue();

        assertThat(db.update(Update.of(OTHER).set("size", 1).when(absent())))
                .isEqualTo(Item.at(OTHER).number("size", 1).build());
    }

    @Test
    void isOnePartOfATransaction() {
        db.transact(List.of(
                Update.of(KEY).set("name", "Udon").when(equal("size", 3)),
                Update.of(OTHER).add("size", 1),
                Write.check(new Key("DISH#3", "META"), absent())));

        assertThat(db.get(KEY).orElseThrow().string("name")).isEqualTo("Udon");
        assertThat(db.get(OTHER).orElseThrow().integer("size")).isEqualTo(1);
    }

    @Test
    void refusesToChangeNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> db.update(Update.of(KEY).when(exists())))
                .withMessageContaining("DISH#1");
    }

    @ParameterizedTest
    @MethodSource
    void conditionsThatHold(Condition condition) {
        assertThat(holds(condition)).isTrue();
        assertThat(holds(condition.not())).isFalse();
    }

    static List<Named<Condition>> conditionsThatHold() {
        return named(
                exists(),
                exists("name"),
                absent("never"),
                equal("name", "Ramen"),
                equal("size", 3),
                equal("size", new BigDecimal("3.0")),
                equal("price", new BigDecimal("1.250")),
                equal("events", List.of("a", "b", "c")),
                equal("values", Map.of("x", "1")),
                equal("tags", AttributeValue.fromSs(List.of("soup", "hot"))),
                less("size", 4),
                less("price", new BigDecimal("1.26")),
                less("name", "Ramfn"),
                atMost("size", 3),
                atMost("price", new BigDecimal("1.250")),
                atMost("name", "Ramen"),
                greater("size", 2),
                greater("name", "Ramem"),
                atLeast("size", 3),
                beginsWith("name", "Ra"),
                contains("events", "b"),
                contains("tags", "hot"),
                less("never", 4).not(),
                exists().and(equal("size", 3)).and(absent("never")),
                equal("size", 1).or(equal("size", 2)).or(equal("size", 3)),
                // OR inside of AND keeps to itself.
                equal("size", 3).or(exists("never")).and(equal("name", "Ramen").or(exists("never"))),
                absent("never").and(equal("size", 9).and(exists()).not()));
    }

    @ParameterizedTest
    @MethodSource
    void conditionsThatFail(Condition condition) {
        assertThat(holds(condition)).isFalse();
    }

    static List<Named<Condition>> conditionsThatFail() {
        return named(
                absent(),
                absent("name"),
                exists("never"),
                equal("name", 3),
                equal("never", "Ramen"),
                equal("events", List.of("b", "a", "c")),
                less("size", 3),
                less("name", 4),
                greater("size", 3),
                atLeast("never", 0),
                beginsWith("name", "ra"),
                contains("events", "x"),
                exists().and(absent("name")),
                // AND binds no tighter than it was written.
                exists("never").and(exists()).or(exists("never")),
                exists("name").or(exists("size")).and(exists("never")));
    }

    @ParameterizedTest
    @MethodSource
    void anExpiredItemIsReplacedWhereAnAbsentOneMayBe(Condition condition) {
        db.save(dish().ttl(NOW).build(), SaveMode.ANY);
        var update = Update.of(KEY).set("name", "Udon").when(condition);
        var absentAllowed = !fails(Update.of(OTHER).set("name", "Udon").when(condition));

        assertThat(fails(update)).isEqualTo(!absentAllowed);
        assertThat(db.get(KEY).map(Item::attributes))
                .isEqualTo(
                        absentAllowed
                                ? Optional.of(Item.at(KEY)
                                        .string("name", "Udon")
                                        .build()
                                        .attributes())
                                : Optional.empty());
    }

    static List<Named<Condition>> anExpiredItemIsReplacedWhereAnAbsentOneMayBe() {
        return named(
                exists(),
                absent(),
                absent("size"),
                equal("size", 3),
                equal("size", 3).not(),
                absent("size").or(less("size", 9)),
                absent("size").and(less("size", 9)),
                absent("size").and(exists()),
                exists().and(contains("events", "x").not()),
                absent("size").not());
    }

    private static List<String> tags(Item item) {
        return Objects.requireNonNull(item.attributes().get("tags")).ss();
    }

    private boolean holds(Condition condition) {
        return !fails(Update.of(KEY).set("seen", true).when(condition));
    }

    private boolean fails(Update update) {
        try {
            var _ = db.update(update);
            return false;
        } catch (ConditionFailed _) {
            return true;
        }
    }

    private static List<Named<Condition>> named(Condition... conditions) {
        return List.of(conditions).stream()
                .map(condition -> Named.of(condition.toString(), condition))
                .toList();
    }
}
