package io.menuboard.pricing.changes;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetRuns.Action;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TaskWorkers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of change sets: prices changed together, previewed before and put back after. Thread-safe.
 *
 * <p>A set is drafted, which previews it and changes nothing; then applied, which writes its lines: in effect at once, or
 * as versions that every read finds at their instant, whoever is late. Small sets are done while the caller waits, large
 * ones by a task of type {@link #TYPE}.
 *
 * <p>Of two sets that want the same price from the same instant on, the one that was drafted later has it, in whatever
 * order they are applied.
 */
public final class ChangeSets {
    /** The type of tasks that preview, apply, move or take back change sets; their payload has the set's id. */
    public static final TaskType TYPE = new TaskType(TaskType.OPERATION_PREFIX + "prices");

    private static final int LOOKED_AT = 200;
    private static final Duration KEYS_KEPT = Duration.ofHours(24);
    private static final int HASH_CHARS = 32;
    private static final int RULES_READ = 2;

    /** Of all that the world has, so that what is to come there is to come everywhere. */
    private static final ZoneId EARLIEST_CLOCK = ZoneOffset.ofHours(14);

    /** What has passed there has passed everywhere. */
    private static final ZoneId LATEST_CLOCK = ZoneOffset.ofHours(-12);

    private static final int RACES = 20;

    private final DynamoChangeSets sets;
    private final ChangeSetRuns runs;
    private final ChangeSetTransactions transactions;
    private final Stores stores;
    private final IdempotencyKeys keys;
    private final TaskSubmission submission;
    private final TaskReads tasks;
    private final TaskWorkers workers;
    private final Clock clock;
    private final RandomGenerator random;
    private final ChangesConfig config;

    ChangeSets(
            DynamoChangeSets sets,
            ChangeSetRuns runs,
            ChangeSetTransactions transactions,
            Stores stores,
            IdempotencyKeys keys,
            TaskSubmission submission,
            TaskReads tasks,
            TaskWorkers workers,
            Clock clock,
            RandomGenerator random,
            ChangesConfig config) {
        this.sets = sets;
        this.runs = runs;
        this.transactions = transactions;
        this.stores = stores;
        this.keys = keys;
        this.submission = submission;
        this.tasks = tasks;
        this.workers = workers;
        this.clock = clock;
        this.random = random;
        this.config = config;
    }

    // ---- drafts

    /**
     * Drafts a set and previews it, once for each idempotency key. Two write units for the set, one for each line, one for
     * each {@value DynamoPriceChanges#LINES_AT_ONCE} of them of one store and channel, or two, and one per KB of long rules;
     * and reads every price that it is about.
     *
     * <p>What has more than {@code menuboard.pricing.changes.inline} lines is previewed by a task, and so is every set
     * that is not for listed stores alone: that is five write units, and four more for the set.
     *
     * @throws InvalidInput {@code TOO_MANY_LINES} or {@code RULE_TOO_LARGE} on {@code rules}, or
     *     {@code INVALID_EFFECTIVE_DATE} where that time has passed in every time zone
     */
    public ChangeSetResult draft(DraftChangeSet draft, @Nullable String idempotencyKey, Actor actor) {
        var rules = ChangePreview.inOrder(draft.rules());
        var set = newDraft(draft.name(), draft.reason(), actor, draft.effectiveDate(), ChangeSet.Origin.RULES);
        return create(set, rules, idempotencyKey, size(rules), () -> {
            refuseUnusable(draft.effectiveDate(), rules);
            return null;
        });
    }

    private ChangeSet newDraft(
            String name, String reason, Actor actor, @Nullable EffectiveDate date, ChangeSet.Origin origin) {
        return ChangeSet.draft(ChangeSetId.random(clock.instant(), random), name, reason, actor, date, origin);
    }

    private void refuseUnusable(@Nullable EffectiveDate date, List<ChangeRule> rules) {
        if (date != null && !date.startsAt(LATEST_CLOCK).isAfter(clock.instant())) {
            throw new InvalidInput(
                    "INVALID_EFFECTIVE_DATE", "effectiveDate", "must not have passed in every time zone");
        }
        // How many stores a search finds, the preview will know.
        if (size(rules.stream().filter(ChangeSets::isListed).toList()) > config.maxLines()) {
            throw new InvalidInput(
                    "TOO_MANY_LINES", "rules", "must have at most " + config.maxLines() + " lines together");
        }
        if (rules.stream().anyMatch(rule -> ChangeRules.text(rule).length() > DynamoChangeSets.LONGEST_RULE)) {
            throw new InvalidInput(
                    "RULE_TOO_LARGE",
                    "rules",
                    "must have at most " + DynamoChangeSets.LONGEST_RULE + " characters of ids each");
        }
    }

    /**
     * Drafts the set that puts back what another one changed, and previews it: each price as it was before, at once, and
     * without what was loaded as a store's first prices. Prices that have changed since are left out, and listed as
     * {@link Finding#INVALID}. Reads the history of every line that had waited for its time: one request and read unit
     * each. Cost otherwise as of {@link #draft}.
     */
    public ChangeSetResult draftUndo(ChangeSetId id, String reason, @Nullable String idempotencyKey, Actor actor) {
        var found = sets.find(id, Consistency.STRONG);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        DraftChangeSet.checkReason(reason);
        var undone = found.get().set();
        var undo = newDraft(named("Undo of ", undone), reason, actor, null, new ChangeSet.Origin(id, null, null));
        return create(undo, List.of(), idempotencyKey, lines(undone), () -> {
            var status = runs.statusNow(undone);
            return status == ChangeSetStatus.APPLIED || status == ChangeSetStatus.PARTLY_APPLIED
                    ? null
                    : notAllowed(
                            undone,
                            status == ChangeSetStatus.APPLYING && undone.status() == ChangeSetStatus.SCHEDULED
                                    ? "changeSet must not have prices that are to come; cancel those before"
                                    : "changeSet must be applied, but it is " + status);
        });
    }

    /**
     * Drafts a set of the lines of another one that failed, each with the price that it was to have, and previews it: at
     * the same time where that set waits for its time, otherwise at once. What was written is not in it, so nothing is
     * applied twice. Cost otherwise as of {@link #draft}.
     */
    public ChangeSetResult draftRetry(ChangeSetId id, @Nullable String idempotencyKey, Actor actor) {
        var found = sets.find(id, Consistency.STRONG);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var retried = found.get().set();
        var status = runs.statusNow(retried);
        var retry = newDraft(
                named("Retry of ", retried),
                retried.reason(),
                actor,
                status == ChangeSetStatus.SCHEDULED ? retried.effectiveDate() : null,
                new ChangeSet.Origin(null, id, null));
        return create(
                retry,
                List.of(),
                idempotencyKey,
                lines(retried),
                () -> found.get().unwritten() > 0
                                && (status == ChangeSetStatus.SCHEDULED
                                        || status == ChangeSetStatus.PARTLY_APPLIED
                                        || status == ChangeSetStatus.FAILED)
                        ? null
                        : notAllowed(
                                retried,
                                "changeSet must have lines that failed, but it is " + status + " with "
                                        + found.get().unwritten()));
    }

    private static String named(String prefix, ChangeSet set) {
        var name = prefix + set.name();
        return name.length() > DraftChangeSet.MAX_NAME ? name.substring(0, DraftChangeSet.MAX_NAME) : name;
    }

    private static long lines(ChangeSet set) {
        var summary = set.summary();
        return summary == null ? 0 : summary.written();
    }

    /** @param refusal why there is to be no such set; null for none. A request that is repeated is not asked again */
    private ChangeSetResult create(
            ChangeSet set,
            List<ChangeRule> rules,
            @Nullable String key,
            long size,
            Supplier<@Nullable ChangeSetResult> refusal) {
        if (key != null) {
            Ids.check("idempotencyKey", key);
        }
        if (key == null || keys.find(key).isEmpty()) {
            var refused = refusal.get();
            if (refused != null) {
                return refused;
            }
        }
        if (key == null) {
            return create(set, rules, size);
        }
        var body = body(set, rules);
        var owner = keys.claim(key, set.id().value(), body, clock.instant().plus(KEYS_KEPT));
        var id = new ChangeSetId(owner.target());
        if (!owner.body().equals(body)) {
            return new ChangeSetResult.KeyReused(id, key);
        }
        var stored = owner.claimed() ? Optional.<DynamoChangeSets.Stored>empty() : sets.find(id, Consistency.STRONG);
        // New, or who claimed the key died before it made the set.
        return stored.isPresent() && stored.get().run() > 0
                ? new ChangeSetResult.Done(runs.asOfNow(stored.get().set()))
                : create(set.withId(id), rules, size);
    }

    private ChangeSetResult create(ChangeSet set, List<ChangeRule> rules, long size) {
        if (size > config.inline()) {
            sets.create(set, rules, null);
            var created = sets.find(set.id(), Consistency.STRONG).orElseThrow();
            return later(created, Action.PREVIEW, Map.of(), set.actor(), ChangeSets::previewed);
        }
        var lines = runs.lines(set, size);
        var previewed = set.previewed(look(set, rules, lines), lines.preview());
        return new ChangeSetResult.Done(
                sets.create(previewed, rules, lines)
                        ? previewed
                        : sets.find(set.id(), Consistency.STRONG).orElseThrow().set());
    }

    private ChangeSetSummary look(ChangeSet set, List<ChangeRule> rules, DynamoChangeSets.Lines lines) {
        try {
            return runs.look(set, rules, lines, _ -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("told to stop while a set was previewed: " + set.id(), e);
        }
    }

    /** The draft of a file whose rows are yet to be read; nobody sees it before it is {@link ImportedDraft#finish}ed. */
    public ImportedDraft importing(String name, String reason, @Nullable EffectiveDate date, Actor actor, ImportId by) {
        var set = newDraft(name, reason, actor, date, new ChangeSet.Origin(null, null, by));
        var lines = runs.lines(set, Long.MAX_VALUE);
        return new ImportedDraft(set, lines, runs.preview(set, lines), sets);
    }

    /** Previews a draft again, whose prices have changed since. */
    public ChangeSetResult preview(ChangeSetId id, Actor actor) {
        var found = sets.find(id, Consistency.STRONG);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var stored = found.get();
        var set = stored.set();
        if (set.status() != ChangeSetStatus.DRAFT) {
            return notAllowed(set, "changeSet must be a draft, but it is " + runs.statusNow(set));
        }
        if (set.summary() == null || set.summary().lines() > config.inline()) {
            return later(stored, Action.PREVIEW, Map.of(), actor, ChangeSets::previewed);
        }
        List<ChangeRule> rules;
        try (var kept = sets.rules(id)) {
            rules = kept.toList();
        }
        var lines = runs.lines(set, set.summary().lines());
        var summary = look(set, rules, lines);
        return runs.previewed(id, stored.run(), stored.run() + 1, lines, summary)
                .<ChangeSetResult>map(now -> new ChangeSetResult.Done(now.set()))
                .orElseGet(() -> preview(id, actor));
    }

    // ---- applying

    /**
     * Applies the preview with that token. A set of few lines is applied in one transaction: at once for three write units,
     * and for each line eight, and for each store and channel five; to come for three, five for each line, and five for each
     * store and channel, and twelve for one line when its time has come. Larger ones take five more for a task, and six for
     * the set.
     *
     * @param accepted whether lines are meant that {@linkplain Finding#needsAcceptance need acceptance}
     */
    public ChangeSetResult apply(ChangeSetId id, String token, boolean accepted, Actor actor) {
        for (var race = 0; race < RACES; race++) {
            var found = sets.find(id, Consistency.STRONG);
            if (found.isEmpty()) {
                return new ChangeSetResult.NotFound(id);
            }
            var stored = found.get();
            var set = stored.set();
            if (set.status() != ChangeSetStatus.DRAFT || !token.equals(set.token())) {
                return applied(stored, token);
            }
            var summary = Objects.requireNonNull(set.summary());
            if (summary.written() == 0) {
                return notAllowed(set, "changeSet must have a line that changes a price");
            }
            if (summary.needsAcceptance() > 0 && !accepted) {
                return new ChangeSetResult.Suspicious(set);
            }
            switch (transactions.apply(stored)) {
                case ChangeSetTransactions.Ended.Done(var done) -> {
                    return new ChangeSetResult.Done(runs.asOfNow(done.set()));
                }
                case ChangeSetTransactions.Ended.Stale(var stale) -> {
                    return new ChangeSetResult.Stale(stale.set());
                }
                case ChangeSetTransactions.Ended.Loading(var draft, var store) -> {
                    return notAllowed(
                            draft.set(),
                            "changeSet must wait until the first prices of " + store + " are loaded; try again then");
                }
                case ChangeSetTransactions.Ended.TooLarge() -> {
                    return isInline(stored)
                            ? applied(perform(stored, Action.APPLY, Map.of("token", token), actor), token)
                            : later(stored, Action.APPLY, Map.of("token", token), actor, now -> applied(now, token));
                }
                case ChangeSetTransactions.Ended.Overtaken _ -> {
                    // Somebody was quicker: whatever they have done is to be looked at.
                }
            }
        }
        throw new IllegalStateException("change set " + id + " changes faster than it is applied");
    }

    /** What there is to say to somebody who asked for that preview to be applied, of a set that is no draft of it any more. */
    private ChangeSetResult applied(DynamoChangeSets.Stored stored, String token) {
        var set = runs.asOfNow(stored.set());
        return switch (set.status()) {
            case DRAFT -> new ChangeSetResult.Stale(set);
            case APPLYING, SCHEDULED, APPLIED, PARTLY_APPLIED, UNDONE ->
                // Said before, and the answer was lost.
                token.equals(set.token())
                        ? new ChangeSetResult.Done(set)
                        : notAllowed(set, "changeSet must be a draft, but it is " + set.status());
            case FAILED ->
                notAllowed(
                        set,
                        "changeSet must have a line that can be written: their time came before, or others took"
                                + " their place");
            case CANCELLED -> notAllowed(set, "changeSet must be a draft, but it is " + set.status());
        };
    }

    /**
     * Cancels a draft, and nothing but a draft: one that is applied meanwhile stays so. One read unit and two write units.
     *
     * @return {@link ChangeSetResult.NotAllowed} where it is no draft any more; done where it is cancelled already
     */
    public ChangeSetResult discard(ChangeSetId id, Actor actor) {
        return cancel(id, true, actor);
    }

    /**
     * Takes a set back before its time, for what it cost to write, so that what it had taken the place of is there again. A
     * draft is only marked. Where the time has come for some of its lines, the others are taken back, and the set is partly
     * applied. One whose task has been cancelled, or has failed for good, is taken back as far as it came; what is in effect
     * by then stays, and can be undone. A set that is cancelled stays so.
     */
    public ChangeSetResult cancel(ChangeSetId id, Actor actor) {
        return cancel(id, false, actor);
    }

    private ChangeSetResult cancel(ChangeSetId id, boolean onlyDraft, Actor actor) {
        for (var race = 0; race < RACES; race++) {
            var found = sets.find(id, Consistency.STRONG);
            if (found.isEmpty()) {
                return new ChangeSetResult.NotFound(id);
            }
            var stored = found.get();
            var set = stored.set();
            if (set.status() == ChangeSetStatus.CANCELLED) {
                return new ChangeSetResult.Done(set);
            }
            if (set.status() == ChangeSetStatus.DRAFT) {
                var cancelled = runs.cancelDraft(stored);
                if (cancelled.isPresent()) {
                    return new ChangeSetResult.Done(cancelled.get().set());
                }
                continue;
            }
            var refused = onlyDraft
                    ? notAllowed(set, "changeSet must be a draft, but it is " + runs.statusNow(set))
                    : cancelRefused(set);
            if (refused != null) {
                return refused;
            }
            var ended = set.status() == ChangeSetStatus.SCHEDULED
                    ? transactions.cancel(stored)
                    : new ChangeSetTransactions.Ended.TooLarge();
            switch (ended) {
                case ChangeSetTransactions.Ended.Done(var done) -> {
                    return new ChangeSetResult.Done(done.set());
                }
                case ChangeSetTransactions.Ended.TooLarge() -> {
                    return isInline(stored)
                            ? cancelled(perform(stored, Action.CANCEL, Map.of(), actor), stored.run() + 1)
                            : later(stored, Action.CANCEL, Map.of(), actor, now -> cancelled(now, stored.run() + 1));
                }
                case ChangeSetTransactions.Ended.Overtaken _,
                        ChangeSetTransactions.Ended.Stale _,
                        ChangeSetTransactions.Ended.Loading _ -> {
                    // Its time has come, or somebody was quicker: whatever they have done is to be looked at.
                }
            }
        }
        throw new IllegalStateException("change set " + id + " changes faster than it is cancelled");
    }

    private @Nullable ChangeSetResult cancelRefused(ChangeSet set) {
        if (isGivenUp(set)) {
            return null;
        }
        var now = runs.asOfNow(set);
        return set.status() == ChangeSetStatus.SCHEDULED
                        && (now.status() == ChangeSetStatus.SCHEDULED || now.status() == ChangeSetStatus.APPLYING)
                ? null
                : notBeforeItsTime(now);
    }

    private static ChangeSetResult notBeforeItsTime(ChangeSet set) {
        return notAllowed(
                set,
                set.status() == ChangeSetStatus.APPLYING
                        ? "changeSet must not be in progress; try again when it is done, or cancel its task before"
                        : "changeSet must wait for its time, but it is " + set.status());
    }

    private ChangeSetResult cancelled(DynamoChangeSets.Stored now, int run) {
        var set = now.set();
        var isDone = set.status() == ChangeSetStatus.CANCELLED
                || (now.run() == run
                        && (set.status() == ChangeSetStatus.PARTLY_APPLIED || set.status() == ChangeSetStatus.APPLIED));
        return isDone ? new ChangeSetResult.Done(set) : notBeforeItsTime(runs.asOfNow(set));
    }

    /** Whether what was being done with the set has come to an end that nobody goes on from. */
    private boolean isGivenUp(ChangeSet set) {
        return set.status() == ChangeSetStatus.APPLYING && set.task() != null && isOver(set.task());
    }

    private boolean isOver(TaskId task) {
        try {
            return tasks.find(task)
                    .map(found -> found.status() == TaskStatus.CANCELLED || found.status() == TaskStatus.DEAD)
                    .orElse(true);
        } catch (UnreadableItem _) {
            return false; // whoever wrote it is to decide
        }
    }

    /**
     * How many of the newest {@value #LOOKED_AT} sets are in progress without anybody who goes on. About 25 read units, and
     * a strongly consistent read for each set in progress.
     */
    int countStuck() {
        return (int) sets.list(PageRequest.forward(LOOKED_AT, null)).nodes().stream()
                .filter(this::isGivenUp)
                .count();
    }

    /**
     * Lets a set that waits for its time take effect at another one. Cost of {@link #cancel} and of writing it again, and
     * of reading its chunks once more where that time has come somewhere on earth.
     *
     * @param effectiveDate on each store's own clock
     * @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} where that time is not to come in every store of the set
     */
    public ChangeSetResult reschedule(ChangeSetId id, EffectiveDate effectiveDate, Actor actor) {
        var found = sets.find(id, Consistency.STRONG);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var stored = found.get();
        var now = runs.asOfNow(stored.set());
        if (now.status() == ChangeSetStatus.DRAFT) {
            return notAllowed(now, "changeSet must be scheduled; draft another one with the other time");
        }
        if (now.status() != ChangeSetStatus.SCHEDULED) {
            return notBeforeItsTime(now);
        }
        if (now.effectiveDate() == null) {
            return notAllowed(
                    now, "changeSet must have one time, and each of its lines has its own; cancel it instead");
        }
        if (!effectiveDate.startsAt(EARLIEST_CLOCK).isAfter(clock.instant()) && runs.hasCome(stored, effectiveDate)) {
            throw new InvalidInput("INVALID_EFFECTIVE_DATE", "effectiveDate", "must be to come in every store");
        }
        var arguments = Map.of("effectiveDate", effectiveDate.toString());
        return isInline(stored)
                ? moved(perform(stored, Action.RESCHEDULE, arguments, actor), stored.run() + 2, effectiveDate)
                : later(
                        stored,
                        Action.RESCHEDULE,
                        arguments,
                        actor,
                        moved -> moved(moved, stored.run() + 2, effectiveDate));
    }

    private ChangeSetResult moved(DynamoChangeSets.Stored now, int run, EffectiveDate to) {
        var set = runs.asOfNow(now.set());
        return to.equals(set.effectiveDate()) && now.run() == run
                ? new ChangeSetResult.Done(set)
                : notBeforeItsTime(set);
    }

    private static ChangeSetResult notAllowed(ChangeSet set, String rule) {
        return new ChangeSetResult.NotAllowed(set, rule);
    }

    // ---- runs

    private boolean isInline(DynamoChangeSets.Stored stored) {
        return lines(stored.set()) <= config.inline();
    }

    private static SubmitTask task(DynamoChangeSets.Stored stored, Action action, Map<String, String> arguments) {
        var payload = new HashMap<>(arguments);
        payload.put("changeSet", stored.set().id().value());
        payload.put("action", action.name());
        payload.put("run", Integer.toString(stored.run() + 1));
        return SubmitTask.operation(TYPE, Json.of(payload));
    }

    /** Does it here and now, as a task that another instance takes up should this one die; the set as it is then. */
    private DynamoChangeSets.Stored perform(
            DynamoChangeSets.Stored stored, Action action, Map<String, String> arguments, Actor actor) {
        workers.perform(task(stored, action, arguments), actor, runs::run);
        return sets.find(stored.set().id(), Consistency.STRONG).orElseThrow();
    }

    /**
     * Has it done by whoever has time for it, and says at once whether it has been begun.
     *
     * @param otherwise what there is to say of the set as it is then where it was not, or is done by now
     */
    private ChangeSetResult later(
            DynamoChangeSets.Stored stored,
            Action action,
            Map<String, String> arguments,
            Actor actor,
            Function<DynamoChangeSets.Stored, ChangeSetResult> otherwise) {
        var run = stored.run() + 1;
        var id = stored.set().id();
        var submitted = submission.submit(
                task(stored, action, arguments).idempotencyKey("changeSet-" + id + "-" + run + "-" + action), actor);
        var task =
                switch (submitted) {
                    case SubmitResult.Created(var created, var _) -> Optional.of(created.id());
                    case SubmitResult.Replayed(var created, var _) -> Optional.of(created.id());
                    case SubmitResult.Conflict _ -> Optional.<TaskId>empty();
                    case SubmitResult.Invalid(var refusal) -> throw refusal;
                };
        return task.flatMap(by -> runs.begin(stored, run, action, by))
                .<ChangeSetResult>map(begun -> new ChangeSetResult.Done(begun.set()))
                .orElseGet(
                        () -> otherwise.apply(sets.find(id, Consistency.STRONG).orElseThrow()));
    }

    private static ChangeSetResult previewed(DynamoChangeSets.Stored now) {
        return now.set().status() == ChangeSetStatus.DRAFT
                ? new ChangeSetResult.Done(now.set())
                : notAllowed(
                        now.set(),
                        "changeSet must be a draft, but it is " + now.set().status());
    }

    private static boolean isListed(ChangeRule rule) {
        return rule.stores() instanceof StoreSelection.Listed;
    }

    private static long size(List<ChangeRule> rules) {
        return rules.stream()
                .mapToLong(rule -> rule.stores() instanceof StoreSelection.Listed(var ids)
                        ? (long) ids.size()
                                * rule.channels().size()
                                * rule.subjects().size()
                        : Integer.MAX_VALUE)
                .sum();
    }

    private static String body(ChangeSet set, List<ChangeRule> rules) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var head = String.join(
                    "\n",
                    set.name(),
                    set.reason(),
                    // The time of a retry depends on when it is drafted, which is not what was asked for.
                    String.valueOf(set.retries() == null ? set.effectiveDate() : null),
                    String.valueOf(set.undoes()),
                    String.valueOf(set.retries()));
            digest.update(head.getBytes(StandardCharsets.UTF_8));
            rules.forEach(rule -> digest.update(("\n" + ChangeRules.text(rule)).getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_CHARS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    // ---- reading

    /** The set that a task of type {@link #TYPE} is about. */
    public static Optional<ChangeSetId> changeSetOf(Json payload) {
        return payload.tree() instanceof Map<?, ?> members && members.get("changeSet") instanceof String id
                ? Optional.of(new ChangeSetId(id))
                : Optional.empty();
    }

    /**
     * One set, strongly consistent: one read unit.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<ChangeSet> find(ChangeSetId id) {
        return sets.find(id, Consistency.STRONG).map(stored -> runs.asOfNow(stored.set()));
    }

    /** Newest first; half a read unit per 4 KB. */
    public Page<ChangeSet> list(PageRequest page) {
        return sets.list(page).map(runs::asOfNow);
    }

    /**
     * Lines of a set, by finding, those that need attention first, and then by number; none before it is previewed. Half
     * a read unit for each shard and 4 KB, half of one for each {@value DynamoPriceChanges#LINES_AT_ONCE} lines, and two.
     *
     * @param finding only those; null for all
     */
    public Page<ChangeLine> lines(ChangeSetId id, @Nullable Finding finding, PageRequest page) {
        var stored = sets.find(id, Consistency.STRONG);
        if (stored.isEmpty() || stored.get().lines() == null) {
            return Page.empty();
        }
        var found = sets.lines(stored.get().previewed(), finding, page);
        var date = stored.get().set().effectiveDate();
        var known = stores.findAll(
                found.nodes().stream().map(ChangeLine::store).distinct().toList());
        return found.map(line -> startingIn(line, known.get(line.store()), date));
    }

    private ChangeLine startingIn(ChangeLine line, @Nullable Store store, @Nullable EffectiveDate ofSet) {
        var date = line.effectiveDate() == null ? ofSet : line.effectiveDate();
        if (date == null || store == null) {
            return line;
        }
        var startsAt = date.startsAt(store.timeZone());
        var started = line.at(date, startsAt);
        return line.outcome() == ChangeLine.Outcome.SCHEDULED && !startsAt.isAfter(clock.instant())
                ? started.with(ChangeLine.Outcome.APPLIED)
                : started;
    }

    /**
     * First prices that a set loads, or that undoing one removes, which are not listed as lines, as they are consumed: a
     * read unit for each 4 KB, about 400 of them.
     */
    public Stream<ChangeLine> firstPrices(ChangeSetId id) {
        var stored = sets.find(id, Consistency.STRONG);
        if (stored.isEmpty() || stored.get().lines() == null) {
            return Stream.empty();
        }
        return sets.chunks(stored.get().previewed())
                .filter(chunk -> chunk.kind().isPacked())
                .flatMap(chunk -> chunk.lines().stream().map(line -> firstPrice(chunk, line)));
    }

    private static ChangeLine firstPrice(ChangeChunk chunk, ChangeChunk.Line line) {
        var failure = chunk.failures().get(line.number());
        return new ChangeLine(
                line.number(),
                chunk.store(),
                chunk.channel(),
                line.subject(),
                line.before(),
                line.after(),
                line.date(),
                null,
                line.after() == null ? Finding.DELETION : Finding.NEW,
                failure,
                failure != null
                        ? ChangeLine.Outcome.FAILED
                        : switch (chunk.state()) {
                            case NEW -> ChangeLine.Outcome.NONE;
                            case WRITTEN, APPLIED -> ChangeLine.Outcome.APPLIED;
                            case CANCELLED -> ChangeLine.Outcome.CANCELLED;
                        });
    }

    /**
     * What was asked for, in order: the first {@value #RULES_READ} rules, so that one can tell whether there are more than
     * one. Empty for a set that puts another one back or tries it again, and where there is no set. At most a megabyte,
     * strongly consistent: a read unit per 4 KB.
     */
    public List<ChangeRule> rules(ChangeSetId id) {
        try (var rules = sets.rules(id)) {
            return rules.limit(RULES_READ).toList();
        }
    }
}
