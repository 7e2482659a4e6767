package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.percent;
import static io.menuboard.pricing.changes.ChangesFixture.product;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Change sets as those see and change them who have roles for some of the stores. */
class ChangeSetAccessTest {
    private static final String HERE = BERLIN.id().value();
    private static final String THERE = TOKYO.id().value();
    private static final ChangeSetId NONE = new ChangeSetId("01JD8X00000000000000000000");
    private static final EffectiveDate LATER = EffectiveDate.parse("2036-08-01");

    private static final Access EDITOR = limited("editor", Role.PRICING_EDITOR, HERE);
    private static final Access COLLEAGUE = limited("colleague", Role.PRICING_EDITOR, HERE);
    private static final Access VIEWER = access("viewer", Grant.of(Role.VIEWER), editorOf(HERE));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, TOKYO));
        fixture.load(Stream.of(BERLIN, TOKYO)
                .flatMap(store ->
                        Stream.of("BURGER", "COLA").map(product -> price(store, "ALL", product, "2030-01-01", "500")))
                .toList());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aSetOfAnotherStoreIsAsOneThatThereIsNot() {
        var foreign = drafted(GRACE, THERE);
        var mixed = drafted(GRACE, HERE, THERE);
        var scheduled =
                fixture.applied(fixture.drafted(draft("2036-07-01", rule(setTo("520"), List.of(THERE), "COLA"))));

        for (var set : List.of(foreign, mixed, scheduled)) {
            for (var ask : questions()) {
                assertThat(ask.apply(set.id()).toString().replace(set.id().value(), "ID"))
                        .isEqualTo(ask.apply(NONE).toString().replace(NONE.value(), "ID"));
            }
            assertThat(fixture.setLines
                            .lines(EDITOR, List.of(set), null, PAGE)
                            .getFirst()
                            .nodes())
                    .isEmpty();
            assertThat(fixture.sets.find(GRACE, set.id())).contains(set);
        }
    }

    /** Every use case that is about one set. */
    private List<Function<ChangeSetId, Object>> questions() {
        var sets = fixture.sets;
        var drafts = fixture.drafts;
        return List.of(
                id -> sets.find(EDITOR, id),
                id -> sets.findAll(EDITOR, List.of(id)),
                id -> fixture.setLines.lines(EDITOR, id, null, PAGE).nodes(),
                id -> fixture.setLines.firstPrices(EDITOR, id, null).toList(),
                id -> fixture.setLines.rules(EDITOR, id),
                id -> sets.apply(EDITOR, id, "token"),
                id -> sets.applyAccepted(EDITOR, id, "token"),
                id -> sets.discard(EDITOR, id),
                id -> sets.cancel(EDITOR, id),
                id -> sets.reschedule(EDITOR, id, LATER),
                id -> drafts.preview(EDITOR, id),
                id -> drafts.draftUndo(EDITOR, id, "why", null),
                id -> drafts.draftRetry(EDITOR, id, null),
                id -> drafts.isDrafted(EDITOR, id));
    }

    @Test
    void whoHasNoPermissionIsToldSo() {
        var access = access("nobody", Grant.of(Role.BILLING));
        var set = drafted(GRACE, HERE);

        Stream.<Runnable>of(
                        () -> fixture.sets.find(access, set.id()),
                        () -> fixture.sets.findAll(access, List.of(set.id())),
                        () -> fixture.sets.list(access, PAGE),
                        () -> fixture.setLines.lines(access, set.id(), null, PAGE),
                        () -> fixture.setLines.lines(access, List.of(set), null, PAGE),
                        () -> fixture.setLines.rules(access, set.id()),
                        () -> fixture.setLines.firstPrices(access, set.id(), null),
                        () -> fixture.sets.apply(access, set.id(), token(set)),
                        () -> fixture.sets.discard(access, set.id()),
                        () -> fixture.sets.cancel(access, set.id()),
                        () -> fixture.sets.reschedule(access, set.id(), LATER),
                        () -> fixture.drafts.draft(access, draft(null, change(HERE)), null),
                        () -> fixture.drafts.preview(access, set.id()),
                        () -> fixture.drafts.draftUndo(access, set.id(), "why", null),
                        () -> fixture.drafts.draftRetry(access, set.id(), null))
                .forEach(ask -> assertThatThrownBy(ask::run).isInstanceOf(Denied.class));
        assertThat(fixture.sets.allowed(access, set)).isEmpty();
    }

    @Test
    void listsHaveNoHolesWhereOthersAre() {
        var seen = new ArrayList<ChangeSetId>();
        for (var number = 0; number < 3; number++) {
            for (var foreign : List.of(new String[] {THERE}, new String[] {HERE, THERE})) {
                clock.advance(Duration.ofSeconds(1));
                drafted(GRACE, foreign);
            }
            clock.advance(Duration.ofSeconds(1));
            seen.addFirst(drafted(GRACE, HERE).id());
            clock.advance(Duration.ofSeconds(1));
            drafted(GRACE, THERE);
        }

        var first = fixture.sets.list(EDITOR, PageRequest.forward(2, null));
        var second = fixture.sets.list(EDITOR, PageRequest.forward(2, first.endCursor()));
        var filtered = new ChangeSets.Filter(Set.of(ChangeSetStatus.DRAFT), "grace", null, null, null);

        assertThat(first.nodes()).extracting(ChangeSet::id).containsExactlyElementsOf(seen.subList(0, 2));
        assertThat(first.hasNextPage()).isTrue();
        assertThat(second.nodes()).extracting(ChangeSet::id).containsExactly(seen.getLast());
        assertThat(second.hasNextPage()).isFalse();
        assertThat(fixture.sets.list(EDITOR, filtered, PAGE).nodes())
                .extracting(ChangeSet::id)
                .containsExactlyElementsOf(seen);
        assertThat(fixture.sets.list(GRACE, PAGE).nodes()).hasSize(12);
    }

    @Test
    void setsAreFoundByTheKeyOfWhoDraftedThemThoughSeveralHaveTheName() {
        var grants = EDITOR.principal().grants();
        var one = new Access(new Principal("p1", Actor.Kind.USER, "Alex", grants), Actor.Source.PAGE);
        var other = new Access(new Principal("p2", Actor.Kind.USER, "Alex", grants), Actor.Source.PAGE);
        var ofOne = drafted(one, HERE);
        clock.advance(Duration.ofSeconds(1));
        var ofOther = drafted(other, HERE);

        assertThat(createdBy("p1")).containsExactly(ofOne);
        assertThat(createdBy("p2")).containsExactly(ofOther);
        assertThat(createdBy("Alex")).containsExactly(ofOther, ofOne);
        assertThat(createdBy("p")).isEmpty();
    }

    private List<ChangeSet> createdBy(String keyOrName) {
        var filter = new ChangeSets.Filter(Set.of(), keyOrName, null, null, null);
        return fixture.sets.list(GRACE, filter, PAGE).nodes();
    }

    @Test
    void aSetOfOwnStoresIsSeenAndChangedWhoeverDraftedIt() {
        var set = drafted(COLLEAGUE, HERE);

        assertThat(fixture.sets.find(EDITOR, set.id())).contains(set);
        assertThat(fixture.setLines.lines(EDITOR, set.id(), null, PAGE).nodes()).hasSize(1);
        assertThat(fixture.setLines.rules(EDITOR, set.id())).hasSize(1);
        var applied = done(fixture.sets.apply(EDITOR, set.id(), token(set)));
        var undo = done(fixture.drafts.draftUndo(EDITOR, set.id(), "why", null));
        assertThat(applied.status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(done(fixture.sets.apply(EDITOR, undo.id(), token(undo))).status())
                .isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.price(HERE, "BURGER")).isEqualTo("500.00");
    }

    @Test
    void whoSeesASetAndMayNotChangeAllOfItsStoresIsToldSo() {
        var set = drafted(GRACE, HERE, THERE);
        var waiting =
                fixture.applied(fixture.drafted(draft("2036-07-01", rule(setTo("520"), List.of(HERE, THERE), "COLA"))));

        assertThat(fixture.sets.find(VIEWER, set.id())).contains(set);
        assertThat(fixture.sets.allowed(VIEWER, set)).isEmpty();
        assertThat(fixture.sets.allowed(GRACE, set)).isNotEmpty();
        denied(Permission.PRICES_APPLY, () -> fixture.sets.applyAccepted(VIEWER, set.id(), token(set)));
        denied(Permission.PRICES_APPLY, () -> fixture.sets.cancel(VIEWER, waiting.id()));
        denied(Permission.PRICES_APPLY, () -> fixture.sets.reschedule(VIEWER, waiting.id(), LATER));
        denied(Permission.PRICES_DRAFT, () -> fixture.sets.discard(VIEWER, set.id()));
        denied(Permission.PRICES_DRAFT, () -> fixture.drafts.preview(VIEWER, set.id()));
        denied(Permission.PRICES_DRAFT, () -> fixture.drafts.draftUndo(VIEWER, waiting.id(), "why", null));
        denied(Permission.PRICES_DRAFT, () -> fixture.drafts.draftRetry(VIEWER, waiting.id(), null));
        assertThat(fixture.sets.findAll(GRACE, List.of(set.id(), waiting.id()))).containsExactly(set, waiting);
    }

    @Test
    void whatHasNoPreviewYetIsForWhoMayChangeAllStores() {
        try (var large = new ChangesFixture(fixture.db, clock, 0)) {
            var set = done(large.drafts.draft(GRACE, draft(null, change(HERE, THERE)), null));

            assertThat(set.token()).isNull();
            assertThat(large.sets.allowed(VIEWER, set)).isEmpty();
            assertThatThrownBy(() -> large.sets.cancel(VIEWER, set.id())).isInstanceOf(Denied.class);
            denied(Permission.PRICES_DRAFT, () -> large.sets.discard(VIEWER, set.id()));
            denied(Permission.PRICES_DRAFT, () -> large.drafts.preview(VIEWER, set.id()));
            assertThat(large.sets.find(GRACE, set.id())).contains(set);
        }
    }

    private static void denied(Permission permission, Runnable ask) {
        assertThatThrownBy(ask::run).isInstanceOfSatisfying(Denied.class, denied -> assertThat(denied.permission())
                .isEqualTo(permission));
    }

    @Test
    void whoDraftedASetSeesItWhateverStoresTheyHaveNow() {
        var before = limited("editor", Role.PRICING_EDITOR, HERE, THERE);
        var set = drafted(before, HERE, THERE);
        var namesake = new Access(
                new Principal(
                        "other", Actor.Kind.USER, "editor", EDITOR.principal().grants()),
                Actor.Source.PAGE);

        assertThat(fixture.sets.find(EDITOR, set.id())).contains(set);
        assertThat(fixture.sets.list(EDITOR, PAGE).nodes()).containsExactly(set);
        assertThat(fixture.setLines.lines(EDITOR, set.id(), null, PAGE).nodes()).hasSize(2);
        assertThat(fixture.sets.find(namesake, set.id())).isEmpty();
        denied(Permission.PRICES_APPLY, () -> fixture.sets.apply(EDITOR, set.id(), token(set)));
        // What is left of it is what they may draft now.
        var again = done(fixture.drafts.preview(EDITOR, set.id()));
        assertThat(fixture.lines(again))
                .extracting(line -> line.store().value(), ChangeLine::finding)
                .containsExactlyInAnyOrder(tuple(HERE, Finding.WILL_CHANGE), tuple(THERE, Finding.NOT_FOUND));
        assertThat(done(fixture.sets.apply(EDITOR, again.id(), token(again))).status())
                .isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.price(THERE, "BURGER")).isEqualTo("500");
    }

    @Test
    void whoDraftedASetDiscardsItWhateverStoresTheyHaveNow() {
        var set = drafted(limited("editor", Role.PRICING_EDITOR, HERE, THERE), HERE, THERE);

        assertThat(done(fixture.sets.discard(EDITOR, set.id())).status()).isEqualTo(ChangeSetStatus.CANCELLED);
    }

    @Test
    void rulesForAllStoresReachThoseThatOneMayDraftFor() {
        var everywhere = new ChangeRule(
                new StoreSelection.All(), List.of(product("BURGER")), List.of(Channel.ALL), setTo("510"), null);

        var set = previewed(EDITOR, everywhere);
        var all = previewed(GRACE, everywhere);

        // For everybody else this is one amount in two currencies.
        assertThat(fixture.lines(set))
                .extracting(line -> line.store().value(), ChangeLine::finding)
                .containsExactly(tuple(HERE, Finding.WILL_CHANGE));
        assertThat(fixture.lines(all)).extracting(ChangeLine::finding).containsOnly(Finding.MIXED_CURRENCIES);
        assertThat(fixture.lines(all)).hasSize(2);
        assertThat(fixture.sets.find(COLLEAGUE, set.id())).isPresent();
        assertThat(fixture.sets.find(COLLEAGUE, all.id())).isEmpty();
    }

    @Test
    void whoSeesAStoreHearsThatTheyMayNotChangeIt() {
        var grants = Set.of(Grant.of(Role.VIEWER), new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of(HERE))));
        var reader = new Access(new Principal("reader", Actor.Kind.USER, "reader", grants), Actor.Source.PAGE);

        assertThat(fixture.lines(drafted(reader, HERE, THERE, "NOWHERE")))
                .extracting(line -> line.store().value(), ChangeLine::finding, ChangeLine::message)
                .containsExactlyInAnyOrder(
                        tuple(HERE, Finding.WILL_CHANGE, null),
                        tuple(THERE, Finding.NOT_FOUND, "whoever previewed this may not change prices of this store"),
                        tuple("NOWHERE", Finding.NOT_FOUND, "there is no such store"));
        assertThat(fixture.lines(drafted(EDITOR, THERE)))
                .extracting(ChangeLine::message)
                .containsExactly("there is no such store");
    }

    @Test
    void whoDraftedASetIsToldNothingOfOtherStoresByThePreviewOfSomebodyElse() {
        var set = drafted(EDITOR, HERE, THERE);
        fixture.current = _ -> EDITOR;

        var again = done(fixture.drafts.preview(GRACE, set.id()));

        assertThat(fixture.lines(again))
                .extracting(line -> line.store().value(), ChangeLine::before, ChangeLine::finding)
                .containsExactlyInAnyOrder(
                        tuple(HERE, Money.of("500 EUR"), Finding.WILL_CHANGE), tuple(THERE, null, Finding.NOT_FOUND));
        // Who has left is told nothing.
        fixture.current = _ -> access("editor");
        assertThat(fixture.lines(done(fixture.drafts.preview(GRACE, set.id()))))
                .extracting(ChangeLine::finding)
                .doesNotContain(Finding.NOT_FOUND);
    }

    /** Sets that are not for listed stores alone are previewed by a task; here it is done at once. */
    private ChangeSet previewed(Access access, ChangeRule rule) {
        fixture.current = _ -> access;
        var draft = done(fixture.drafts.draft(access, draft(null, rule), null));
        RecheckedRunsTest.work(fixture, draft);
        return fixture.sets.find(access, draft.id()).orElseThrow();
    }

    @Test
    void aStoreThatIsNamedAndNotOnesOwnIsAsOneThatThereIsNot() {
        var foreign = drafted(EDITOR, THERE);
        var none = drafted(EDITOR, "XX-0001");

        assertThat(fixture.lines(foreign).toString().replace(THERE, "STORE"))
                .isEqualTo(fixture.lines(none).toString().replace("XX-0001", "STORE"));
        assertThat(foreign.summary()).isEqualTo(none.summary());
    }

    @Test
    void whatAnEarlierVersionWroteIsSeenByThoseWhoSeeAllAndByWhoDraftedIt() {
        var here = drafted(EDITOR, HERE);
        var both = drafted(limited("editor", Role.PRICING_EDITOR, HERE, THERE), HERE, THERE);
        Stream.of(here, both).forEach(this::forgetStores);

        assertThat(fixture.sets.find(COLLEAGUE, here.id())).isEmpty();
        assertThat(fixture.sets.find(GRACE, here.id())).isPresent();
        assertThat(fixture.sets.list(EDITOR, PAGE).nodes()).hasSize(2);
        // Its lines tell which stores it would change.
        denied(Permission.PRICES_APPLY, () -> fixture.sets.apply(EDITOR, both.id(), token(both)));
        assertThat(done(fixture.sets.apply(EDITOR, here.id(), token(here))).status())
                .isEqualTo(ChangeSetStatus.APPLIED);
    }

    private void forgetStores(ChangeSet set) {
        var cells = List.of(Objects.requireNonNull(set.summary()).text().split("\t", -1));
        fixture.db.update(Update.of(new Key("CHANGESET#" + set.id(), "META"))
                .set("summary", String.join("\t", cells.subList(0, cells.size() - 3))));
    }

    @Test
    void keepsAsManyStoresAsAGrantCanName() {
        var few = new LineCounts(ApprovalPolicy.NONE, 1_000_000);
        var many = new LineCounts(ApprovalPolicy.NONE, 1_000_000);
        for (var number = 0; number <= Scope.Stores.MAX_STORES; number++) {
            var store = new Store(
                    new StoreId("S" + number),
                    "s",
                    BERLIN.address(),
                    BERLIN.timeZone(),
                    BERLIN.currency(),
                    BERLIN.status());
            var line = new ChangeLine(
                    number,
                    store.id(),
                    Channel.ALL,
                    product("BURGER"),
                    null,
                    null,
                    null,
                    null,
                    Finding.NO_CHANGE,
                    null,
                    ChangeLine.Outcome.NONE);
            many.add(ChangePreview.CheckedLine.atOnce(line), store);
            if (number > 0) {
                few.add(ChangePreview.CheckedLine.atOnce(line), store);
            }
        }

        assertThat(few.summary().touched()).hasSize(Scope.Stores.MAX_STORES);
        assertThat(ChangeSetSummary.of(few.summary().text())).isEqualTo(few.summary());
        assertThat(many.summary().touched()).isEmpty();
        assertThat(ChangeSetSummary.of(many.summary().text())).isEqualTo(many.summary());
    }

    private ChangeSet drafted(Access access, String... stores) {
        return done(fixture.drafts.draft(access, draft(null, change(stores)), null));
    }

    private static ChangeRule change(String... stores) {
        return rule(percent("2"), List.of(stores), "BURGER");
    }

    private static String token(ChangeSet set) {
        return String.valueOf(set.token());
    }

    private static Grant editorOf(String... stores) {
        return new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of(stores)));
    }

    private static Access access(String id, Grant... grants) {
        return new Access(new Principal(id, Actor.Kind.USER, id, Set.of(grants)), Actor.Source.PAGE);
    }
}
