package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.audit.AuditRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the audit trail has of a change set. That there is one of each step whatever dies, is in {@link CrashAtEveryStepTest}. */
class ChangeSetAuditTest {
    private static final List<String> STORE = List.of(BERLIN.id().value());
    /** Too many for one transaction. */
    private static final String[] MANY = products(30);

    private static final Access ADA = known("ada");
    private static final Access BOB = known("bob");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock, 200, new ApprovalPolicy(20, null, Set.of()));
        fixture.stores.save(EVERYTHING, List.of(BERLIN));
        fixture.load(Stream.of(MANY)
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "10.00"))
                .toList());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Access known(String id) {
        return new Access(
                new Principal(
                        id, Actor.Kind.USER, "Name of " + id, GRACE.principal().grants()),
                Actor.Source.PAGE);
    }

    /** A set of three lines; the clock goes on with each step, by which records are in order. */
    private ChangeSet drafted(String amount, @Nullable String date, String... products) {
        var set = done(fixture.drafts.draft(ADA, draft(date, rule(setTo(amount), STORE, products)), null));
        clock.advance(Duration.ofSeconds(1));
        return set;
    }

    private ChangeSet applied(ChangeSet set) {
        var applied = done(fixture.sets.applyAccepted(ADA, set.id(), token(set)));
        clock.advance(Duration.ofSeconds(1));
        return applied;
    }

    private static String token(ChangeSet set) {
        return Objects.requireNonNull(set.token());
    }

    private ChangeSet approved(ChangeSet set) {
        done(fixture.approvals.request(ADA, set.id(), token(set)));
        clock.advance(Duration.ofSeconds(1));
        var approved = done(fixture.approvals.approve(BOB, set.id(), token(set)));
        clock.advance(Duration.ofSeconds(1));
        return approved;
    }

    private List<AuditRecord> records(ChangeSet set) {
        return fixture.audit.bySubject("CHANGESET#" + set.id(), PAGE).nodes().reversed();
    }

    private List<String> told(ChangeSet set) {
        return records(set).stream()
                .map(record -> Objects.requireNonNullElse(record.actor().id(), "the system") + ": " + record.action()
                        + change(record, "status") + change(record, "effectiveDate"))
                .toList();
    }

    private static String change(AuditRecord record, String name) {
        var details = record.details();
        return details.containsKey(name + " after")
                ? " " + details.getOrDefault(name + " before", "nothing") + " -> " + details.get(name + " after")
                : "";
    }

    @Test
    void hasWhoDraftedAndAppliedASetInOneStep() {
        var set = drafted("11.00", null, "P000", "P001", "P002");

        applied(set);

        assertThat(told(set)).containsExactly("ada: change set drafted", "ada: change set applied DRAFT -> APPLIED");
        assertThat(records(set))
                .extracting(AuditRecord::details)
                .containsExactly(
                        Map.of("name", "Summer prices", "lines", "3", "reason", "costs rose"),
                        Map.of(
                                "name", "Summer prices",
                                "lines", "3",
                                "preview", token(set),
                                "status before", "DRAFT",
                                "status after", "APPLIED"));
        assertThat(records(set)).extracting(AuditRecord::actor).containsOnly(ADA.actor());
    }

    @Test
    void hasWhoWasAskedAndWhatTheySaid() {
        var set = drafted("11.00", null, MANY);
        done(fixture.approvals.request(ADA, set.id(), token(set)));
        done(fixture.approvals.request(ADA, set.id(), token(set)));
        clock.advance(Duration.ofSeconds(1));
        done(fixture.approvals.reject(BOB, set.id(), token(set), "too dear"));
        done(fixture.approvals.reject(BOB, set.id(), token(set), "too dear"));

        assertThat(told(set))
                .as("once each, though they said so twice")
                .containsExactly(
                        "ada: change set drafted", "ada: change set approval requested", "bob: change set rejected");
        assertThat(records(set).getLast().details())
                .containsEntry("reason", "too dear")
                .containsEntry("preview", token(set));
    }

    @Test
    void hasWhatBecameOfARunThatTookLonger() {
        var set = drafted("11.00", "2036-07-01", MANY);
        approved(set);
        applied(set);
        done(fixture.sets.reschedule(BOB, set.id(), EffectiveDate.parse("2036-08-01")));
        clock.advance(Duration.ofSeconds(1));
        done(fixture.sets.cancel(ADA, set.id()));

        assertThat(told(set))
                .containsExactlyInAnyOrder(
                        "ada: change set drafted",
                        "ada: change set approval requested",
                        "bob: change set approved",
                        "ada: change set applied DRAFT -> APPLYING",
                        "the system: change set run ended APPLYING -> SCHEDULED",
                        "bob: change set move begun SCHEDULED -> APPLYING",
                        "bob: change set moved 2036-07-01 -> 2036-08-01",
                        "the system: change set run ended APPLYING -> SCHEDULED",
                        "ada: change set cancelled SCHEDULED -> APPLYING",
                        "the system: change set run ended APPLYING -> CANCELLED");
        assertThat(records(set).getFirst().details()).containsEntry("effectiveDate", "2036-07-01");
    }

    /** One that is written in one transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {3, 30})
    void hasWhoPutItBackAndWhoPutThatBack(int lines) {
        var set = drafted("11.00", null, products(lines));
        applied(lines > 20 ? approved(set) : set);
        var undo = put(back(set), lines);
        var undoOfUndo = put(back(undo), lines);

        assertThat(told(set))
                .contains("ada: change set undone APPLIED -> UNDONE", "ada: change set restored UNDONE -> APPLIED")
                .doesNotHaveDuplicates();
        assertThat(records(set).getLast().details())
                .containsEntry("changeSet", undoOfUndo.id().value())
                .containsEntry("reason", "a mistake");
        assertThat(told(undo)).last().isEqualTo("ada: change set undone APPLIED -> UNDONE");
        assertThat(records(undo).getFirst().details())
                .containsEntry("undoes", set.id().value());
    }

    private ChangeSet back(ChangeSet set) {
        return done(fixture.drafts.draftUndo(ADA, set.id(), "a mistake", null));
    }

    private ChangeSet put(ChangeSet undo, int lines) {
        clock.advance(Duration.ofMinutes(1));
        return applied(lines > 20 ? approved(undo) : undo);
    }

    @Test
    void hasNothingOfWhatWasRefusedOrChangedNoPrice() {
        var set = drafted("11.00", null, MANY);

        fixture.sets.applyAccepted(ADA, set.id(), token(set));
        fixture.approvals.approve(BOB, set.id(), token(set));
        done(fixture.drafts.preview(ADA, set.id()));
        fixture.approvals.request(ADA, set.id(), token(set));

        assertThat(told(set)).containsExactly("ada: change set drafted");
    }

    /** Tokyo's day has begun when it is cancelled. */
    @Test
    void hasOneRecordOfACancelThatIsRepeated() {
        fixture.stores.save(EVERYTHING, List.of(TOKYO));
        fixture.load(List.of(price(TOKYO, "ALL", "P000", "2030-01-01", "1000")));
        var both = rule(percent("10"), List.of("DE-0001", "JP-0001"), "P000");
        var set = applied(done(fixture.drafts.draft(ADA, draft("2036-07-01", both), null)));
        clock.set(Instant.parse("2036-06-30T20:00:00Z"));

        var cancelled = done(fixture.sets.cancel(ADA, set.id()));
        assertThat(done(fixture.sets.cancel(BOB, set.id()))).isEqualTo(cancelled);

        assertThat(told(set))
                .endsWith("ada: change set cancelled APPLYING -> PARTLY_APPLIED")
                .hasSize(3);
    }

    @Test
    void hasWhatTheSetItselfDoesNotRememberAnyMore() {
        var set = drafted("11.00", null, MANY);
        for (var i = 0; i < 60; i++) {
            var next = done(fixture.drafts.preview(ADA, set.id()));
            done(fixture.approvals.request(ADA, set.id(), token(next)));
            done(fixture.approvals.approve(BOB, set.id(), token(next)));
        }

        assertThat(fixture.sets.find(ADA, set.id()).orElseThrow().data().events())
                .hasSize(100);
        assertThat(told(set)).hasSize(1 + 60 + 60);
    }

    /** As a task does that goes on where another worker of it has died. */
    @Test
    void hasOneRecordOfAnUndoThatIsMarkedAgain() {
        var set = applied(drafted("11.00", null, "P000"));
        var undo = put(back(set), 1);
        var again = put(back(undo), 1);
        var stored = new DynamoChangeSets(
                fixture.db, 2, Duration.ofDays(1_095), new DynamoChangeSetAudit(fixture.audit, clock));
        var told = told(set);

        stored.markUndone(again, ADA.actor());

        assertThat(told(set)).isEqualTo(told);
        assertThat(told(undo)).doesNotHaveDuplicates();
    }

    @Test
    void hasOneRecordOfWhatManyDidAtOnce() throws InterruptedException {
        var set = drafted("11.00", null, "P000", "P001");

        try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
            people.invokeAll(IntStream.range(0, 8)
                    .<Callable<ChangeSetResult>>mapToObj(
                            _ -> () -> fixture.sets.applyAccepted(ADA, set.id(), token(set)))
                    .toList());
        }

        assertThat(told(set)).containsExactly("ada: change set drafted", "ada: change set applied DRAFT -> APPLIED");
    }
}
