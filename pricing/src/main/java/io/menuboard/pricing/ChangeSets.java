package io.menuboard.pricing;

import io.menuboard.querydb.Actor;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.IdempotencyKeys;
import io.menuboard.querydb.Ids;
import io.menuboard.querydb.InvalidInput;
import io.menuboard.querydb.Page;
import io.menuboard.querydb.PageRequest;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TaskWorkers;
import io.menuboard.tasks.Tasks;
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

    private static final Duration KEYS_KEPT = Duration.ofHours(24);
    private static final int HASH_CHARS = 32;

    /** Of all that the world has, so that what is to come there is to come everywhere. */
    private static final ZoneId EARLIEST_CLOCK = ZoneOffset.ofHours(14);

    /** What has passed there has passed everywhere. */
    private static final ZoneId LATEST_CLOCK = ZoneOffset.ofHours(-12);

    private final DynamoChangeSets sets;
    private final ChangeSetRuns runs;
    private final IdempotencyKeys keys;
    private final Tasks tasks;
    private final TaskWorkers workers;
    private final Clock clock;
    private final RandomGenerator random;
    private final ChangesConfig config;

    ChangeSets(
            DynamoChangeSets sets,
            ChangeSetRuns runs,
            IdempotencyKeys keys,
            Tasks tasks,
            TaskWorkers workers,
            Clock clock,
            RandomGenerator random,
            ChangesConfig config) {
        this.sets = sets;
        this.runs = runs;
        this.keys = keys;
        this.tasks = tasks;
        this.workers = workers;
        this.clock = clock;
        this.random = random;
        this.config = config;
    }

    /**
     * Drafts a set and previews it, once for each idempotency key. Eleven write units, one per KB of rules, one for each
     * line, and up to two for each {@value DynamoPriceChanges#LINES_AT_ONCE} of them of one store and channel; and reads
     * every price that it is about.
     *
     * <p>What has more than {@code menuboard.pricing.changes.inline} lines is previewed by a task, and so is every set
     * that is not for listed stores alone.
     *
     * @throws InvalidInput {@code TOO_MANY_LINES} or {@code RULE_TOO_LARGE} on {@code rules}, or
     *     {@code INVALID_EFFECTIVE_DATE} where that time has passed in every time zone
     */
    public ChangeSetResult draft(DraftChangeSet draft, @Nullable String idempotencyKey, Actor actor) {
        var rules = ChangePreview.inOrder(draft.rules());
        var set = ChangeSet.draft(
                ChangeSetId.random(clock.instant(), random),
                draft.name(),
                draft.reason(),
                actor,
                draft.effectiveDate(),
                null,
                null);
        return create(set, rules, idempotencyKey, size(rules), () -> {
            refuseUnusable(draft.effectiveDate(), rules);
            return null;
        });
    }

    private void refuseUnusable(@Nullable EffectiveDate date, List<ChangeRule> rules) {
        if (date != null && !date.startsAt(LATEST_CLOCK).isAfter(clock.instant())) {
            throw new InvalidInput(
                    "INVALID_EFFECTIVE_DATE", "effectiveDate", "effectiveDate must not have passed in every time zone");
        }
        // How many stores a search finds, the preview will know.
        if (size(rules.stream().filter(ChangeSets::isListed).toList()) > config.maxLines()) {
            throw new InvalidInput(
                    "TOO_MANY_LINES", "rules", "rules must have at most " + config.maxLines() + " lines together");
        }
        if (rules.stream().anyMatch(rule -> ChangeRules.text(rule).length() > DynamoChangeSets.LONGEST_RULE)) {
            throw new InvalidInput(
                    "RULE_TOO_LARGE",
                    "rules",
                    "rules must have at most " + DynamoChangeSets.LONGEST_RULE + " characters of ids each");
        }
    }

    /**
     * Drafts the set that puts back what another one changed, and previews it: each price as it was before, at once.
     * Prices that have changed since are left out, and listed as {@link Finding#INVALID}. Reads the history of every line
     * that had waited for its time: one request and read unit each. Cost otherwise as of {@link #draft}.
     */
    public ChangeSetResult draftUndo(ChangeSetId id, String reason, @Nullable String idempotencyKey, Actor actor) {
        var found = sets.find(id, Consistency.STRONG);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        DraftChangeSet.checkReason(reason);
        var undone = found.get().set();
        var undo = ChangeSet.draft(
                ChangeSetId.random(clock.instant(), random), named("Undo of ", undone), reason, actor, null, id, null);
        return create(undo, List.of(), idempotencyKey, lines(undone), () -> {
            var status = runs.statusNow(undone);
            return status == ChangeSetStatus.APPLIED || status == ChangeSetStatus.PARTLY_APPLIED
                    ? null
                    : new ChangeSetResult.NotAllowed(undone, "changeSet must be applied, but it is " + status);
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
        var retry = ChangeSet.draft(
                ChangeSetId.random(clock.instant(), random),
                named("Retry of ", retried),
                retried.reason(),
                actor,
                status == ChangeSetStatus.SCHEDULED ? retried.effectiveDate() : null,
                null,
                id);
        return create(
                retry,
                List.of(),
                idempotencyKey,
                lines(retried),
                () -> retried.failed() > 0
                                && (status == ChangeSetStatus.SCHEDULED
                                        || status == ChangeSetStatus.PARTLY_APPLIED
                                        || status == ChangeSetStatus.FAILED)
                        ? null
                        : new ChangeSetResult.NotAllowed(
                                retried,
                                "changeSet must have lines that failed, but it is " + status + " with "
                                        + retried.failed()));
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
        var id = set.id();
        if (key != null) {
            var body = body(set, rules);
            var owner = keys.claim(key, id.value(), body, clock.instant().plus(KEYS_KEPT));
            id = new ChangeSetId(owner.target());
            if (!owner.body().equals(body)) {
                return new ChangeSetResult.KeyReused(id, key);
            }
        }
        var stored = sets.find(id, Consistency.STRONG);
        if (stored.isEmpty()) {
            // New, or who claimed the key died before it made the set.
            sets.create(set.withId(id), rules);
        } else if (stored.get().run() > 0) {
            return new ChangeSetResult.Done(stored.get().set());
        }
        return run(id, ChangeSetRuns.Action.PREVIEW, 1, Map.of(), size, set.actor());
    }

    /** Previews a draft again, whose prices have changed since. */
    public ChangeSetResult preview(ChangeSetId id, Actor actor) {
        return change(
                id,
                ChangeSetRuns.Action.PREVIEW,
                Map.of(),
                actor,
                stored -> stored.set().status() == ChangeSetStatus.DRAFT
                        ? null
                        : new ChangeSetResult.NotAllowed(
                                stored.set(), "changeSet must be a draft, but it is " + runs.statusNow(stored.set())));
    }

    /**
     * Applies the preview with that token. Changes at once cost eight write units a line, those to come five, and seven
     * more when their time has come; seven for each {@value DynamoPriceChanges#LINES_AT_ONCE} of them of one store and
     * channel, and six more then; and eleven.
     *
     * @param suspicious whether suspicious lines are meant
     */
    public ChangeSetResult apply(ChangeSetId id, String token, boolean suspicious, Actor actor) {
        return change(id, ChangeSetRuns.Action.APPLY, Map.of("token", token), actor, stored -> {
            var set = stored.set();
            if (set.status() != ChangeSetStatus.DRAFT) {
                // Said before, and the answer was lost.
                return token.equals(set.token())
                        ? new ChangeSetResult.Done(set)
                        : new ChangeSetResult.NotAllowed(
                                set, "changeSet must be a draft, but it is " + runs.statusNow(set));
            }
            if (!token.equals(set.token())) {
                return new ChangeSetResult.Stale(set);
            }
            var summary = Objects.requireNonNull(set.summary());
            if (summary.written() == 0) {
                return new ChangeSetResult.NotAllowed(set, "changeSet must have a line that changes a price");
            }
            return summary.suspicious() > 0 && !suspicious ? new ChangeSetResult.Suspicious(set) : null;
        });
    }

    /**
     * Takes a set back before its time, for what it cost to write. A draft is only marked. One whose task has been
     * cancelled, or has failed for good, is taken back as far as it came; what is in effect by then stays, and can be
     * undone.
     */
    public ChangeSetResult cancel(ChangeSetId id, Actor actor) {
        return change(
                id,
                ChangeSetRuns.Action.CANCEL,
                Map.of(),
                actor,
                stored -> isGivenUp(stored.set()) ? null : beforeItsTime(stored));
    }

    /** Whether what was being done with the set has come to an end that nobody goes on from. */
    private boolean isGivenUp(ChangeSet set) {
        return set.status() == ChangeSetStatus.APPLYING
                && set.task() != null
                && tasks.find(set.task())
                        .map(task -> task.status() == TaskStatus.CANCELLED || task.status() == TaskStatus.DEAD)
                        .orElse(true);
    }

    /**
     * Lets a set that waits for its time take effect at another one. Cost of {@link #cancel} and of writing it again, and
     * of reading its chunks once more where that time has come somewhere on earth.
     *
     * @param effectiveDate on each store's own clock
     * @throws InvalidInput {@code INVALID_EFFECTIVE_DATE} where that time is not to come in every store of the set
     */
    public ChangeSetResult reschedule(ChangeSetId id, EffectiveDate effectiveDate, Actor actor) {
        return change(
                id,
                ChangeSetRuns.Action.RESCHEDULE,
                Map.of("effectiveDate", effectiveDate.toString()),
                actor,
                stored -> stored.set().status() == ChangeSetStatus.DRAFT
                        ? new ChangeSetResult.NotAllowed(
                                stored.set(), "changeSet must be scheduled; draft another one with the other time")
                        : beforeItsTime(stored, effectiveDate));
    }

    private @Nullable ChangeSetResult beforeItsTime(DynamoChangeSets.Stored stored, EffectiveDate effectiveDate) {
        var refused = beforeItsTime(stored);
        if (refused == null
                && !effectiveDate.startsAt(EARLIEST_CLOCK).isAfter(clock.instant())
                && runs.hasCome(stored, effectiveDate)) {
            throw new InvalidInput(
                    "INVALID_EFFECTIVE_DATE", "effectiveDate", "effectiveDate must be to come in every store");
        }
        return refused;
    }

    private @Nullable ChangeSetResult beforeItsTime(DynamoChangeSets.Stored stored) {
        var set = stored.set();
        var status = runs.statusNow(set);
        return status == ChangeSetStatus.SCHEDULED || status == ChangeSetStatus.DRAFT
                ? null
                : new ChangeSetResult.NotAllowed(
                        set,
                        status == ChangeSetStatus.APPLYING
                                ? "changeSet must not be in progress; try again when it is done, or cancel its task before"
                                : "changeSet must wait for its time, but it is " + status);
    }

    private ChangeSetResult change(
            ChangeSetId id,
            ChangeSetRuns.Action action,
            Map<String, String> arguments,
            Actor actor,
            Function<DynamoChangeSets.Stored, @Nullable ChangeSetResult> refusal) {
        var stored = sets.find(id, Consistency.STRONG);
        if (stored.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var refused = refusal.apply(stored.get());
        if (refused != null) {
            return refused;
        }
        var summary = stored.get().set().summary();
        return run(id, action, stored.get().run() + 1, arguments, summary == null ? 0 : summary.lines(), actor);
    }

    private ChangeSetResult run(
            ChangeSetId id,
            ChangeSetRuns.Action action,
            int run,
            Map<String, String> arguments,
            long size,
            Actor actor) {
        var payload = new HashMap<>(arguments);
        payload.put("changeSet", id.value());
        payload.put("action", action.name());
        payload.put("run", Integer.toString(run));
        var command = SubmitTask.of(TYPE, Json.of(payload));
        if (size > config.inline()) {
            tasks.submit(command.idempotencyKey("changeSet-" + id + "-" + run + "-" + action), actor);
            return new ChangeSetResult.Done(
                    sets.find(id, Consistency.STRONG).orElseThrow().set());
        }
        workers.perform(command, actor, runs::run);
        var now = sets.find(id, Consistency.STRONG).orElseThrow().set();
        if (now.status() == ChangeSetStatus.SCHEDULED && now.problem() != null) {
            return new ChangeSetResult.NotAllowed(now, now.problem());
        }
        return action == ChangeSetRuns.Action.APPLY && now.status() == ChangeSetStatus.DRAFT && now.token() == null
                ? new ChangeSetResult.Stale(now)
                : new ChangeSetResult.Done(now);
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

    /** One set, strongly consistent: one read unit. */
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
        var preview = stored.map(DynamoChangeSets.Stored::preview);
        return preview.isEmpty()
                ? Page.empty()
                : sets.lines(id, preview.get(), finding, stored.get().set().appliedAt() != null, page);
    }
}
