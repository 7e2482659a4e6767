package io.menuboard.querydb.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AuditTrailTest {

    private static final Instant NOW = Instant.parse("2026-03-01T23:59:59.999999Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Actor ADA = new Actor(Actor.Kind.USER, "ada", Actor.Source.PAGE);
    private static final Actor TOKEN = new Actor(Actor.Kind.TOKEN, "t1", "till", Actor.Source.GRAPHQL);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    // One source of randomness, so that records of one moment differ whichever trail wrote them.
    private final Random random = new Random(7);

    @Test
    void whatWasDoneToASubjectIsListedNewestFirst() {
        auditAt(NOW).record(ADA, "STORE#1", "created", Map.of());
        auditAt(NOW.plusMillis(1)).record(TOKEN, "STORE#1", "renamed", Map.of("to", "B", "from", "A"));
        auditAt(NOW.plusSeconds(1)).record(ADA, "STORE#2", "created", Map.of());

        var page = auditAt(NOW).bySubject("STORE#1", PageRequest.forward(64, null));

        assertThat(page.nodes())
                .containsExactly(
                        new AuditRecord(NOW.plusMillis(1), TOKEN, "STORE#1", "renamed", Map.of("from", "A", "to", "B")),
                        new AuditRecord(NOW, ADA, "STORE#1", "created", Map.of()));
        assertThat(page.hasNextPage()).isFalse();
    }

    @Test
    void theListIsPaged() {
        IntStream.range(0, 5).forEach(i -> auditAt(NOW.plusSeconds(i)).record(ADA, "STORE#1", "change " + i, Map.of()));

        var newest = auditAt(NOW).bySubject("STORE#1", PageRequest.forward(2, null));
        var older = auditAt(NOW).bySubject("STORE#1", PageRequest.forward(2, newest.endCursor()));

        assertThat(older.nodes().stream().map(AuditRecord::action)).containsExactly("change 2", "change 1");
        assertThat(older.hasNextPage()).isTrue();
        assertThat(older.hasPreviousPage()).isTrue();
    }

    @Test
    void recordsOfOneMomentAreAllKept() {
        var audit = auditAt(NOW);

        IntStream.range(0, 20).forEach(_ -> audit.record(ADA, "STORE#1", "changed", Map.of()));

        assertThat(audit.bySubject("STORE#1", PageRequest.forward(64, null)).nodes())
                .hasSize(20);
    }

    @Test
    void aRecordStandsUnderItsUtcDayAndGoesWhenItsRetentionEnds() {
        var audit = auditAt(NOW);
        IntStream.range(0, 40).forEach(_ -> audit.record(ADA, "STORE#1", "changed", Map.of()));

        var db = table.queryDb(clock(NOW));
        var shards = List.of(db.load("AUDIT#2026-03-01#0"), db.load("AUDIT#2026-03-01#1"));

        assertThat(shards).allSatisfy(shard -> assertThat(shard).isNotEmpty());
        assertThat(shards.stream().mapToInt(List::size).sum()).isEqualTo(40);
        var end = NOW.plus(YEAR);
        assertThat(auditAt(end.minusSeconds(1))
                        .bySubject("STORE#1", PageRequest.forward(1, null))
                        .nodes())
                .isNotEmpty();
        assertThat(auditAt(end)
                        .bySubject("STORE#1", PageRequest.forward(1, null))
                        .nodes())
                .isEmpty();
    }

    @Test
    void aRecordInATransactionIsWrittenWithTheChangeOrNotAtAll() {
        var db = table.queryDb(clock(NOW));
        var change = Write.put(Item.at(new Key("p", "s")).build(), SaveMode.INIT);

        db.transact(List.of(change, auditAt(NOW).write(ADA, "STORE#1", "created", Map.of())));
        assertThat(catchThrowable(() ->
                        db.transact(List.of(change, auditAt(NOW).write(ADA, "STORE#1", "created again", Map.of())))))
                .isInstanceOf(ConditionFailed.class);

        assertThat(auditAt(NOW)
                        .bySubject("STORE#1", PageRequest.forward(64, null))
                        .nodes())
                .extracting(AuditRecord::action)
                .containsExactly("created");
    }

    @Test
    void aRecordNeedsAnActorASubjectAndAnAction() {
        var audit = auditAt(NOW);

        assertThatIllegalArgumentException().isThrownBy(() -> audit.record(ADA, " ", "action", Map.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> audit.record(ADA, "subject", "", Map.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Actor(Actor.Kind.USER, " ", Actor.Source.PAGE));
        assertThatIllegalArgumentException().isThrownBy(() -> new AuditTrail.Settings(0, YEAR));
        assertThatIllegalArgumentException().isThrownBy(() -> new AuditTrail.Settings(1, Duration.ZERO));
    }

    private AuditTrail auditAt(Instant now) {
        return new AuditTrail(table.queryDb(clock(now)), clock(now), random, new AuditTrail.Settings(2, YEAR));
    }

    private static Clock clock(Instant now) {
        return Clock.fixed(now, ZoneOffset.UTC);
    }
}
