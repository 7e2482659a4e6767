package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.TOKYO;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.NOW;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Count;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.approvals.ApprovalReason;
import io.menuboard.pricing.approvals.DynamoApprovalQueue;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.changes.ChangeSetResult.Done;
import io.menuboard.pricing.changes.ChangeSetResult.NeedsApproval;
import io.menuboard.pricing.changes.ChangeSetResult.NotAllowed;
import io.menuboard.pricing.changes.ChangeSetResult.NotFound;
import io.menuboard.pricing.changes.ChangeSetResult.Stale;
import io.menuboard.pricing.imports.ImportFixture;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Change sets that need a second person: of more than two lines, or 20 percent, or the product SECRET. */
class ApprovalsTest {
    private static final ApprovalPolicy POLICY = new ApprovalPolicy(2, 20, Set.of("SECRET"));
    private static final List<String> STORE = List.of("DE-0001");
    private static final String[] THREE = products(3);

    private static final Access ADA = known(Actor.Kind.USER, "ada");
    private static final Access BOB = known(Actor.Kind.USER, "bob");
    private static final Access CLIENT = known(Actor.Kind.TOKEN, "client");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private ChangesFixture fixture;

    @BeforeEach
    void open() {
        fixture = new ChangesFixture(table.queryDb(clock), clock, 200, POLICY);
        fixture.stores.save(EVERYTHING, List.of(BERLIN, TOKYO));
        fixture.load(Stream.concat(
                        Stream.of(products(100)).map(product -> price(BERLIN, "ALL", product, "2030-01-01", "10.00")),
                        Stream.of(
                                price(BERLIN, "ALL", "SECRET", "2030-01-01", "10.00"),
                                price(TOKYO, "ALL", "P000", "2030-01-01", "1000")))
                .toList());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Access known(Actor.Kind kind, String id) {
        return new Access(
                new Principal(id, kind, id, GRACE.principal().grants()),
                kind == Actor.Kind.USER ? Actor.Source.PAGE : Actor.Source.GRAPHQL);
    }

    private ChangeSet drafted(Access by, String amount, String... products) {
        return done(fixture.drafts.draft(by, draft(null, rule(setTo(amount), STORE, products)), null));
    }

    private ChangeSet requested(Access by) {
        var set = drafted(by, "11.00", THREE);
        return done(fixture.approvals.request(by, set.id(), token(set)));
    }

    private static String token(ChangeSet set) {
        return Objects.requireNonNull(set.token());
    }

    private ChangeSetResult apply(ChangeSet set) {
        return fixture.sets.applyAccepted(ADA, set.id(), token(set));
    }

    private ChangeSet now(ChangeSet set) {
        return fixture.sets.find(GRACE, set.id()).orElseThrow();
    }

    private static Approval approval(ChangeSet set) {
        return Objects.requireNonNull(set.approval());
    }

    private List<ChangeSet> waiting(Access access) {
        return fixture.approvals.waiting(access, PAGE).nodes();
    }

    /** One that fits a transaction, and one that takes a task. */
    @ParameterizedTest
    @ValueSource(ints = {3, 100})
    void isAppliedOnceASecondPersonHasApprovedIt(int lines) {
        var set = drafted(ADA, "11.00", products(lines));
        assertThat(apply(set)).isEqualTo(new NeedsApproval(set, Approval.Status.NEEDED));

        clock.advance(Duration.ofMinutes(1));
        var asked = done(fixture.approvals.request(ADA, set.id(), token(set)));
        assertThat(apply(set)).isEqualTo(new NeedsApproval(asked, Approval.Status.REQUESTED));
        assertThat(waiting(BOB)).containsExactly(asked);

        clock.advance(Duration.ofMinutes(1));
        done(fixture.approvals.approve(BOB, set.id(), token(set)));
        assertThat(waiting(BOB)).isEmpty();
        assertThat(fixture.price("DE-0001", "P000")).isEqualTo("10.00");

        done(apply(set));
        assertThat(now(set).status()).isEqualTo(ChangeSetStatus.APPLIED);
        assertThat(fixture.price("DE-0001", "P000")).isEqualTo("11.00");
        assertThat(now(set).data().events())
                .containsExactly(
                        Event.of(ChangeSetAction.REQUEST_APPROVAL, NOW.plusSeconds(60), ADA.actor()),
                        Event.of(ChangeSetAction.APPROVE, NOW.plusSeconds(120), BOB.actor()),
                        Event.of(ChangeSetAction.APPLY, NOW.plusSeconds(120), ADA.actor()));
        assertThat(approval(now(set)).status()).isEqualTo(Approval.Status.APPROVED);
    }

    @Test
    void noOtherSetIsAskedAbout() {
        var set = drafted(ADA, "12.00", "P000", "P001");

        assertThat(fixture.approvals.standing(GRACE, set)).isEmpty();
        assertThat(fixture.approvals.request(ADA, set.id(), token(set))).isInstanceOf(NotAllowed.class);
        assertThat(fixture.sets.allowed(ADA, set))
                .contains(ChangeSetAction.APPLY)
                .doesNotContain(ChangeSetAction.REQUEST_APPROVAL, ChangeSetAction.APPROVE, ChangeSetAction.REJECT);
        done(apply(set));
    }

    @ParameterizedTest
    @CsvSource({
        "12.00, P000, ",
        "12.01, P000, PERCENT",
        "7.99, P000, PERCENT",
        "10.50, SECRET, PRODUCTS",
        "10.00, SECRET, ",
        "0.00, P000, PERCENT",
    })
    void asksForTheReasonsThatTheSettingsName(String amount, String product, @Nullable ApprovalReason reason) {
        var standing = fixture.approvals.standing(GRACE, drafted(ADA, amount, product));

        assertThat(standing.map(ChangeSetApprovals.Standing::reasons).orElse(Set.of()))
                .isEqualTo(reason == null ? Set.of() : Set.of(reason));
    }

    /** Customers pay the price of all channels there before; what deleting the channel's own brings back is that again. */
    @Test
    void comparesAChannelsOwnPriceWithTheOneOfAllChannelsThatItTakesThePlaceOf() {
        var cheap = ofDelivery(setTo("1.10"));
        assertThat(fixture.lines(cheap)).singleElement().satisfies(line -> {
            assertThat(line.before()).isNull();
            assertThat(line.finding()).isEqualTo(Finding.SUSPICIOUS);
            assertThat(line.message())
                    .isEqualTo("would change by more than 50 percent beside the price of all channels, 10.00 EUR");
        });
        assertThat(apply(cheap)).isInstanceOf(NeedsApproval.class);

        var close = ofDelivery(setTo("12.00"));
        assertThat(fixture.lines(close)).extracting(ChangeLine::finding).containsExactly(Finding.NEW);
        assertThat(apply(close)).isInstanceOf(ChangeSetResult.Done.class);
        clock.advance(Duration.ofSeconds(1));
        var deleted = ofDelivery(new PriceOperation.Delete());
        assertThat(apply(deleted)).isInstanceOf(ChangeSetResult.Done.class);
    }

    @Test
    void comparesNoAmountsOfDifferentCurrencies() {
        var file = ImportFixture.prices(
                "store,channel,product,effectiveDate,amount,currency", "DE-0001,DELIVERY,P000,2036-06-15,10,USD");
        var id = Objects.requireNonNull(ImportFixture.drafted(fixture, file).changeSet());
        var set = fixture.sets.find(GRACE, id).orElseThrow();

        assertThat(fixture.lines(set)).singleElement().satisfies(line -> {
            assertThat(line.finding()).isEqualTo(Finding.SUSPICIOUS);
            assertThat(line.message()).isEqualTo("would be in USD beside the price of all channels, 10.00 EUR");
        });
        assertThat(fixture.approvals.standing(GRACE, set).orElseThrow().reasons())
                .containsExactly(ApprovalReason.PERCENT);
        assertThat(apply(set)).isInstanceOf(NeedsApproval.class);
    }

    private ChangeSet ofDelivery(PriceOperation operation) {
        var rule = rule(new Channel("DELIVERY"), operation, STORE, "P000");
        return done(fixture.drafts.draft(ADA, draft(null, rule), null));
    }

    @Test
    void waitsNoLongerOnceItIsAppliedWhereTheSettingsAskForNoApprovalAnyMore() {
        var set = requested(ADA);
        var relaxed = new ChangesFixture(table.queryDb(clock), clock);

        done(relaxed.sets.applyAccepted(ADA, set.id(), token(set)));
        relaxed.close();

        assertThat(new DynamoApprovalQueue(table.queryDb(clock)).all()).isEmpty();
    }

    @Test
    void anotherPreviewIsApprovedAnew() {
        var set = requested(ADA);
        done(fixture.approvals.approve(BOB, set.id(), token(set)));

        var again = done(fixture.drafts.preview(ADA, set.id()));

        assertThat(again.approval()).isNull();
        assertThat(apply(again)).isEqualTo(new NeedsApproval(again, Approval.Status.NEEDED));
        assertThat(fixture.approvals.approve(BOB, set.id(), token(set))).isEqualTo(new Stale(again));
        assertThat(fixture.approvals.approve(BOB, set.id(), token(again))).isInstanceOf(NotAllowed.class);
        done(fixture.approvals.request(ADA, set.id(), token(again)));
        done(fixture.approvals.approve(BOB, set.id(), token(again)));
        done(apply(again));
    }

    @Test
    void nobodyApprovesWhatTheyHaveDrafted() {
        fixture.creators.put("client", "bob");
        var own = requested(ADA);
        var byToken = requested(CLIENT);

        assertThat(fixture.approvals.approve(ADA, own.id(), token(own)))
                .isEqualTo(new NotAllowed(
                        own, "changeSet must be approved by another person than the one who drafted it"));
        assertThat(fixture.approvals.approve(BOB, byToken.id(), token(byToken))).isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.approve(CLIENT, own.id(), token(own))).isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.approve(GRACE, own.id(), token(own))).isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.reject(ADA, own.id(), token(own), "no")).isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.mayDecide(ADA, own)).isFalse();
        assertThat(fixture.approvals.mayDecide(BOB, own)).isTrue();
        done(fixture.approvals.approve(ADA, byToken.id(), token(byToken)));
    }

    @Test
    void whatWasDraftedByNobodyWhoIsKnownWaitsForNobody() {
        var unknown = drafted(GRACE, "11.00", THREE);
        fixture.creators.put("client", "bob");
        var forgotten = requested(CLIENT);
        fixture.creators.clear();

        assertThat(fixture.approvals.request(GRACE, unknown.id(), token(unknown)))
                .isEqualTo(new NotAllowed(
                        unknown,
                        "changeSet must be drafted by somebody with an account: who drafted this one is not known"));
        assertThat(fixture.approvals.approvers(BOB, List.of(unknown))).containsExactly(List.of());
        assertThat(waiting(BOB)).containsExactly(forgotten);
        assertThat(fixture.approvals.approve(ADA, forgotten.id(), token(forgotten)))
                .isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.approvers(BOB, List.of(forgotten))).containsExactly(List.of());
    }

    @Test
    void tokensThatDraftedWhatWaitsAreAskedAboutTogether() {
        fixture.creators.putAll(Map.of("client", "bob", "other", "ada"));
        var byClient = requested(CLIENT);
        requested(CLIENT);
        var byOther = requested(known(Actor.Kind.TOKEN, "other"));
        var byAda = requested(ADA);
        var page = waiting(BOB);
        fixture.creatorsAsked.clear();

        assertThat(fixture.approvals.decidable(BOB, page)).containsExactlyInAnyOrder(byOther.id(), byAda.id());
        assertThat(fixture.creatorsAsked).containsExactly(Set.of("client", "other"));
        assertThat(fixture.approvals.decidable(ADA, List.of(byClient, byOther, byAda)))
                .containsExactly(byClient.id());
        assertThat(fixture.approvals.decidable(BOB, List.of(byAda))).containsExactly(byAda.id());
        assertThat(fixture.creatorsAsked).as("nobody is asked about people").hasSize(2);
        assertThat(fixture.approvals.decidable(limited("eve", Role.VIEWER, "DE-0001"), page))
                .isEmpty();
    }

    @Test
    void anybodyWhoMayApprovesWhatTheCommandLineHasDrafted() {
        var set = requested(Access.ofCommandLine("root"));

        done(fixture.approvals.approve(ADA, set.id(), token(set)));
    }

    @Test
    void approvesForStoresOfTheirOwnAlone() {
        var set = requested(ADA);
        var there = limited("carl", Role.PRICING_APPROVER, "JP-0001");
        var here = limited("dora", Role.PRICING_APPROVER, "DE-0001");
        var reader = limited("erik", Role.VIEWER, "DE-0001");

        assertThat(fixture.approvals.approve(there, set.id(), token(set))).isEqualTo(new NotFound(set.id()));
        assertThat(waiting(there)).isEmpty();
        assertThatThrownBy(() -> fixture.approvals.approve(reader, set.id(), token(set)))
                .isInstanceOf(Denied.class);
        assertThatThrownBy(() -> waiting(reader)).isInstanceOf(Denied.class);
        assertThat(waiting(here)).containsExactly(set);
        done(fixture.approvals.approve(here, set.id(), token(set)));
    }

    @Test
    void countsAndEndsOfAListTellOfOnesOwnStoresAlone() {
        var here = limited("dora", Role.PRICING_APPROVER, "DE-0001");
        var there = limited("carl", Role.PRICING_APPROVER, "JP-0001");
        var first = requested(ADA);
        var second = requested(ADA);

        assertThat(fixture.approvals.waiting(there, PAGE).totalCount()).isEqualTo(Count.exactly(0));
        assertThat(fixture.approvals
                        .waiting(there, PageRequest.forward(1, null))
                        .hasNextPage())
                .isFalse();
        var page = fixture.approvals.waiting(here, PageRequest.forward(1, null));
        assertThat(page.totalCount()).isEqualTo(Count.exactly(2));
        var next = fixture.approvals.waiting(here, PageRequest.forward(1, page.endCursor()));
        assertThat(List.of(page.nodes().getFirst(), next.nodes().getFirst())).containsExactlyInAnyOrder(first, second);
        assertThat(next.hasNextPage()).isFalse();
    }

    @Test
    void rejectsWithAReason() {
        var set = requested(ADA);
        var reason = "too much\tat once";

        assertThatThrownBy(() -> fixture.approvals.reject(BOB, set.id(), token(set), ""))
                .isInstanceOf(InvalidInput.class);
        done(fixture.approvals.reject(BOB, set.id(), token(set), reason));

        var rejected = now(set);
        assertThat(approval(rejected).decision()).isEqualTo(new Approval.Decision(false, BOB.actor(), NOW, reason));
        assertThat(rejected.data().events().getLast())
                .isEqualTo(new Event(ChangeSetAction.REJECT, NOW, BOB.actor(), reason));
        assertThat(apply(set)).isEqualTo(new NeedsApproval(rejected, Approval.Status.REJECTED));
        assertThat(fixture.approvals.request(ADA, set.id(), token(set))).isInstanceOf(NotAllowed.class);
        assertThat(fixture.approvals.approve(BOB, set.id(), token(set))).isInstanceOf(NotAllowed.class);
        assertThat(waiting(BOB)).isEmpty();
        done(fixture.approvals.reject(BOB, set.id(), token(set), reason));
    }

    @Test
    void isAskedAndDecidedOnceHoweverOftenThatIsSaid() {
        var set = requested(ADA);

        assertThat(fixture.approvals.request(ADA, set.id(), token(set))).isEqualTo(new Done(set));
        var approved = done(fixture.approvals.approve(BOB, set.id(), token(set)));
        assertThat(fixture.approvals.approve(BOB, set.id(), token(set))).isEqualTo(new Done(approved));
        assertThat(fixture.approvals.reject(BOB, set.id(), token(set), "no")).isInstanceOf(NotAllowed.class);
        assertThat(now(set).data().events()).hasSize(2);
    }

    @Test
    void aPageIsReadOnPastWhatDoesNotWaitAnyMore() {
        var gone = Stream.of("01JD8X00000000000000000001", "01JD8X00000000000000000002", "01JD8X00000000000000000003")
                .map(ChangeSetId::new)
                .map(id -> DynamoApprovalQueue.add(
                        id, clock.instant().minusSeconds(1), clock.instant().plusSeconds(60)))
                .toList();
        table.queryDb(clock).transact(List.copyOf(gone));
        var first = requested(ADA);
        clock.advance(Duration.ofSeconds(1));
        var second = requested(ADA);

        var page = fixture.approvals.waiting(BOB, PageRequest.forward(1, null));
        var next = fixture.approvals.waiting(BOB, PageRequest.forward(1, page.endCursor()));
        var last = fixture.approvals.waiting(BOB, PageRequest.backward(5, next.startCursor()));

        assertThat(page.nodes()).containsExactly(first);
        assertThat(page.hasNextPage()).isTrue();
        assertThat(next.nodes()).containsExactly(second);
        assertThat(next.hasNextPage()).isFalse();
        assertThat(last.nodes()).containsExactly(first);
        assertThat(last.hasPreviousPage()).isFalse();
    }

    @Test
    void whatIsNoDraftToDecideAboutLeavesTheQueue() {
        var cancelled = requested(ADA);
        var previewed = requested(ADA);

        done(fixture.sets.cancel(ADA, cancelled.id()));
        done(fixture.drafts.preview(ADA, previewed.id()));

        assertThat(fixture.approvals.waiting(BOB, PAGE).totalCount()).isEqualTo(Count.exactly(0));
        assertThat(fixture.approvals.approve(BOB, cancelled.id(), token(cancelled)))
                .isInstanceOf(NotAllowed.class);
    }

    /** Otherwise its place in the list of what waits would stay, and be counted. */
    @Test
    void aRequestIsNotOverlookedByWhoHasReadTheDraftBefore() {
        var before = (ChangeSet.Previewed) drafted(ADA, "11.00", THREE);
        done(fixture.approvals.request(ADA, before.id(), token(before)));
        var stored = new DynamoChangeSets(
                fixture.db, 2, Duration.ofDays(1_095), new DynamoChangeSetAudit(fixture.audit, clock));

        assertThat(stored.save(before.cancelled(Event.of(ChangeSetAction.CANCEL, NOW, ADA.actor()))))
                .isEmpty();
        assertThat(stored.save(before.outdated("prices have changed"))).isEmpty();
        done(fixture.sets.cancel(ADA, before.id()));
        assertThat(fixture.approvals.waiting(BOB, PAGE).totalCount()).isEqualTo(Count.exactly(0));
    }

    @Test
    void ofTwoWhoDecideAtOnceOneDoes() throws Exception {
        for (var round = 0; round < 20; round++) {
            var set = requested(ADA);
            List<Callable<ChangeSetResult>> decisions = List.of(
                    () -> fixture.approvals.approve(BOB, set.id(), token(set)),
                    () -> fixture.approvals.reject(known(Actor.Kind.USER, "carl"), set.id(), token(set), "no"));
            var results = new ArrayList<ChangeSetResult>();
            try (var both = Executors.newFixedThreadPool(2)) {
                for (var result : both.invokeAll(decisions)) {
                    results.add(result.get());
                }
            }

            assertThat(results).filteredOn(Done.class::isInstance).hasSize(1);
            assertThat(approval(now(set)).status())
                    .isEqualTo(
                            results.getFirst() instanceof Done ? Approval.Status.APPROVED : Approval.Status.REJECTED);
            assertThat(now(set).data().events()).hasSize(2);
        }
    }

    @Test
    void whatAnEarlierVersionPreviewedIsPreviewedAgain() {
        var set = drafted(ADA, "10.10", "P000");
        var text = Objects.requireNonNull(set.summary()).text();
        fixture.db.update(Update.of(new Key("CHANGESET#" + set.id(), "META"))
                .set("summary", text.substring(0, text.lastIndexOf('\t', text.lastIndexOf('\t') - 1))));

        assertThat(fixture.approvals.standing(GRACE, now(set)).orElseThrow().reasons())
                .containsExactly(ApprovalReason.PREVIEWED_BEFORE);
        assertThat(apply(set)).isInstanceOf(NeedsApproval.class);
        done(apply(done(fixture.drafts.preview(ADA, set.id()))));
    }

    @Test
    void whatIsApprovedForItsTimeIsMovedByASecondPerson() {
        var set = done(fixture.drafts.draft(ADA, draft("2036-07-01", rule(setTo("11.00"), STORE, THREE)), null));
        done(fixture.approvals.request(ADA, set.id(), token(set)));
        done(fixture.approvals.approve(BOB, set.id(), token(set)));
        done(apply(set));
        var later = EffectiveDate.parse("2036-08-01");

        assertThat(fixture.sets.reschedule(ADA, set.id(), later)).isInstanceOf(NotAllowed.class);
        done(fixture.sets.reschedule(BOB, set.id(), later));
        assertThat(now(set).effectiveDate()).isEqualTo(later);
    }

    @ParameterizedTest
    @EnumSource(
            value = ChangeSetAction.class,
            names = {"REQUEST_APPROVAL", "APPROVE", "REJECT"})
    void offersWhatIsNext(ChangeSetAction action) {
        var draft = drafted(ADA, "11.00", THREE);
        assertThat(fixture.sets.allowed(ADA, draft))
                .contains(ChangeSetAction.REQUEST_APPROVAL)
                .doesNotContain(ChangeSetAction.APPLY, ChangeSetAction.APPROVE);

        var asked = done(fixture.approvals.request(ADA, draft.id(), token(draft)));

        assertThat(fixture.sets.allowed(ADA, asked)).doesNotContain(action);
        assertThat(fixture.sets.allowed(BOB, asked).contains(action))
                .isEqualTo(action != ChangeSetAction.REQUEST_APPROVAL);
    }
}
