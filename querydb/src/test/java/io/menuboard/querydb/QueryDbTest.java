package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class QueryDbTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private QueryDb db() {
        return table.queryDb(Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @Test
    void smoke() {
        var db = db();
        var saves = IntStream.range(0, 60)
                .mapToObj(i -> new Save(
                        Item.at(new Key("p", "s%03d".formatted(i))).type("x").build(), SaveMode.ANY))
                .toList();

        db.saveBatch(saves).orThrow();

        assertThat(db.load("p")).hasSize(60);
        var page = db.query(Query.table("x", "p"), PageRequest.forward(20, null));
        assertThat(page.edges()).hasSize(20);
        assertThat(page.hasNextPage()).isTrue();
        assertThat(page.hasPreviousPage()).isFalse();
        var next = db.query(Query.table("x", "p"), PageRequest.forward(20, page.endCursor()));
        assertThat(next.nodes().getFirst().key().sort()).isEqualTo("s020");
        assertThat(next.hasPreviousPage()).isTrue();
        assertThat(db.count(new Key("c", "c"), "n", 2)).isEqualTo(2);
        assertThat(db.getBatch(List.of(new Key("p", "s001"), new Key("no", "no"))))
                .satisfiesExactly(one -> assertThat(one).isPresent(), two -> assertThat(two)
                        .isEmpty());
    }
}
