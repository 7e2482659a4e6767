package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.PageRequest;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class UnreadableItemTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private QueryDb db;

    @BeforeEach
    void connect() {
        db = table.queryDb(new MovingClock());
    }

    @Test
    void aPageHasWhatCanBeReadAndIsAsLongAsAnyOther() {
        IntStream.range(0, 10).forEach(number -> db.save(item(number), SaveMode.ANY));
        var query = Query.table("items", "LIST");

        var first = db.query(query, UnreadableItemTest::even, PageRequest.forward(3, null));
        var second = db.query(query, UnreadableItemTest::even, PageRequest.forward(3, first.endCursor()));

        assertThat(first.nodes()).containsExactly(0, 2, 4);
        assertThat(first.hasNextPage()).isTrue();
        assertThat(second.nodes()).containsExactly(6, 8);
        assertThat(second.hasNextPage()).isFalse();
        assertThat(db.unreadable()).isPositive();
    }

    @Test
    void oneThatIsAskedForIsAnErrorThatNamesItAndIsCountedOnce() {
        assertThatThrownBy(() -> db.readable(item(1), item -> db.read(item, UnreadableItemTest::even))
                        .or(() -> {
                            throw new IllegalStateException("left out");
                        }))
                .hasMessage("left out");
        assertThat(db.unreadable()).isEqualTo(1);
        assertThatThrownBy(() -> db.read(item(1), UnreadableItemTest::even))
                .isInstanceOf(UnreadableItem.class)
                .hasMessageContaining("LIST / 1")
                .hasRootCauseMessage("odd");
        assertThat(UnreadableItem.isCauseOf(
                        new IllegalStateException(new UnreadableItem("it", new ArithmeticException()))))
                .isTrue();
        assertThat(UnreadableItem.isCauseOf(new IllegalStateException())).isFalse();
    }

    @Test
    void aFailureOfTheTableIsNoReasonToLeaveAnythingOut() {
        var failure = new ConditionFailed("update", new Key("LIST", "1"), false, Optional.empty());

        assertThatThrownBy(() -> db.readable(item(1), _ -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(db.unreadable()).isZero();
    }

    private static Item item(int number) {
        return Item.at(new Key("LIST", Integer.toString(number)))
                .type("number")
                .number("number", number)
                .build();
    }

    private static int even(Item item) {
        var number = (int) item.integer("number");
        if (number % 2 == 1) {
            throw new IllegalArgumentException("odd");
        }
        return number;
    }
}
