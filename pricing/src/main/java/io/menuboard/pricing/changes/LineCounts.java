package io.menuboard.pricing.changes;

import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.approvals.ApprovalFacts;
import io.menuboard.pricing.approvals.ApprovalPolicy;
import io.menuboard.pricing.changes.ChangePreview.CheckedLine;
import io.menuboard.pricing.chunks.ChangeChunk;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds up what a preview finds. Memory grows with the stores that change, not with the lines. Thread-safe. */
final class LineCounts {
    /** Different amounts are counted up to so many. */
    private static final int COUNTED = 1_000;

    private final Map<Finding, Integer> found = new EnumMap<>(Finding.class);
    private final Set<StoreId> touched = new HashSet<>();
    private final Set<StoreId> changing = new HashSet<>();
    private final Set<ZoneId> zones = new HashSet<>();
    private final Set<String> replaced = new HashSet<>();
    private final Set<String> replacing = new HashSet<>();
    private final ApprovalPolicy policy;
    private final int most;
    private ApprovalFacts facts = ApprovalFacts.NONE;
    private @Nullable Instant first;
    private @Nullable Instant last;
    private int unlisted;

    /** @param most lines that the set may have */
    LineCounts(ApprovalPolicy policy, int most) {
        this.policy = policy;
        this.most = most;
    }

    /**
     * Refuses more lines than a set may have.
     *
     * @throws InvalidInput {@code TOO_MANY_LINES}
     */
    void check(int lines) {
        if (lines > most) {
            throw new InvalidInput("TOO_MANY_LINES", "rules", "must have at most " + most + " lines together");
        }
    }

    /** @param store null where there is no such store */
    synchronized void add(CheckedLine checked, @Nullable Store store) {
        var line = checked.line();
        found.merge(line.finding(), 1, Integer::sum);
        if (store == null) {
            return;
        }
        if (touched.size() <= Scope.Stores.MAX_STORES) {
            touched.add(store.id());
        }
        if (!line.finding().isWritten()) {
            return;
        }
        if (!checked.isListed()) {
            unlisted++;
        }
        changing.add(store.id());
        zones.add(store.timeZone());
        var general = checked.general();
        facts = facts.and(
                line.before() == null ? general : line.before(),
                line.after() == null ? general : line.after(),
                policy.names(line.subject()));
        count(replaced, line.before());
        count(replacing, line.after());
        var startsAt = line.startsAt();
        if (checked.kind() == ChangeChunk.Kind.SCHEDULED && startsAt != null) {
            first = first == null || startsAt.isBefore(first) ? startsAt : first;
            last = last == null || startsAt.isAfter(last) ? startsAt : last;
        }
    }

    private static void count(Set<String> amounts, @Nullable Money money) {
        if (amounts.size() < COUNTED) {
            amounts.add(money == null ? "" : money.text());
        }
    }

    synchronized ChangeSetSummary summary() {
        return new ChangeSetSummary(
                found,
                changing.size(),
                replaced.size(),
                replacing.size(),
                first,
                last,
                zones.size(),
                touched.size() > Scope.Stores.MAX_STORES ? Set.of() : touched,
                facts,
                unlisted);
    }
}
