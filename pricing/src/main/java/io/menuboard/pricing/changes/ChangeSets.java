package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSet.Ended;
import io.menuboard.pricing.changes.ChangeSet.Previewed;
import io.menuboard.pricing.changes.ChangeSet.Scheduled;
import io.menuboard.pricing.changes.ChangeSet.Unapplied;
import io.menuboard.pricing.changes.ChangeSetTransactions.Attempt;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.TaskType;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of change sets: prices changed together, previewed before and put back after. Thread-safe.
 *
 * <p>Who reads prices of some stores alone sees the sets that they drafted, and those that touch these stores alone; there is
 * no other set for them. What changes a set takes the permission for all stores that it touches, and is
 * {@linkplain io.menuboard.access.Denied denied} without it where the set can be seen.
 *
 * <p>A set is {@linkplain ChangeSetDrafts drafted}, which previews it and changes nothing; then applied, which writes its
 * lines: in effect at once, or as versions that every read finds at their instant, however late they are applied. Small sets are done
 * while the caller waits, large ones by a task of type {@link #TYPE}.
 *
 * <p>Of two sets that want the same price from the same instant on, the one that was drafted later has it, in whatever
 * order they are applied.
 */
public final class ChangeSets {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    /** The type of tasks that preview, apply, move or take back change sets; their payload has the set's id. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "prices");

    private final AccessibleSets accessible;
    private final ChangeSetApprovals approvals;
    private final DynamoChangeSets sets;
    private final ChangeSetTransactions transactions;
    private final ChangeSetTasks tasks;
    private final Stores stores;
    private final Clock clock;

    ChangeSets(
            AccessibleSets accessible,
            ChangeSetApprovals approvals,
            ChangeSetTransactions transactions,
            ChangeSetTasks tasks,
            Stores stores,
            Clock clock) {
        this.accessible = accessible;
        this.approvals = approvals;
        this.sets = accessible.stored();
        this.transactions = transactions;
        this.tasks = tasks;
        this.stores = stores;
        this.clock = clock;
    }

    /**
     * Applies the preview with that token. A set of few lines is applied in one transaction: at once for three write units,
     * and for each line eight, and for each store and channel five; to come for three, five for each line, and five for each
     * store and channel, and twelve for one line when its time has come. Larger ones take five more for a task, and six for
     * the set.
     *
     * @return {@link ChangeSetResult.Suspicious} where lines {@linkplain Finding#needsAcceptance need acceptance}, or
     *     {@link ChangeSetResult.NeedsApproval}
     */
    public ChangeSetResult apply(Access access, ChangeSetId id, String token) {
        return apply(access, id, token, false);
    }

    /** As {@link #apply}, on behalf of somebody who accepts the lines that need it. */
    public ChangeSetResult applyAccepted(Access access, ChangeSetId id, String token) {
        return apply(access, id, token, true);
    }

    private ChangeSetResult apply(Access access, ChangeSetId id, String token, boolean isAccepted) {
        return withSet(id, () -> accessible.find(access, Permission.PRICES_APPLY, id), found -> {
            if (!(found instanceof Previewed set) || !token.equals(set.token())) {
                return Optional.of(applied(found, token));
            }
            var refusal = set.refusal(ChangeSetAction.APPLY, clock.instant());
            if (refusal.isPresent()) {
                return Optional.of(new ChangeSetResult.NotAllowed(set, refusal.get()));
            }
            if (!isAccepted && set.summary().needsAcceptance() > 0) {
                return Optional.of(new ChangeSetResult.Suspicious(set));
            }
            return approvals.refusal(set).or(() -> attemptToApply(access, set, token));
        });
    }

    private Optional<ChangeSetResult> attemptToApply(Access access, Previewed set, String token) {
        return switch (transactions.apply(set, event(access, ChangeSetAction.APPLY))) {
            case Attempt.Done(var done) -> Optional.of(new ChangeSetResult.Done(done.asOf(clock.instant())));
            case Attempt.Stale(var stale) -> Optional.of(new ChangeSetResult.Stale(stale));
            case Attempt.Loading(var draft, var store) ->
                Optional.of(new ChangeSetResult.NotAllowed(
                        draft,
                        "changeSet must wait until the first prices of " + store + " are loaded; try again then"));
            case Attempt.TooLarge() ->
                tasks.start(access, set, ChangeSetCommand.apply(set, token))
                        .<ChangeSetResult>map(ChangeSetResult.Done::new)
                        // Where somebody was asked about the preview meanwhile, the set is read again.
                        .or(() -> Optional.of(sets.now(set.id()))
                                .filter(now -> !(now instanceof Previewed) || now.equals(set))
                                .map(now -> applied(now, token)));
            // Somebody was quicker: the set is read again.
            case Attempt.Overtaken() -> Optional.empty();
        };
    }

    /**
     * Does something with a set as it is now.
     *
     * @param find the set, for who may do that with it
     * @param attempt empty where somebody else has done something with the set meanwhile
     */
    private ChangeSetResult withSet(
            ChangeSetId id,
            Supplier<Optional<ChangeSet>> find,
            Function<ChangeSet, Optional<ChangeSetResult>> attempt) {
        return Contention.retry(
                "change set " + id,
                () -> find.get().map(attempt).orElseGet(() -> Optional.of(new ChangeSetResult.NotFound(id))));
    }

    /** Answer to a request to apply that preview, of a set that is no draft of it any more. */
    private ChangeSetResult applied(ChangeSet stored, String token) {
        var set = stored.asOf(clock.instant());
        return switch (set.status()) {
            case DRAFT -> new ChangeSetResult.Stale(set);
            case APPLYING, SCHEDULED, APPLIED, PARTLY_APPLIED, UNDONE ->
                // Said before, and the answer was lost.
                token.equals(set.token()) ? new ChangeSetResult.Done(set) : noDraft(set);
            case FAILED ->
                new ChangeSetResult.NotAllowed(
                        set,
                        "changeSet must have a line that can be written: their time came before, or others took"
                                + " their place");
            case CANCELLED -> noDraft(set);
        };
    }

    private static ChangeSetResult noDraft(ChangeSet set) {
        return new ChangeSetResult.NotAllowed(
                set, ChangeSetAction.mustBeDraft(set).orElseThrow());
    }

    /**
     * Cancels a draft, and nothing but a draft: one that is applied meanwhile stays so. One read unit and two write units.
     *
     * @return {@link ChangeSetResult.NotAllowed} where it is no draft any more; done where it is cancelled already
     */
    public ChangeSetResult discard(Access access, ChangeSetId id) {
        return withSet(id, () -> accessible.findToDraft(access, id), set -> {
            if (set.status() == ChangeSetStatus.CANCELLED) {
                return Optional.of(new ChangeSetResult.Done(set));
            }
            return set instanceof Unapplied draft
                    ? sets.save(draft.cancelled(event(access, ChangeSetAction.CANCEL)))
                            .map(ChangeSetResult.Done::new)
                    : Optional.of(noDraft(set.asOf(clock.instant())));
        });
    }

    /**
     * Takes a set back before its time, for what it cost to write, so that what it had taken the place of is there again. A
     * draft is only marked. Where the time has come for some of its lines, the others are taken back, and the set is partly
     * applied. One whose task has been cancelled, or has failed for good, is taken back as far as it came; what is in effect
     * by then stays, and can be undone. A set that is being cancelled, or that a cancel has ended, stays as it is: the
     * answer is that of the first request. Where a store's clock has gone back since the preview, the time is that of the clock
     * as it is now.
     */
    public ChangeSetResult cancel(Access access, ChangeSetId id) {
        return withSet(id, () -> accessible.find(access, Permission.PRICES_APPLY, id), set -> {
            if (isCancelled(set)) {
                return Optional.of(new ChangeSetResult.Done(set));
            }
            if (set instanceof Unapplied draft) {
                return sets.save(draft.cancelled(event(access, ChangeSetAction.CANCEL)))
                        .map(ChangeSetResult.Done::new);
            }
            var refusal = transactions.refusal(ChangeSetAction.CANCEL, set);
            return refusal.isPresent() && !tasks.isGivenUp(set)
                    ? Optional.of(new ChangeSetResult.NotAllowed(set.asOf(clock.instant()), refusal.get()))
                    : attemptToTakeBack(access, set);
        });
    }

    private Optional<ChangeSetResult> attemptToTakeBack(Access access, ChangeSet set) {
        var attempt = set instanceof Scheduled scheduled
                ? transactions.cancel(scheduled, event(access, ChangeSetAction.CANCEL))
                : new Attempt.TooLarge();
        return switch (attempt) {
            case Attempt.Done(var done) -> Optional.of(new ChangeSetResult.Done(done));
            case Attempt.TooLarge() ->
                Optional.of(tasks.start(access, set, ChangeSetCommand.cancel(set))
                        .<ChangeSetResult>map(ChangeSetResult.Done::new)
                        .orElseGet(() -> answer(sets.now(set.id()), this::isCancelled)));
            // Its time has come, or somebody was quicker: the set is read again.
            case Attempt.Overtaken _, Attempt.Stale _, Attempt.Loading _ -> Optional.empty();
        };
    }

    private ChangeSetData.Event event(Access access, ChangeSetAction action) {
        return ChangeSetData.Event.of(action, clock.instant(), access.actor());
    }

    /** True for a set that a cancel has ended, or is ending: also where an attempt has failed, and there will be another one. */
    private boolean isCancelled(ChangeSet set) {
        return (set instanceof Ended ended && ended.byCancel())
                || tasks.isDoing(set, ChangeSetCommand.Action.CANCEL, null);
    }

    /** Answer to what can be done before a set's time alone, as the set is after an attempt to do it. */
    private ChangeSetResult answer(ChangeSet set, Predicate<ChangeSet> isDone) {
        var now = set.asOf(clock.instant());
        return isDone.test(set)
                ? new ChangeSetResult.Done(now)
                : new ChangeSetResult.NotAllowed(now, ChangeSetAction.mustWait(now));
    }

    /**
     * Lets a set that waits for its time take effect at another one. Cost of {@link #cancel} and of writing it again, and
     * of reading its chunks once more where that time has come somewhere on earth. One that waits for that time already, or
     * is being moved there, stays so.
     *
     * <p>What was approved to take effect at its time is moved by somebody who could have approved it.
     *
     * @param effectiveDate on each store's own clock
     * @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} where that time is not to come in every store of the set
     */
    public ChangeSetResult reschedule(Access access, ChangeSetId id, EffectiveDate effectiveDate) {
        var found = accessible.find(access, Permission.PRICES_APPLY, id);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var set = found.get();
        if (isToCome(set, effectiveDate)) {
            return new ChangeSetResult.Done(set);
        }
        var refusal =
                transactions.refusal(ChangeSetAction.RESCHEDULE, set).or(() -> approvals.refusalToMove(access, set));
        if (refusal.isPresent()) {
            return new ChangeSetResult.NotAllowed(set.asOf(clock.instant()), refusal.get());
        }
        if (!effectiveDate.startsSomewhereAt().isAfter(clock.instant()) && hasCome(set, effectiveDate)) {
            throw new InvalidInput("INVALID_EFFECTIVE_DATE", "effectiveDate", "must be to come in every store");
        }
        return tasks.start(access, set, ChangeSetCommand.reschedule(set, effectiveDate))
                .<ChangeSetResult>map(ChangeSetResult.Done::new)
                .orElseGet(() -> answer(sets.now(id), now -> isMoved(now, set.run() + 2, effectiveDate)));
    }

    /** True for a set that waits for that time, or is being moved there. */
    private boolean isToCome(ChangeSet set, EffectiveDate date) {
        return (date.equals(set.effectiveDate()) && set.allowed(clock.instant()).contains(ChangeSetAction.RESCHEDULE))
                || tasks.isDoing(set, ChangeSetCommand.Action.RESCHEDULE, date);
    }

    /** True where that time has come already in a store of the set. */
    private boolean hasCome(ChangeSet set, EffectiveDate date) {
        try (var written = accessible.written(set)) {
            return written.anyMatch(store ->
                    !date.startsAt(stores.require(SYSTEM, store).timeZone()).isAfter(clock.instant()));
        }
    }

    private boolean isMoved(ChangeSet now, int run, EffectiveDate to) {
        return (to.equals(now.effectiveDate()) && now.run() == run)
                || tasks.isDoing(now, ChangeSetCommand.Action.RESCHEDULE, to);
    }

    /** The set that a task of type {@link #TYPE} is about. */
    public static Optional<ChangeSetId> changeSetOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> members && members.get("changeSet") instanceof String id
                ? Optional.of(new ChangeSetId(id))
                : Optional.empty();
    }

    /**
     * One set, strongly consistent: one read unit. Empty where it is not to be seen.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<ChangeSet> find(Access access, ChangeSetId id) {
        return accessible.find(access, id).map(set -> set.asOf(clock.instant()));
    }

    /** Those of many, all different, that {@link #find} finds, read together. */
    public List<ChangeSet> findAll(Access access, List<ChangeSetId> ids) {
        var now = clock.instant();
        return accessible.findAll(access, ids).stream()
                .map(set -> set.asOf(now))
                .toList();
    }

    /**
     * Stops who may not do that with a set that they see, as far as one can tell without a read. Whether the set allows it is
     * another question.
     *
     * @throws io.menuboard.access.Denied without the permission for a store that the set is known to touch
     */
    public void require(Access access, ChangeSetAction action, ChangeSet set) {
        AccessibleSets.require(access, action, set);
    }

    /** Actions that the set allows now, and that are permitted for all stores that it is known to touch. */
    public Set<ChangeSetAction> allowed(Access access, ChangeSet set) {
        return set.allowed(clock.instant()).stream()
                .filter(action -> AccessibleSets.mayBePermitted(access, action, set))
                .filter(action -> approvals.allows(access, action, set))
                .collect(toUnmodifiableSet());
    }

    /**
     * Selection of change sets.
     *
     * @param statuses any of these, as people see them; empty for all
     * @param createdBy id or name of who drafted it; null for everybody
     * @param name part of the name, whatever its case; null for all
     * @param from only those drafted then or later; null for all
     * @param until only those drafted earlier; null for all
     */
    public record Filter(
            Set<ChangeSetStatus> statuses,
            @Nullable String createdBy,
            @Nullable String name,
            @Nullable Instant from,
            @Nullable Instant until) {

        private static final Filter NONE = new Filter(Set.of(), null, null, null, null);

        /** Throws {@link InvalidInput} {@code INVALID_FILTER} on {@code createdFrom} where that is not before the end. */
        public Filter {
            statuses = Set.copyOf(statuses);
            if (from != null && until != null && !from.isBefore(until)) {
                throw new InvalidInput("INVALID_FILTER", "createdFrom", "must be before createdUntil");
            }
        }

        private boolean matches(ChangeSet set) {
            return (statuses.isEmpty() || statuses.contains(set.status()))
                    && (createdBy == null
                            || createdBy.equals(set.actor().id())
                            || createdBy.equals(set.actor().name()))
                    && (name == null || lower(set.name()).contains(lower(name)))
                    && (until == null || set.createdAt().isBefore(until));
        }

        private static String lower(String text) {
            return text.toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Those of a filter that are to be seen, newest first. Reads past the others, of the time that the filter names: half a
     * read unit per 4 KB, about eight sets, and a request per megabyte.
     */
    public Page<ChangeSet> list(Access access, Filter filter, PageRequest page) {
        access.require(Permission.PRICES_READ);
        var now = clock.instant();
        return sets.list(
                        filter.from(),
                        filter.until(),
                        set -> AccessibleSets.isVisible(access, set) && filter.matches(set.asOf(now)),
                        page)
                .map(set -> set.asOf(now));
    }

    /** Those that are to be seen, newest first; half a read unit per 4 KB, also for those that it reads past. */
    public Page<ChangeSet> list(Access access, PageRequest page) {
        if (!access.isForAll(Permission.PRICES_READ)) {
            return list(access, Filter.NONE, page);
        }
        var now = clock.instant();
        return sets.list(page).map(set -> set.asOf(now));
    }
}
