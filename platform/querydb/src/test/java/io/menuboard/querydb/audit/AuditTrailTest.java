package io.menuboard.querydb.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.DeafClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.NotSaved;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AuditTrailTest {

    private static final Instant NOW = Instant.parse("2036-03-01T23:59:59.999999Z");
    private static final LocalDate DAY = LocalDate.parse("2036-03-01");
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
        var shards = List.of(db.load("AUDIT#2036-03-01#0"), db.load("AUDIT#2036-03-01#1"));

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

    @Test
    void pagesOfEveryListTogetherAreTheListBothWays() {
        var written = writeTenDays();
        var lists = List.of(
                new AuditFilter(DAY.minusDays(6), DAY, null, null, null),
                new AuditFilter(DAY.minusDays(1), DAY, null, null, null),
                new AuditFilter(null, null, null, null, null),
                new AuditFilter(null, DAY.minusDays(1), null, null, null),
                new AuditFilter(DAY.minusDays(8), null, null, null, "a"),
                new AuditFilter(DAY.minusDays(2), DAY, null, null, "b"),
                new AuditFilter(null, null, "STORE#1", null, null),
                new AuditFilter(DAY.minusDays(3), DAY.minusDays(2), "STORE#1", null, null),
                new AuditFilter(null, DAY.minusDays(1), "STORE#1", "u1", "a"),
                new AuditFilter(null, null, null, "u1", null),
                new AuditFilter(DAY.minusDays(8), null, null, "u2", "b"));

        assertThat(lists).allSatisfy(filter -> {
            var expected = written.stream()
                    .filter(each -> wanted(filter, each))
                    .map(AuditRecord::details)
                    .toList()
                    .reversed();
            assertThat(expected).isNotEmpty();
            for (var size : List.of(3, 500)) {
                assertThat(walk(filter, size, true))
                        .as("%s by %s", filter, size)
                        .isEqualTo(expected);
                assertThat(walk(filter, size, false))
                        .as("%s back by %s", filter, size)
                        .isEqualTo(expected);
            }
        });
    }

    private List<AuditRecord> writeTenDays() {
        var written = new ArrayList<AuditRecord>();
        for (var i = 0; i < 60; i++) {
            var at = NOW.minus(Duration.ofDays(9))
                    .plus(Duration.ofHours(18).dividedBy(5).multipliedBy(i));
            var actor =
                    switch (random.nextInt(3)) {
                        case 0 -> ADA;
                        case 1 -> new Actor(Actor.Kind.USER, "u1", "ada", Actor.Source.PAGE);
                        default -> new Actor(Actor.Kind.USER, "u2", "bob", Actor.Source.GRAPHQL);
                    };
            var record = new AuditRecord(
                    at,
                    actor,
                    "STORE#" + random.nextInt(2),
                    random.nextBoolean() ? "a" : "b",
                    Map.of("n", Integer.toString(i)));
            auditAt(at).record(actor, record.subject(), record.action(), record.details());
            written.add(record);
        }
        return written;
    }

    private static boolean wanted(AuditFilter filter, AuditRecord record) {
        var day = LocalDate.ofInstant(record.at(), ZoneOffset.UTC);
        if (filter.subject() == null
                && filter.person() == null
                && filter.days(DAY).noneMatch(day::equals)) {
            return false;
        }
        return (filter.from() == null || !day.isBefore(filter.from()))
                && (filter.to() == null || !day.isAfter(filter.to()))
                && (filter.subject() == null || filter.subject().equals(record.subject()))
                && (filter.person() == null
                        || filter.person().equals(record.actor().id()))
                && (filter.action() == null || filter.action().equals(record.action()));
    }

    private List<Map<String, String>> walk(AuditFilter filter, int size, boolean forward) {
        var all = new ArrayList<Map<String, String>>();
        String cursor = null;
        while (true) {
            var page = auditAt(NOW)
                    .list(filter, forward ? PageRequest.forward(size, cursor) : PageRequest.backward(size, cursor));
            var nodes = page.nodes().stream().map(AuditRecord::details).toList();
            all.addAll(forward ? all.size() : 0, nodes);
            assertThat(forward ? page.hasPreviousPage() : page.hasNextPage()).isEqualTo(cursor != null);
            if (!(forward ? page.hasNextPage() : page.hasPreviousPage())) {
                return all;
            }
            cursor = forward ? page.endCursor() : page.startCursor();
        }
    }

    @Test
    void theListOfTheLatestDaysGoesOnAfterMidnight() {
        var midnight = NOW.plusNanos(1000);
        for (var i = 1; i <= 3; i++) {
            auditAt(NOW.minusSeconds(i)).record(ADA, "STORE#1", "change " + i, Map.of());
        }
        for (var action : new String[] {null, "change 2"}) {
            var filter = new AuditFilter(null, null, null, null, action);
            var before = auditAt(NOW).list(filter, PageRequest.forward(1, null));

            var after = auditAt(midnight).list(filter, PageRequest.forward(5, before.endCursor()));

            assertThat(after.hasPreviousPage()).isTrue();
            assertThat(after.nodes())
                    .extracting(AuditRecord::action)
                    .isEqualTo(action == null ? List.of("change 2", "change 3") : List.of());
        }
    }

    @Test
    void aFilterThatLastsHasTheDaysOfItsBeginning() {
        var oldest = NOW.minus(Duration.ofDays(6));
        auditAt(oldest).record(ADA, "STORE#1", "changed", Map.of());
        var tomorrow = auditAt(NOW.plusSeconds(1));
        var latest = new AuditFilter(null, null, null, null, "changed");

        assertThat(tomorrow.list(latest, PageRequest.forward(1, null)).nodes()).isEmpty();
        assertThat(tomorrow.list(auditAt(NOW).lasting(latest), PageRequest.forward(1, null))
                        .nodes())
                .hasSize(1);
        for (var filter : List.of(
                AuditFilter.of("STORE#1"),
                new AuditFilter(null, null, null, "u1", null),
                new AuditFilter(DAY, null, null, null, null),
                new AuditFilter(null, DAY, null, null, null))) {
            assertThat(auditAt(NOW).lasting(filter)).isEqualTo(filter);
        }
    }

    @Test
    void aCursorIsOfTheRecordsThatWereAskedForAndNoOthers() {
        auditAt(NOW).record(ADA, "STORE#1", "a", Map.of());
        var audit = auditAt(NOW);
        var cursor = audit.list(new AuditFilter(null, null, null, null, null), PageRequest.forward(1, null))
                .endCursor();

        for (var other : List.of(
                new AuditFilter(null, DAY, null, null, null),
                new AuditFilter(null, null, null, null, "a"),
                AuditFilter.of("STORE#1"))) {
            assertThatThrownBy(() -> audit.list(other, PageRequest.forward(1, cursor)))
                    .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                            .isEqualTo("INVALID_CURSOR"));
        }
    }

    @Test
    void whatOnlyAnotherVersionCanReadIsLeftOut() {
        auditAt(NOW).record(ADA, "STORE#1", "created", Map.of());
        var later = NOW.minusSeconds(1).toString() + "#00";
        table.queryDb(clock(NOW))
                .save(
                        Item.at(new Key("AUDIT#2036-03-01#0", later))
                                .type("audit")
                                .index("AUDIT#STORE#1", later)
                                .number("subject", 7)
                                .build(),
                        SaveMode.ANY);
        table.queryDb(clock(NOW))
                .save(
                        Item.at(new Key("AUDIT#2036-03-01#1", NOW.minusSeconds(2) + "#00"))
                                .type("audit")
                                .index("AUDIT#STORE#1", NOW.minusSeconds(2) + "#00")
                                .string("actorKind", "ROBOT")
                                .string("actorName", "r2")
                                .string("source", "VOICE")
                                .string("subject", "STORE#1")
                                .string("action", "beeped")
                                .stringMap("details", Map.of())
                                .build(),
                        SaveMode.ANY);

        for (var filter : List.of(AuditFilter.of("STORE#1"), new AuditFilter(DAY, DAY, null, null, null))) {
            assertThat(auditAt(NOW).list(filter, PageRequest.forward(64, null)).nodes())
                    .extracting(AuditRecord::action, record -> record.actor().kind())
                    .containsExactly(tuple("created", Actor.Kind.USER), tuple("beeped", Actor.Kind.UNKNOWN));
        }
    }

    @Test
    void whatAnybodyCanDoOftenIsCountedInOneRecordAWindow() {
        var window = Duration.ofHours(1);
        var system = Actor.system("sign-in", Actor.Source.PAGE);
        for (var i = 0; i < 100; i++) {
            auditAt(NOW.minusSeconds(i)).count(system, "ADDRESS#::1", "tried", window);
        }
        auditAt(NOW).count(system, "ADDRESS#::2", "tried", window);
        auditAt(NOW.plusSeconds(1)).count(system, "ADDRESS#::1", "tried", window);

        assertThat(auditAt(NOW)
                        .list(new AuditFilter(DAY, DAY, null, null, null), PageRequest.forward(64, null))
                        .nodes())
                .extracting(AuditRecord::subject, AuditRecord::at, AuditRecord::details)
                .containsExactlyInAnyOrder(
                        tuple("ADDRESS#::1", Instant.parse("2036-03-01T23:00:00Z"), Map.of("times", "100")),
                        tuple("ADDRESS#::2", Instant.parse("2036-03-01T23:00:00Z"), Map.of("times", "1")));
        assertThat(auditAt(NOW)
                        .bySubject("ADDRESS#::1", PageRequest.forward(64, null))
                        .nodes())
                .hasSize(2);
    }

    @Test
    void whatIsCountedWithoutAnAnswerIsNotCountedAgain() {
        var db = table.queryDb(DeafClient.of(table.client(), 0), clock(NOW));
        var audit = new AuditTrail(db, clock(NOW), random, new AuditTrail.Settings(2, YEAR));

        assertThatThrownBy(() -> audit.count(ADA, "ADDRESS#::1", "tried", Duration.ofHours(1)))
                .isInstanceOfSatisfying(
                        NotSaved.class, lost -> assertThat(lost.maybeApplied()).isTrue());

        assertThat(audit.bySubject("ADDRESS#::1", PageRequest.forward(64, null)).nodes())
                .extracting(AuditRecord::details)
                .containsExactly(Map.of("times", "1"));
    }

    @Test
    void theLatestOfSomeActionsAreFoundAmongOthers() {
        for (var i = 0; i < 150; i++) {
            auditAt(NOW.plusSeconds(i)).record(ADA, "ACCOUNT#1", i % 50 == 0 ? "a" : "b", Map.of("i", "" + i));
        }

        assertThat(auditAt(NOW).latest("ACCOUNT#1", Set.of("a"), 2))
                .extracting(AuditRecord::details)
                .containsExactly(Map.of("i", "100"), Map.of("i", "50"));
        assertThat(auditAt(NOW).latest("ACCOUNT#1", Set.of("a"), 20)).hasSize(3);
        assertThat(auditAt(NOW).latest("ACCOUNT#1", Set.of(), 20)).isEmpty();
    }

    @Test
    void actionsOfEarlierVersionsAreCalledAsTheyAreNow() {
        var audit = auditAt(NOW);
        audit.record(ADA, "IMPORT#1", "import", Map.of());

        for (var asked : new String[] {"import", "import ended"}) {
            var filter = new AuditFilter(null, null, "IMPORT#1", null, asked);
            assertThat(audit.list(filter, PageRequest.forward(5, null)).nodes())
                    .extracting(AuditRecord::action)
                    .containsExactly("import ended");
        }
    }

    @Test
    void aPageThatWouldLeaveOutTooManyIsRefused() {
        var db = table.queryDb(clock(NOW));
        db.saveBatch(IntStream.rangeClosed(0, AuditTrail.MAX_LEFT_OUT)
                .mapToObj(i -> Item.at(new Key("AUDIT#2036-03-01#0", "2036-03-01T00:00:00Z#%05d".formatted(i)))
                        .string("actorKind", "USER")
                        .string("actorName", "ada")
                        .string("source", "PAGE")
                        .string("subject", "STORE#1")
                        .string("action", "changed")
                        .stringMap("details", Map.of())
                        .build())
                .map(item -> new Save(item, SaveMode.ANY))
                .toList());

        assertThatThrownBy(() -> auditAt(NOW)
                        .list(new AuditFilter(DAY, DAY, null, null, "created"), PageRequest.forward(64, null)))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("TOO_MANY_RECORDS"));
        assertThat(auditAt(NOW)
                        .list(new AuditFilter(DAY, DAY, null, null, "changed"), PageRequest.forward(64, null))
                        .nodes())
                .hasSize(64);
    }

    @Test
    void whetherThereIsAPageBeforeMayLookAtAsManyAsThePageHasLeftOut() {
        var audit = new AuditTrail(table.queryDb(clock(NOW)), clock(NOW), random, new AuditTrail.Settings(1, YEAR), 5);
        auditAt(NOW.minusSeconds(9)).record(ADA, "STORE#1", "created", Map.of());
        IntStream.range(0, 5)
                .forEach(i -> auditAt(NOW.minusSeconds(8 - i)).record(ADA, "STORE#1", "changed", Map.of()));
        auditAt(NOW).record(ADA, "STORE#1", "created", Map.of());
        var created = new AuditFilter(null, null, "STORE#1", null, "created");
        var newest = audit.list(created, PageRequest.forward(1, null));

        var oldest = audit.list(created, PageRequest.forward(1, newest.endCursor()));

        assertThat(newest.hasNextPage()).isTrue();
        assertThat(oldest.nodes()).extracting(AuditRecord::at).containsExactly(NOW.minusSeconds(9));
        assertThat(oldest.hasPreviousPage()).isTrue();
        assertThat(oldest.totalCount().count()).isEqualTo(2);
    }

    @Test
    void daysAreLimitedUnlessSubjectOrPersonIsGiven() {
        assertThatThrownBy(() -> new AuditFilter(DAY.minusDays(7), DAY, null, null, null))
                .isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> new AuditFilter(DAY, DAY.minusDays(1), "s", null, null))
                .isInstanceOf(InvalidInput.class);
        assertThat(new AuditFilter(DAY.minusDays(700), DAY, null, "u1", null)).isNotNull();
        var last = LocalDate.parse("9999-12-31");
        for (var filter : List.of(
                new AuditFilter(last, last, "s", null, null),
                new AuditFilter(last, null, "\uD83C\uDF54".repeat(250), null, null),
                new AuditFilter(null, last, null, "€".repeat(500), null),
                new AuditFilter(last, null, null, null, null))) {
            assertThat(auditAt(NOW).list(filter, PageRequest.forward(1, null)).nodes())
                    .isEmpty();
        }
        for (var text : List.of("", "x".repeat(501))) {
            assertThatThrownBy(() -> new AuditFilter(DAY, DAY, text, null, null))
                    .isInstanceOf(InvalidInput.class);
            assertThatThrownBy(() -> new AuditFilter(DAY, DAY, null, text, null))
                    .isInstanceOf(InvalidInput.class);
            assertThatThrownBy(() -> new AuditFilter(DAY, DAY, null, null, text))
                    .isInstanceOf(InvalidInput.class);
        }
    }

    private AuditTrail auditAt(Instant now) {
        return new AuditTrail(table.queryDb(clock(now)), clock(now), random, new AuditTrail.Settings(2, YEAR));
    }

    private static Clock clock(Instant now) {
        return Clock.fixed(now, ZoneOffset.UTC);
    }
}
