package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet.Draft;
import io.menuboard.pricing.changes.ChangeSet.Unapplied;
import io.menuboard.pricing.changes.ChangeSetData.Origin;
import io.menuboard.pricing.changes.ChangeSetData.Preview;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.ChangeRules;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Use cases that draft change sets and preview them, which changes no price. Thread-safe.
 *
 * <p>For who may draft changes of some stores alone there are no others: rules reach these, and a store that is named, and is not
 * one of them, is found to be none. Who previews decides that, each time.
 *
 * <p>Small sets are previewed while the caller waits, large ones by a task of type {@link ChangeSets#TYPE}.
 */
public final class ChangeSetDrafts {
    private static final Duration KEYS_KEPT = Duration.ofHours(24);
    private static final int HASH_CHARS = 32;

    private final AccessibleSets accessible;
    private final DynamoChangeSets sets;
    private final ChangeSetPreviews previews;
    private final ChangeSetTransactions transactions;
    private final ChangeSetTasks tasks;
    private final IdempotencyKeys keys;
    private final ChangeSetIds ids;
    private final ChangesConfig config;

    ChangeSetDrafts(
            AccessibleSets accessible,
            ChangeSetPreviews previews,
            ChangeSetTransactions transactions,
            ChangeSetTasks tasks,
            IdempotencyKeys keys,
            ChangeSetIds ids) {
        this.accessible = accessible;
        this.sets = accessible.stored();
        this.previews = previews;
        this.transactions = transactions;
        this.tasks = tasks;
        this.keys = keys;
        this.ids = ids;
        this.config = previews.config();
    }

    /**
     * Drafts a set and previews it, once for each idempotency key. Two write units for the set, one for each line, one for
     * each {@value DynamoChunkTransactions#LINES_AT_ONCE} of them of one store and channel, or two, and one per KB of long rules;
     * and reads every price that it is about.
     *
     * <p>What has more than {@code menuboard.pricing.changes.inline} lines is previewed by a task, and so is every set
     * that is not for listed stores alone: that is five write units, and four more for the set.
     *
     * @throws InvalidInput {@code TOO_MANY_LINES} or {@code RULE_TOO_LARGE} on {@code rules}, or
     *     {@code INVALID_EFFECTIVE_DATE} where that time has passed in every time zone
     */
    public ChangeSetResult draft(Access access, DraftChangeSet draft, @Nullable String idempotencyKey) {
        access.require(Permission.PRICES_DRAFT);
        var rules = RuleExpansion.inOrder(draft.rules());
        var set = newDraft(draft.name(), draft.reason(), access.actor(), draft.effectiveDate(), Origin.RULES);
        return create(access, set, rules, idempotencyKey, size(rules), () -> {
            refuseUnusable(draft.effectiveDate(), rules);
            return Optional.empty();
        });
    }

    private Draft newDraft(String name, String reason, Actor actor, @Nullable EffectiveDate date, Origin origin) {
        return Draft.of(new Attribution(ids.next(), actor, reason), name, date, origin);
    }

    private void refuseUnusable(@Nullable EffectiveDate date, List<ChangeRule> rules) {
        if (date != null && !date.startsEverywhereBy().isAfter(ids.now())) {
            throw new InvalidInput(
                    "INVALID_EFFECTIVE_DATE", "effectiveDate", "must not have passed in every time zone");
        }
        // How many stores a search finds, the preview will know.
        if (size(rules.stream().filter(ChangeSetDrafts::isListed).toList()) > config.maxLines()) {
            throw new InvalidInput(
                    "TOO_MANY_LINES", "rules", "must have at most " + config.maxLines() + " lines together");
        }
        if (rules.stream().anyMatch(rule -> ChangeRules.text(rule).length() > DynamoChangeRules.LONGEST_RULE)) {
            throw new InvalidInput(
                    "RULE_TOO_LARGE",
                    "rules",
                    "must have at most " + DynamoChangeRules.LONGEST_RULE + " characters of ids each");
        }
    }

    /**
     * Drafts the set that puts back what another one changed, and previews it: each price as it was before, at once, and
     * without what was loaded as a store's first prices. Prices that have changed since are left out, and listed as
     * {@link Finding#INVALID}. Where the clock of a store has gone back since, so that a price is to come there, it is not drafted
     * before that is in effect, or cancelled. Reads the history of every line that had waited for its time: one request and read unit
     * each. Cost otherwise as of {@link #draft}.
     */
    public ChangeSetResult draftUndo(Access access, ChangeSetId id, String reason, @Nullable String idempotencyKey) {
        var found = accessible.find(access, Permission.PRICES_DRAFT, id);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        DraftChangeSet.checkReason(reason);
        var undone = found.get();
        var undo = newDraft(named("Undo of ", undone), reason, access.actor(), null, new Origin(id, null, null));
        return create(access, undo, List.of(), idempotencyKey, written(undone), () -> transactions
                .refusal(ChangeSetAction.UNDO, undone)
                .map(rule -> new ChangeSetResult.NotAllowed(undone, rule)));
    }

    /**
     * Drafts a set of the lines of another one that failed, each with the price that it was to have, and previews it: at
     * the same time where that set waits for its time, otherwise at once. Lines of a file keep their own dates that are to
     * come; where one has begun, a price that has changed since stays as it is. What was written is not in it,
     * so nothing is applied twice. Cost otherwise as of {@link #draft}.
     */
    public ChangeSetResult draftRetry(Access access, ChangeSetId id, @Nullable String idempotencyKey) {
        var found = accessible.find(access, Permission.PRICES_DRAFT, id);
        if (found.isEmpty()) {
            return new ChangeSetResult.NotFound(id);
        }
        var retried = found.get();
        var waits = retried.asOf(ids.now()).status() == ChangeSetStatus.SCHEDULED;
        var retry = newDraft(
                named("Retry of ", retried),
                retried.reason(),
                access.actor(),
                waits ? retried.effectiveDate() : null,
                new Origin(null, id, null));
        return create(access, retry, List.of(), idempotencyKey, written(retried), () -> retried.refusal(
                        ChangeSetAction.RETRY, ids.now())
                .map(rule -> new ChangeSetResult.NotAllowed(retried, rule)));
    }

    private static String named(String prefix, ChangeSet set) {
        return Texts.cut(prefix + set.name(), DraftChangeSet.MAX_NAME);
    }

    private static long written(ChangeSet set) {
        var summary = set.summary();
        return summary == null ? 0 : summary.written();
    }

    /**
     * @param refusal the reason why there is to be no such set; throws where that is about what was asked for. A request that
     *     is repeated is not asked again
     */
    private ChangeSetResult create(
            Access access,
            Draft set,
            List<ChangeRule> rules,
            @Nullable String key,
            long size,
            Supplier<Optional<? extends ChangeSetResult>> refusal) {
        if (key != null) {
            Ids.check("idempotencyKey", key);
        }
        var owner = access.principal().id();
        var body = body(set, rules);
        if (key == null
                || keys.find(owner, key, before -> before.body().equals(body)).isEmpty()) {
            var refused = refusal.get();
            if (refused.isPresent()) {
                return refused.get();
            }
        }
        if (key == null) {
            return create(access, set, rules, size);
        }
        var claim = keys.claim(owner, key, set.id().value(), body, ids.now().plus(KEYS_KEPT));
        var id = new ChangeSetId(claim.target());
        if (!claim.body().equals(body)) {
            return new ChangeSetResult.KeyReused(id, key);
        }
        var stored = claim.claimed() ? Optional.<ChangeSet>empty() : sets.find(id, Consistency.STRONG);
        // New, or who claimed the key died before it made the set.
        return stored.isPresent() && stored.get().run() > 0
                ? new ChangeSetResult.Done(stored.get().asOf(ids.now()))
                : create(access, set.withId(id), rules, size);
    }

    private ChangeSetResult create(Access access, Draft set, List<ChangeRule> rules, long size) {
        if (size > config.inline()) {
            var isNew = sets.create(set, rules);
            var begun = previewLater(access, sets.now(set.id()));
            return begun instanceof ChangeSetResult.Done(var now, var _) ? new ChangeSetResult.Done(now, isNew) : begun;
        }
        var preview = previewNow(set, () -> previews.previewRules(access, set, rules, size, _ -> {}));
        var previewed = set.previewed(1, preview).to();
        return sets.create(previewed, rules)
                ? new ChangeSetResult.Done(previewed, true)
                : new ChangeSetResult.Done(sets.now(set.id()));
    }

    private static Preview previewNow(ChangeSet set, Callable<Preview> preview) {
        try {
            return preview.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a set was previewed: " + set.id(), e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("set could not be previewed: " + set.id(), e);
        }
    }

    /** The draft of a file whose rows are yet to be read; it is hidden until it is {@link DynamoImportedDraft#finish}ed. */
    public DynamoImportedDraft importing(
            Access access, String name, String reason, @Nullable EffectiveDate date, ImportId by) {
        access.require(Permission.PRICES_DRAFT);
        var set = newDraft(name, reason, access.actor(), date, new Origin(null, null, by));
        return new DynamoImportedDraft(set, previews.begin(access, set, Long.MAX_VALUE), sets);
    }

    /** Tells whether a set that was to be imported is {@linkplain DynamoImportedDraft#finish finished}. One read unit. */
    public boolean isDrafted(Access access, ChangeSetId id) {
        return accessible.find(access, id).isPresent();
    }

    /**
     * Previews a draft again, whose prices have changed since: of those of its stores that the access is for then, and that who
     * drafted it may read. By a task or not as of {@link #draft}.
     */
    public ChangeSetResult preview(Access access, ChangeSetId id) {
        return Contention.retry("change set " + id, () -> {
            var found = accessible.findToDraft(access, id);
            if (found.isEmpty()) {
                return Optional.of(new ChangeSetResult.NotFound(id));
            }
            return found.get() instanceof Unapplied set
                    ? attemptToPreview(access, set)
                    : Optional.of(notAllowed(found.get(), ChangeSetAction.PREVIEW));
        });
    }

    /** Empty where somebody else has done something with the set meanwhile. */
    private Optional<ChangeSetResult> attemptToPreview(Access access, Unapplied set) {
        var summary = set.summary();
        var size = summary == null ? Long.MAX_VALUE : size(set, summary);
        if (size > config.inline()) {
            return Optional.of(previewLater(access, set));
        }
        var preview = previewNow(set, () -> previews.preview(accessible.toPreview(access, set), set, size, _ -> {}));
        return sets.save(set.previewed(set.run() + 1, preview)).map(ChangeSetResult.Done::new);
    }

    /** How many lines another preview finds: what rules search for may be more than the last one found. */
    private long size(Unapplied set, ChangeSetSummary last) {
        if (!set.data().origin().equals(Origin.RULES)) {
            return last.lines();
        }
        try (var rules = sets.rules().of(set.id())) {
            return size(rules.toList());
        }
    }

    private ChangeSetResult notAllowed(ChangeSet set, ChangeSetAction action) {
        return new ChangeSetResult.NotAllowed(
                set, set.refusal(action, ids.now()).orElseThrow());
    }

    private ChangeSetResult previewLater(Access access, ChangeSet set) {
        var begun = tasks.startLater(access, set, ChangeSetCommand.preview(set));
        var now = begun.orElseGet(() -> sets.now(set.id()));
        return now instanceof Unapplied ? new ChangeSetResult.Done(now) : notAllowed(now, ChangeSetAction.PREVIEW);
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
}
