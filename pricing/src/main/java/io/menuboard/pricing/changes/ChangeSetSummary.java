package io.menuboard.pricing.changes;

import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a preview found, all lines together.
 *
 * @param found how many lines have each finding; absent for none
 * @param stores stores that have lines which change
 * @param replaced how many different prices the lines that change replace, counted up to 1,000
 * @param replacing how many different prices they become, counted up to 1,000
 * @param firstInstant when the first line that waits for its time takes effect; null without one
 * @param lastInstant when the last one does
 * @param timeZones how many time zones the stores of the lines that change have
 */
public record ChangeSetSummary(
        Map<Finding, Integer> found,
        int stores,
        int replaced,
        int replacing,
        @Nullable Instant firstInstant,
        @Nullable Instant lastInstant,
        int timeZones) {

    public ChangeSetSummary {
        found = Map.copyOf(found);
    }

    /** The same lines at another time. */
    ChangeSetSummary at(Instant newFirst, Instant newLast) {
        return new ChangeSetSummary(found, stores, replaced, replacing, newFirst, newLast, timeZones);
    }

    public int count(Finding finding) {
        return found.getOrDefault(finding, 0);
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
}
