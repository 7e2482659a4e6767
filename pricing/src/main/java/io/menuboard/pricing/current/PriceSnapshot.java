package io.menuboard.pricing.current;

import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Interner;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.querydb.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All prices of a store and channel, with the versions that are to come, so that it stays true when the time of one comes.
 * Immutable and small: subjects, dates and amounts, which stores have in common, are kept once for all snapshots.
 */
public final class PriceSnapshot {
    /** What a version takes where it shares nothing with another store's; a few bytes where it does. */
    private static final int BYTES_PER_VERSION = 64;

    /** What one takes without any version, with its place in a cache. */
    static final int BYTES = 256;

    private static final Interner<PriceSubject> SUBJECTS = Interner.newWeakInterner();
    private static final Interner<EffectiveDate> DATES = Interner.newWeakInterner();
    private static final Interner<Money> AMOUNTS = Interner.newWeakInterner();

    /** Of a channel without prices. */
    static final PriceSnapshot EMPTY = of(0, Map.of());

    private final long revision;
    private final PriceSubject[] subjects;
    /** Index of the first version of each subject, and the number of all versions. */
    private final int[] firsts;

    private final EffectiveDate[] dates;
    /** All different dates, in order. */
    private final EffectiveDate[] starts;
    /** Null for a version from which on there is no price. */
    private final @Nullable Money[] amounts;
    /** The last that was asked for. */
    private volatile @Nullable Fingerprint fingerprint;

    /** @param next index of the first date that has not begun */
    private record Fingerprint(int next, long value) {}

    private PriceSnapshot(
            long revision, PriceSubject[] subjects, int[] firsts, EffectiveDate[] dates, @Nullable Money[] amounts) {
        this.revision = revision;
        this.subjects = subjects;
        this.firsts = firsts;
        this.dates = dates;
        this.amounts = amounts;
        starts = Arrays.stream(dates).distinct().sorted().toArray(EffectiveDate[]::new);
    }

    static PriceSnapshot of(long revision, Map<PriceSubject, StoredPrices> prices) {
        var subjects = prices.keySet().stream()
                .sorted((one, other) -> Key.compareUtf8(inOrder(one), inOrder(other)))
                .toArray(PriceSubject[]::new);
        var count =
                prices.values().stream().mapToInt(all -> all.versions().size()).sum();
        var firsts = new int[subjects.length + 1];
        var dates = new EffectiveDate[count];
        @Nullable Money[] amounts = new @Nullable Money[count];
        var next = 0;
        for (var i = 0; i < subjects.length; i++) {
            firsts[i] = next;
            for (var version : requireNonNull(prices.get(subjects[i])).versions()) {
                dates[next] = DATES.intern(version.effectiveDate());
                amounts[next++] = version.price() == null ? null : AMOUNTS.intern(version.price());
            }
            subjects[i] = SUBJECTS.intern(subjects[i]);
        }
        firsts[subjects.length] = next;
        return new PriceSnapshot(revision, subjects, firsts, dates, amounts);
    }

    /** What the table sorts by: subjects, each with the separator that follows it in keys. */
    static String inOrder(PriceSubject subject) {
        return subject + "#";
    }

    /** What the revision of its store and channel is while it is true. */
    public long revision() {
        return revision;
    }

    /** Number of subjects that have or had a price, or will. */
    int size() {
        return subjects.length;
    }

    /** In the order of the table's keys. */
    PriceSubject subject(int index) {
        return subjects[index];
    }

    /** Index of a subject; negative where it has no version. */
    int indexOf(PriceSubject subject) {
        var index = indexOf(inOrder(subject));
        return index < subjects.length && subjects[index].equals(subject) ? index : -1;
    }

    /** Index of the first subject that does not come before that text. */
    int indexOf(String text) {
        var first = 0;
        var end = subjects.length;
        while (first < end) {
            var middle = (first + end) >>> 1;
            if (Key.compareUtf8(inOrder(subjects[middle]), text) < 0) {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        return first;
    }

    /** Index of the version of a subject that counts on the latest date that has begun; negative where there is no price then. */
    int inEffect(int subject, EffectiveDate latest) {
        var version = lastBegun(subject, latest);
        return version < 0 || amounts[version] == null ? -1 : version;
    }

    EffectiveDate date(int version) {
        return dates[version];
    }

    /** Amount of a version that is a price. */
    Money amount(int version) {
        return requireNonNull(amounts[version]);
    }

    /** The first date after that one at which a version of any subject begins; null where none is to come. */
    public @Nullable EffectiveDate firstAfter(EffectiveDate latest) {
        var next = indexAfter(latest);
        return next < starts.length ? starts[next] : null;
    }

    private int indexAfter(EffectiveDate latest) {
        var found = Arrays.binarySearch(starts, latest);
        return found < 0 ? -found - 1 : found + 1;
    }

    /**
     * Hash of what counts on the latest date that has begun, and of what is to come: the same in every instance, whatever it
     * still has of the past. Found out once for each date at which something begins.
     */
    long fingerprint(EffectiveDate latest) {
        var next = indexAfter(latest);
        var known = fingerprint;
        if (known == null || known.next() != next) {
            known = new Fingerprint(next, hash(latest));
            fingerprint = known;
        }
        return known.value();
    }

    private long hash(EffectiveDate latest) {
        var hash = 0L;
        for (var i = 0; i < subjects.length; i++) {
            for (var version = Math.max(firsts[i], lastBegun(i, latest)); version < firsts[i + 1]; version++) {
                var amount = amounts[version];
                // What ended before is the same as what has never been.
                if (amount != null || dates[version].compareTo(latest) > 0) {
                    hash = 31 * hash + subjects[i].toString().hashCode();
                    hash = 31 * hash + dates[version].toString().hashCode();
                    hash = 31 * hash + (amount == null ? 0 : amount.text().hashCode());
                }
            }
        }
        return hash;
    }

    /** Index of the last version of a subject that has begun; negative for none. */
    private int lastBegun(int subject, EffectiveDate latest) {
        for (var version = firsts[subject + 1] - 1; version >= firsts[subject]; version--) {
            if (dates[version].compareTo(latest) <= 0) {
                return version;
            }
        }
        return -1;
    }

    /**
     * A version that begins, also where its price is that of the version before it.
     *
     * @param before price of the version before it; null for none
     * @param after null for a version from which on there is no price
     */
    public record Beginning(
            PriceSubject subject,
            EffectiveDate date,
            @Nullable Money before,
            @Nullable Money after) {}

    /** Versions that begin after one date, and until another one, by subject and date. */
    public List<Beginning> beginning(EffectiveDate after, EffectiveDate until) {
        var first = firstAfter(after);
        if (first == null || first.compareTo(until) > 0) {
            return List.of();
        }
        var found = new ArrayList<Beginning>();
        for (var i = 0; i < subjects.length; i++) {
            for (var version = firsts[i]; version < firsts[i + 1]; version++) {
                if (dates[version].compareTo(after) > 0 && dates[version].compareTo(until) <= 0) {
                    var before = version == firsts[i] ? null : amounts[version - 1];
                    found.add(new Beginning(subjects[i], dates[version], before, amounts[version]));
                }
            }
        }
        return found;
    }

    /**
     * The date since when a subject has no price on the latest date that has begun; null where it has one, or where none has
     * been ended.
     */
    @Nullable
    EffectiveDate endedOn(int subject, EffectiveDate latest) {
        EffectiveDate ended = null;
        for (var version = firsts[subject + 1] - 1; version >= firsts[subject]; version--) {
            if (dates[version].compareTo(latest) <= 0) {
                if (amounts[version] != null) {
                    return ended;
                }
                ended = dates[version];
            }
        }
        return ended;
    }

    /** The first date after that one at which another version of that subject begins; null where none is to come. */
    @Nullable
    EffectiveDate firstAfter(int subject, EffectiveDate latest) {
        for (var version = firsts[subject]; version < firsts[subject + 1]; version++) {
            if (dates[version].compareTo(latest) > 0) {
                return dates[version];
            }
        }
        return null;
    }

    /** The first date after that one from which on that subject has a price; null where none is to come. */
    @Nullable
    EffectiveDate firstPriceAfter(int subject, EffectiveDate latest) {
        for (var version = firsts[subject]; version < firsts[subject + 1]; version++) {
            if (dates[version].compareTo(latest) > 0 && amounts[version] != null) {
                return dates[version];
            }
        }
        return null;
    }

    /** Bytes that it takes at most. */
    int bytes() {
        return BYTES + BYTES_PER_VERSION * dates.length;
    }
}
