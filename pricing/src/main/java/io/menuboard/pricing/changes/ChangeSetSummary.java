package io.menuboard.pricing.changes;

import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.approvals.ApprovalFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Summary of the lines that a preview found.
 *
 * @param found how many lines have each finding; absent for none
 * @param stores stores that have lines which change
 * @param replaced how many different prices the lines that change replace, counted up to 1,000
 * @param replacing how many different prices they become, counted up to 1,000
 * @param firstInstant when the first line that waits for its time takes effect; null without one
 * @param lastInstant when the last one does
 * @param timeZones how many time zones the stores of the lines that change have
 * @param touched all stores that were looked at, also for lines that do not change; empty where there are none, where they
 *     are more than a grant can name, and in what an earlier version wrote
 * @param approvalFacts what may need approval; null in what an earlier version wrote
 * @param unlisted first prices that are loaded or removed, and not listed as lines; null in what an earlier version wrote
 */
public record ChangeSetSummary(
        Map<Finding, Integer> found,
        int stores,
        int replaced,
        int replacing,
        @Nullable Instant firstInstant,
        @Nullable Instant lastInstant,
        int timeZones,
        Set<StoreId> touched,
        @Nullable ApprovalFacts approvalFacts,
        @Nullable Integer unlisted) {
    private static final String STORE = "#";

    /** Findings in the order of their counts in a summary; new ones at the end, so that older summaries can be read. */
    private static final List<Finding> COUNTED = List.of(
            Finding.WILL_CHANGE,
            Finding.CONFLICT,
            Finding.SUSPICIOUS,
            Finding.NO_CHANGE,
            Finding.NOT_FOUND,
            Finding.INVALID);

    private static final List<Finding> COUNTED_LATER =
            List.of(Finding.NEW, Finding.DELETION, Finding.UNKNOWN_PRODUCT, Finding.MIXED_CURRENCIES);

    public ChangeSetSummary {
        found = Map.copyOf(found);
        touched = Set.copyOf(touched);
    }

    /** The same lines at another time. */
    ChangeSetSummary at(Instant newFirst, Instant newLast) {
        return new ChangeSetSummary(
                found, stores, replaced, replacing, newFirst, newLast, timeZones, touched, approvalFacts, unlisted);
    }

    public int count(Finding finding) {
        return found.getOrDefault(finding, 0);
    }

    /**
     * How many of the lines with a finding are first prices that are not listed as lines; empty where that is not known.
     *
     * @param finding null for any
     */
    public OptionalInt unlisted(@Nullable Finding finding) {
        var possible = Stream.of(Finding.NEW, Finding.DELETION)
                .filter(one -> count(one) > 0)
                .toList();
        if (possible.isEmpty() || (finding != null && !possible.contains(finding))) {
            return OptionalInt.of(0);
        }
        if (unlisted == null || (unlisted > 0 && finding != null && possible.size() > 1)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(unlisted);
    }

    /** All lines. */
    public int lines() {
        return found.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Lines that applying the set writes. */
    public int written() {
        return Stream.of(Finding.values())
                .filter(Finding::isWritten)
                .mapToInt(this::count)
                .sum();
    }

    /** Lines that somebody has to say are meant. */
    public int needsAcceptance() {
        return Stream.of(Finding.values())
                .filter(Finding::needsAcceptance)
                .mapToInt(this::count)
                .sum();
    }

    /** Lines that applying the set leaves as they are. */
    public int left() {
        return lines() - written();
    }

    public int willChange() {
        return count(Finding.WILL_CHANGE);
    }

    public int conflicts() {
        return count(Finding.CONFLICT);
    }

    public int suspicious() {
        return count(Finding.SUSPICIOUS);
    }

    public int mixedCurrencies() {
        return count(Finding.MIXED_CURRENCIES);
    }

    public int unknownProducts() {
        return count(Finding.UNKNOWN_PRODUCT);
    }

    public int deletions() {
        return count(Finding.DELETION);
    }

    public int created() {
        return count(Finding.NEW);
    }

    public int unchanged() {
        return count(Finding.NO_CHANGE);
    }

    public int notFound() {
        return count(Finding.NOT_FOUND);
    }

    public int invalid() {
        return count(Finding.INVALID);
    }

    /** The counts by position, as an attribute of an item. */
    String text() {
        var cells = new ArrayList<String>();
        cells.add(String.valueOf(lines()));
        COUNTED.forEach(finding -> cells.add(String.valueOf(count(finding))));
        cells.add(String.valueOf(stores()));
        cells.add(String.valueOf(replaced()));
        cells.add(String.valueOf(replacing()));
        cells.add(Objects.toString(firstInstant(), ""));
        cells.add(Objects.toString(lastInstant(), ""));
        cells.add(String.valueOf(timeZones()));
        COUNTED_LATER.forEach(finding -> cells.add(String.valueOf(count(finding))));
        cells.add(touched.stream().map(StoreId::value).sorted().collect(Collectors.joining(STORE)));
        if (approvalFacts != null) {
            cells.add(approvalFacts.text());
            if (unlisted != null) {
                cells.add(unlisted.toString());
            }
        }
        return String.join("\t", cells);
    }

    /** The summary that {@link #text} wrote, in this version or an earlier one. */
    static ChangeSetSummary of(String text) {
        var cells = text.split("\t", -1);
        var found = new EnumMap<Finding, Integer>(Finding.class);
        var at = 1;
        for (var finding : COUNTED) {
            found.put(finding, Integer.valueOf(cells[at++]));
        }
        var rest = at;
        at += 6;
        for (var i = 0; i < COUNTED_LATER.size() && at < cells.length; i++) {
            found.put(COUNTED_LATER.get(i), Integer.valueOf(cells[at++]));
        }
        found.values().removeIf(count -> count == 0);
        var end = rest + 6 + COUNTED_LATER.size();
        var touched = end < cells.length && !cells[end].isEmpty()
                ? Stream.of(cells[end].split(STORE, -1)).map(StoreId::new).collect(Collectors.toSet())
                : Set.<StoreId>of();
        return new ChangeSetSummary(
                found,
                Integer.parseInt(cells[rest]),
                Integer.parseInt(cells[rest + 1]),
                Integer.parseInt(cells[rest + 2]),
                cells[rest + 3].isEmpty() ? null : Instant.parse(cells[rest + 3]),
                cells[rest + 4].isEmpty() ? null : Instant.parse(cells[rest + 4]),
                Integer.parseInt(cells[rest + 5]),
                touched,
                end + 1 < cells.length ? ApprovalFacts.of(cells[end + 1]) : null,
                end + 2 < cells.length ? Integer.valueOf(cells[end + 2]) : null);
    }
}
