package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Access;
import io.menuboard.access.People;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.approvals.Approval.Decision;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.approvals.ApprovalReason;
import io.menuboard.pricing.approvals.DynamoApprovalQueue;
import io.menuboard.pricing.changes.ChangeSet.Previewed;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of approval by a second person, which the settings {@code menuboard.pricing.changes.approval-*} ask for. Thread-safe.
 *
 * <p>What is approved is one preview, named by its token: another preview has to be approved again. The person who approves
 * is not the one who drafted the set, by id, nor the one who created the token that did, and has
 * {@link Permission#PRICES_APPROVE} for all stores that the set touches.
 */
public final class ChangeSetApprovals {
    private static final int MOST_NAMES = 20;
    private static final int AT_ONCE = 100;
    private static final String DRAFTER_UNKNOWN =
            "changeSet must be drafted by somebody with an account: who drafted this one is not known";

    private final AccessibleSets accessible;
    private final DynamoChangeSets sets;
    private final DynamoApprovalQueue queue;
    private final ApprovalPolicy policy;
    private final People people;
    private final Clock clock;

    ChangeSetApprovals(
            AccessibleSets accessible, DynamoApprovalQueue queue, ApprovalPolicy policy, People people, Clock clock) {
        this.accessible = accessible;
        this.sets = accessible.stored();
        this.queue = queue;
        this.policy = policy;
        this.people = people;
        this.clock = clock;
    }

    /**
     * Where a set stands.
     *
     * @param reasons why it needs approval by today's settings; empty where it does not, and once it is applied
     * @param approval what a second person was asked, and has said; null where nobody was asked
     */
    public record Standing(
            Set<ApprovalReason> reasons, @Nullable Approval approval) {
        public Approval.Status status() {
            return approval == null ? Approval.Status.NEEDED : approval.status();
        }

        /** Whether somebody has yet to decide. */
        public boolean isOpen() {
            return approval == null || approval.decision() == null;
        }
    }

    /** Empty where a set needs no approval, and nobody was asked for it. */
    public Optional<Standing> standing(Access access, ChangeSet set) {
        access.require(Permission.PRICES_READ);
        return standing(set);
    }

    private Optional<Standing> standing(ChangeSet set) {
        var reasons = set instanceof Previewed previewed ? reasons(previewed) : Set.<ApprovalReason>of();
        return reasons.isEmpty() && set.approval() == null
                ? Optional.empty()
                : Optional.of(new Standing(reasons, set.approval()));
    }

    private Set<ApprovalReason> reasons(Previewed set) {
        var summary = set.summary();
        return summary.written() == 0 ? Set.of() : policy.reasons(summary.written(), summary.approvalFacts());
    }

    /** True for a preview that may not be applied yet. */
    boolean isMissing(ChangeSet set) {
        return set instanceof Previewed previewed
                && !reasons(previewed).isEmpty()
                && (set.approval() == null || set.approval().status() != Approval.Status.APPROVED);
    }

    /** The answer to whoever would apply a preview that needs approval; empty where that may be applied. */
    Optional<ChangeSetResult> refusal(Previewed set) {
        return isMissing(set)
                ? Optional.of(new ChangeSetResult.NeedsApproval(
                        set, standing(set).orElseThrow().status()))
                : Optional.empty();
    }

    /**
     * Names of people who may approve each of some sets, at most {@value #MOST_NAMES}, sorted. Reads all accounts, once: half a read
     * unit for every 4 KB. Nobody may where it is not known who drafted it.
     */
    public List<List<String>> approvers(Access access, List<ChangeSet> sets) {
        access.require(Permission.PRICES_READ);
        var creators = creators(sets);
        var wanted = sets.stream()
                .filter(set -> !isByNobody(set, creators))
                .map(set ->
                        new People.Wanted(stores(set), drafter(set, creators).orElse("")))
                .toList();
        var named = people.named(Permission.PRICES_APPROVE, wanted, MOST_NAMES).iterator();
        return sets.stream()
                .map(set -> isByNobody(set, creators) ? List.<String>of() : named.next())
                .toList();
    }

    /** True where nobody can be told to be another person than the one who drafted it. */
    private static boolean isByNobody(ChangeSet set, Map<String, String> creators) {
        // Who has the credentials of the table needs nobody's approval.
        return set.actor().source() != Actor.Source.COMMAND_LINE
                && drafter(set, creators).isEmpty();
    }

    private static Set<String> stores(ChangeSet set) {
        var summary = set.summary();
        return summary == null
                ? Set.of()
                : summary.touched().stream().map(StoreId::value).collect(toUnmodifiableSet());
    }

    /** Id of the person who drafted the set, or had it drafted by a token, of which {@link #creators} knows who made it. */
    private static Optional<String> drafter(ChangeSet set, Map<String, String> creators) {
        var id = set.actor().id();
        return set.actor().kind() == Actor.Kind.TOKEN && id != null
                ? Optional.ofNullable(creators.get(id))
                : Optional.ofNullable(id);
    }

    /** Who created the tokens that drafted some sets, by token; one read for all. */
    private Map<String, String> creators(List<ChangeSet> sets) {
        var tokens = sets.stream()
                .map(ChangeSet::actor)
                .filter(actor -> actor.kind() == Actor.Kind.TOKEN)
                .flatMap(actor -> Stream.ofNullable(actor.id()))
                .collect(toUnmodifiableSet());
        return tokens.isEmpty() ? Map.of() : people.creatorsOf(tokens);
    }

    /**
     * Asks for approval of the preview with that token. Asking again is the same as asking once. One read unit, one more where a
     * token drafted the set, and six write units.
     *
     * @return {@link ChangeSetResult.Stale} where it is not the latest preview, or {@link ChangeSetResult.NotAllowed}, also where it
     *     is not known who drafted the set, so that nobody could approve it
     */
    public ChangeSetResult request(Access access, ChangeSetId id, String token) {
        return decide(id, token, () -> accessible.findToDraft(access, id), (set, approval) -> {
            if (approval != null) {
                return approval.decision() == null
                        ? Optional.of(new ChangeSetResult.Done(set))
                        : refused(set, ChangeSetAction.REQUEST_APPROVAL);
            }
            if (reasons(set).isEmpty()) {
                return notAllowed(set, "changeSet must need approval, which it does not");
            }
            if (isByNobody(set, creators(List.of(set)))) {
                return notAllowed(set, DRAFTER_UNKNOWN);
            }
            var now = clock.instant();
            return save(
                    set,
                    new Approval(access.actor(), now, null),
                    Event.of(ChangeSetAction.REQUEST_APPROVAL, now, access.actor()));
        });
    }

    /**
     * Approves the preview with that token, which its approver has seen, so that it may be applied. One read unit, one more where
     * a token drafted the set, and six write units.
     *
     * @return as {@link #request}; not allowed also to who drafted it
     */
    public ChangeSetResult approve(Access access, ChangeSetId id, String token) {
        return decide(access, id, token, now -> new Decision(true, access.actor(), now, ""));
    }

    /**
     * Refuses to approve the preview with that token. Cost and answers as of {@link #approve}.
     *
     * @param reason why, for people, 1 to 500 characters
     * @throws io.menuboard.kernel.InvalidInput {@code INVALID_REASON}
     */
    public ChangeSetResult reject(Access access, ChangeSetId id, String token, String reason) {
        DraftChangeSet.checkReason(reason);
        return decide(access, id, token, now -> new Decision(false, access.actor(), now, reason));
    }

    private ChangeSetResult decide(Access access, ChangeSetId id, String token, Function<Instant, Decision> decision) {
        return decide(id, token, () -> accessible.find(access, Permission.PRICES_APPROVE, id), (set, approval) -> {
            var made = decision.apply(clock.instant());
            var action = made.isApproved() ? ChangeSetAction.APPROVE : ChangeSetAction.REJECT;
            var before = approval == null ? null : approval.decision();
            if (before != null && before.isApproved() == made.isApproved() && isBySame(before, made)) {
                return Optional.of(new ChangeSetResult.Done(set));
            }
            if (approval == null || before != null) {
                return refused(set, action);
            }
            var rule = refusalToDecide(access, set, creators(List.of(set)));
            if (rule != null) {
                return notAllowed(set, rule);
            }
            var reason = made.isApproved() ? null : made.reason();
            return save(set, approval.with(made), new Event(action, made.at(), made.by(), reason));
        });
    }

    private static boolean isBySame(Decision before, Decision now) {
        return before.by().kind() == now.by().kind()
                && before.by().id() != null
                && before.by().id().equals(now.by().id());
    }

    /** The rule, for people, that forbids that person to be the second one; null where nothing does. */
    private static @Nullable String refusalToDecide(Access access, ChangeSet set, Map<String, String> creators) {
        var principal = access.principal();
        if (principal.kind() != Actor.Kind.USER || principal.id() == null) {
            return "changeSet must be approved by a person who has signed in";
        }
        if (isByNobody(set, creators)) {
            return DRAFTER_UNKNOWN;
        }
        return drafter(set, creators).filter(principal.id()::equals).isPresent()
                ? "changeSet must be approved by another person than the one who drafted it"
                : null;
    }

    /** True where that person may be the second one for a set that has been asked about. */
    public boolean mayDecide(Access access, ChangeSet set) {
        return decidable(access, List.of(set)).contains(set.id());
    }

    /**
     * Those of some sets that have been asked about for which that person may be the second one. Where tokens drafted any of them, one
     * request for all of these, and one read unit each.
     */
    public Set<ChangeSetId> decidable(Access access, List<ChangeSet> sets) {
        if (!access.may(Permission.PRICES_APPROVE)) {
            return Set.of();
        }
        var own = sets.stream().filter(set -> mayApproveStores(access, set)).toList();
        var creators = creators(own);
        return own.stream()
                .filter(set -> refusalToDecide(access, set, creators) == null)
                .map(ChangeSet::id)
                .collect(toUnmodifiableSet());
    }

    private static boolean mayApproveStores(Access access, ChangeSet set) {
        var stores = stores(set);
        return access.isForAll(Permission.PRICES_APPROVE)
                || (!stores.isEmpty()
                        && stores.stream()
                                .allMatch(store -> access.may(Permission.PRICES_APPROVE, Kind.STORES, store)));
    }

    /** The rule, for people, that forbids to move a set that was approved to another time; empty where nothing does. */
    Optional<String> refusalToMove(Access access, ChangeSet set) {
        return set.approval() == null || mayDecide(access, set)
                ? Optional.empty()
                : Optional.of(
                        "changeSet must be moved by another person than the one who drafted it, as it was approved for its"
                                + " time; cancel it instead");
    }

    /** Whether approval, or the lack of it, lets that person do that with a set which allows it otherwise. */
    boolean allows(Access access, ChangeSetAction action, ChangeSet set) {
        return switch (action) {
            case APPLY -> !isMissing(set);
            case REQUEST_APPROVAL -> isMissing(set);
            case APPROVE, REJECT -> mayDecide(access, set);
            case RESCHEDULE -> refusalToMove(access, set).isEmpty();
            case PREVIEW, CANCEL, RETRY, UNDO -> true;
        };
    }

    /**
     * @param find the set, for who may do that with it
     * @param attempt what is done with the preview of that token and what was asked about it; empty where somebody else has
     *     done something with the set meanwhile
     */
    private ChangeSetResult decide(
            ChangeSetId id,
            String token,
            Supplier<Optional<ChangeSet>> find,
            BiFunction<Previewed, @Nullable Approval, Optional<ChangeSetResult>> attempt) {
        return Contention.retry("change set " + id, () -> {
            var found = find.get();
            if (found.isEmpty()) {
                return Optional.of(new ChangeSetResult.NotFound(id));
            }
            var set = found.get();
            if (set instanceof Previewed previewed && token.equals(previewed.token())) {
                return attempt.apply(previewed, previewed.approval());
            }
            return set instanceof ChangeSet.Unapplied
                    ? Optional.of(new ChangeSetResult.Stale(set))
                    : refused(set.asOf(clock.instant()), ChangeSetAction.APPROVE);
        });
    }

    private Optional<ChangeSetResult> refused(ChangeSet set, ChangeSetAction action) {
        return notAllowed(set, set.refusal(action, clock.instant()).orElseThrow());
    }

    private static Optional<ChangeSetResult> notAllowed(ChangeSet set, String rule) {
        return Optional.of(new ChangeSetResult.NotAllowed(set, rule));
    }

    private Optional<ChangeSetResult> save(Previewed set, Approval approval, Event by) {
        return sets.save(set.with(approval, by)).map(ChangeSetResult.Done::new);
    }

    /**
     * Sets that wait for the approval of somebody who may approve for all of their stores, those that were asked about first,
     * first; also one's own, which another person has to approve. Half a read unit per 4 KB, and one for each set of the page and
     * for the next one; for who approves for some stores, for each that waits, so that counts and ends tell of those alone.
     */
    public Page<ChangeSet> waiting(Access access, PageRequest page) {
        access.require(Permission.PRICES_APPROVE);
        if (access.isForAll(Permission.PRICES_APPROVE) && access.isForAll(Permission.PRICES_READ)) {
            return queue.list(page, listed -> waiting(access, listed));
        }
        var own = queue.all().stream()
                .gather(Gatherers.windowFixed(AT_ONCE))
                .flatMap(some -> waiting(access, some).values().stream())
                .sorted(Comparator.comparing(ChangeSetApprovals::place))
                .toList();
        return Page.of(own, ChangeSetApprovals::place, page);
    }

    private Map<ChangeSetId, ChangeSet> waiting(Access access, List<ChangeSetId> listed) {
        return accessible.findAll(access, listed).stream()
                .filter(set -> set.approval() != null && set.approval().decision() == null)
                .filter(set -> mayApproveStores(access, set))
                .collect(toMap(ChangeSet::id, set -> set));
    }

    private static String place(ChangeSet set) {
        return DynamoApprovalQueue.place(
                set.id(), Objects.requireNonNull(set.approval()).requestedAt());
    }
}
