package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.toSet;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.rules.ChangeRule;
import java.time.Clock;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the lines of change sets, and of the rules that they come from: none of a set that is not to be seen, as of one that
 * there is not. Thread-safe.
 */
public final class ChangeSetLines {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    private static final int RULES_READ = 2;

    private final AccessibleSets accessible;
    private final DynamoChangeLines lines;
    private final Stores stores;
    private final Clock clock;

    ChangeSetLines(AccessibleSets accessible, Stores stores, Clock clock) {
        this.accessible = accessible;
        this.lines = accessible.lines();
        this.stores = stores;
        this.clock = clock;
    }

    /**
     * Lines of a set, by finding, those that need attention first, and then by number; none before it is previewed. Half
     * a read unit for each shard and 4 KB, half of one for each {@value DynamoChunkTransactions#LINES_AT_ONCE} lines, and two.
     *
     * @param finding only those; null for all
     */
    public Page<ChangeLine> lines(Access access, ChangeSetId id, @Nullable Finding finding, PageRequest page) {
        return accessible
                .find(access, id)
                .map(set -> pages(List.of(set), finding, page).getFirst())
                .orElseGet(Page::empty);
    }

    /**
     * The same for many sets as they were read, in order: a request for each shard of each, all of them for what became of
     * the lines together, and one for each set of which others have overtaken lines.
     */
    public List<Page<ChangeLine>> lines(
            Access access, List<ChangeSet> all, @Nullable Finding finding, PageRequest page) {
        access.require(Permission.PRICES_READ);
        var seen = all.stream()
                .filter(set -> AccessibleSets.isVisible(access, set))
                .toList();
        var found = pages(seen, finding, page).iterator();
        return all.stream()
                .map(set -> AccessibleSets.isVisible(access, set) ? found.next() : Page.<ChangeLine>empty())
                .toList();
    }

    private List<Page<ChangeLine>> pages(List<ChangeSet> all, @Nullable Finding finding, PageRequest page) {
        var found = lines.lines(all, finding, page);
        var known = stores.findAll(
                SYSTEM,
                found.stream()
                        .flatMap(lineList -> lineList.nodes().stream())
                        .map(ChangeLine::store)
                        .collect(toSet()));
        return IntStream.range(0, all.size())
                .mapToObj(i -> {
                    var date = all.get(i).effectiveDate();
                    return found.get(i).<ChangeLine>map(line -> startingIn(line, known.get(line.store()), date));
                })
                .toList();
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
     * First prices that a set loads, or that undoing one removes, which are not listed as lines, as they are consumed. Where the
     * set has some, all of its chunks are read until enough are found: a read unit for each 4 KB, about 400 first prices or 60
     * other lines. Otherwise a unit for the set.
     *
     * @param finding only those; null for all
     */
    public Stream<ChangeLine> firstPrices(Access access, ChangeSetId id, @Nullable Finding finding) {
        return firstPrices(access, id, finding, Integer.MAX_VALUE);
    }

    /**
     * The same, where no more than that number of chunks is read.
     *
     * @param most chunks: of 500 first prices, or of {@value DynamoChunkTransactions#LINES_AT_ONCE} other lines
     */
    public Stream<ChangeLine> firstPrices(Access access, ChangeSetId id, @Nullable Finding finding, int most) {
        var set = accessible.find(access, id).filter(found -> mayHaveFirstPrices(found, finding));
        if (set.isEmpty()) {
            return Stream.empty();
        }
        return lines.chunks(set.get())
                .limit(most)
                .filter(chunk -> chunk.kind().isPacked())
                .flatMap(chunk ->
                        chunk.lines().stream().filter(line -> !line.listedToo()).map(line -> firstPrice(chunk, line)))
                .filter(line -> finding == null || line.finding() == finding);
    }

    /** Only files load first prices, and only what puts another set back removes them. */
    private static boolean mayHaveFirstPrices(ChangeSet set, @Nullable Finding finding) {
        var summary = set.summary();
        return summary != null
                && (set.imported() != null || set.undoes() != null)
                && !summary.unlisted(finding).equals(OptionalInt.of(0));
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
     * Rules of a set, in order: the first {@value #RULES_READ} rules, so that one can tell whether there are more than
     * one. Empty for a set that puts another one back or tries it again, and where there is no set. At most a megabyte,
     * strongly consistent: a read unit per 4 KB, and one where not all sets are to be seen.
     */
    public List<ChangeRule> rules(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_READ);
        if (!access.isForAll(Permission.PRICES_READ)
                && accessible.find(access, id).isEmpty()) {
            return List.of();
        }
        try (var rules = accessible.stored().rules().of(id)) {
            return rules.limit(RULES_READ).toList();
        }
    }
}
