package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

final class ItemTest {

    private static final Key KEY = new Key("p", "s");

    @Test
    void whatWasPutInComesOut() {
        var item = Item.at(KEY)
                .type("price")
                .string("name", "Pizza")
                .number("amount", new BigDecimal("12.30"))
                .number("version", 7)
                .flag("open", false)
                .strings("tags", List.of("b", "a"))
                .stringMap("details", Map.of("k", "v"))
                .ttl(Instant.parse("2026-03-01T12:00:00.9Z"))
                .build();

        assertThat(item.key()).isEqualTo(KEY);
        assertThat(item.type()).isEqualTo("price");
        assertThat(item.string("name")).isEqualTo("Pizza");
        assertThat(item.findString("name")).contains("Pizza");
        assertThat(item.number("amount")).isEqualTo("12.30");
        assertThat(item.findNumber("amount")).contains(new BigDecimal("12.30"));
        assertThat(item.integer("version")).isEqualTo(7);
        assertThat(item.flag("open")).isFalse();
        assertThat(item.strings("tags")).containsExactly("b", "a");
        assertThat(item.stringMap("details")).isEqualTo(Map.of("k", "v"));
        assertThat(item.ttl()).contains(Instant.parse("2026-03-01T12:00:00Z"));
    }

    @Test
    void whatIsAbsentOrOfAnotherTypeIsNamed() {
        var item = Item.at(KEY).number("n", 1).build();

        assertThat(item.findString("n")).isEmpty();
        assertThat(item.findNumber("pk")).isEmpty();
        assertThat(item.ttl()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> item.string("n"))
                .withMessage("the item at p / s has no string n");
        assertThatIllegalStateException()
                .isThrownBy(() -> item.number("x"))
                .withMessage("the item at p / s has no number x");
        assertThatIllegalStateException().isThrownBy(() -> item.flag("n"));
        assertThatIllegalStateException().isThrownBy(() -> item.strings("n"));
        assertThatIllegalStateException().isThrownBy(() -> item.stringMap("n"));
        assertThatIllegalStateException().isThrownBy(item::type);
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() ->
                        Item.at(KEY).number("n", new BigDecimal("1.5")).build().integer("n"));
    }

    @Test
    void anItemDoesNotChangeWithTheMapItWasMadeOf() {
        var attributes = new HashMap<>(Map.of("pk", AttributeValue.fromS("p")));
        var item = new Item(attributes);

        attributes.put("pk", AttributeValue.fromS("q"));

        assertThat(item).isEqualTo(new Item(Map.of("pk", AttributeValue.fromS("p"))));
        assertThat(item).hasSameHashCodeAs(new Item(Map.of("pk", AttributeValue.fromS("p"))));
        assertThat(item).isNotEqualTo(new Item(attributes));
    }

    @Test
    void dynamoDbStoresNumbersByValueAndSetsWithoutOrder() {
        var one = Map.of(
                "n", AttributeValue.fromN("1.50"),
                "set", AttributeValue.fromNs(List.of("1.0", "2")),
                "list", AttributeValue.fromL(List.of(AttributeValue.fromN("10"), AttributeValue.fromS("a"))));
        var same = Map.of(
                "n", AttributeValue.fromN("1.5"),
                "set", AttributeValue.fromNs(List.of("2", "1")),
                "list", AttributeValue.fromL(List.of(AttributeValue.fromN("1E1"), AttributeValue.fromS("a"))));

        assertThat(new Item(one).storedAs(new Item(same))).isTrue();
        same.forEach((name, value) -> {
            var other = new HashMap<>(one);
            other.put(name, AttributeValue.fromS("other"));
            assertThat(new Item(one).storedAs(new Item(other))).as(name).isFalse();
            other.remove(name);
            assertThat(new Item(one).storedAs(new Item(other))).as(name).isFalse();
        });
        assertThat(list("a", "b").storedAs(list("b", "a"))).isFalse();
        assertThat(list("a", "b").storedAs(list("a"))).isFalse();
    }

    private static Item list(String... values) {
        return Item.at(KEY).strings("list", List.of(values)).build();
    }

    @Test
    void anItemIsGoneFromTheSecondOfItsTtlOn() {
        var ttl = Instant.parse("2026-03-01T12:00:00Z");
        var item = Item.at(KEY).ttl(ttl).build();

        assertThat(item.expiredAt(ttl.minusMillis(1))).isFalse();
        assertThat(item.expiredAt(ttl)).isTrue();
        assertThat(Item.at(KEY).build().expiredAt(Instant.MAX)).isFalse();
        assertThat(Item.at(KEY).string("ttl", "soon").build().expiredAt(ttl)).isFalse();
    }

    @Test
    void aKeyIsWhatDynamoDbTakes() {
        assertThat(new Key("x".repeat(2048), "y".repeat(1024)).partition()).hasSize(2048);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Key("", "s"))
                .withMessage("the partition key is empty");
        assertThatIllegalArgumentException().isThrownBy(() -> new Key("p", "")).withMessage("the sort key is empty");
        assertThatIllegalArgumentException().isThrownBy(() -> new Key("x".repeat(2049), "s"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Key("p", "\u20AC".repeat(342)));
    }

    @Property
    void sortableInstantsSortAsInstants(@ForAll Instant one, @ForAll Instant other) {
        var first = one.truncatedTo(ChronoUnit.MICROS);
        var second = other.truncatedTo(ChronoUnit.MICROS);

        assertThat(Integer.signum(Key.sortable(first).compareTo(Key.sortable(second))))
                .isEqualTo(Integer.signum(first.compareTo(second)));
        assertThat(Instant.parse(Key.sortable(first))).isEqualTo(first);
    }
}
