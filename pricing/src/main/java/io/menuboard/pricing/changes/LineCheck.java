package io.menuboard.pricing.changes;

import static io.menuboard.pricing.StoredPrices.priceOf;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.SeenKeys;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.StoredPrices;
import io.menuboard.pricing.changes.ChangePreview.CheckedLine;
import io.menuboard.pricing.changes.ChangePreview.General;
import io.menuboard.pricing.chunks.ChangeChunk.Kind;
import io.menuboard.pricing.rules.Suspicion;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Checks requested changes of one set against the prices that there are, and finds what to say of each. Thread-safe. */
final class LineCheck {
    private static final Set<Finding> COMPARED_WITH_GENERAL = Set.of(Finding.NEW, Finding.DELETION, Finding.CONFLICT);

    private static final String AT_ONCE = "at once";
    private static final String CHANGED_SINCE = "the price has been changed since, and stays as it is";
    private static final String NOT_KNOWN =
            "its history does not say what the price was before, or not yet, and it stays as it is";

    private final @Nullable EffectiveDate dateOfSet;
    private final boolean isRetry;
    private final Suspicion suspicion;
    private final DynamoPriceVersions prices;
    private final Instant now;
    private final Map<PriceSubject, Boolean> known = new ConcurrentHashMap<>();
    private final Map<String, Boolean> withPrices = new ConcurrentHashMap<>();
    private final SeenKeys rows = new SeenKeys();
    /** Rows that are left out, because the price is so then without them; those that must not be; those that change nothing. */
    private final BitSet leftOut = new BitSet();

    private final BitSet needed = new BitSet();
    private final BitSet unchanging = new BitSet();

    /**
     * @param dateOfSet of lines that have none of their own; null for at once
     * @param isRetry whether these are lines that failed before, whose dates may have begun since
     * @param now of the preview
     */
    LineCheck(
            @Nullable EffectiveDate dateOfSet,
            boolean isRetry,
            Suspicion suspicion,
            DynamoPriceVersions prices,
            Instant now) {
        this.dateOfSet = dateOfSet;
        this.isRetry = isRetry;
        this.suspicion = suspicion;
        this.prices = prices;
        this.now = now;
    }

    /** Remembers for a store and channel in which no price was found if there is none at all: up to one read unit. */
    boolean isFirst(StoreId store, Channel channel) {
        return !withPrices.computeIfAbsent(store + "#" + channel, _ -> prices.hasPrices(store, channel));
    }

    /**
     * Checks one change; half a read unit where it is a product's first price.
     *
     * @param versions of the price
     * @param general asked only where the channel has no price before or after
     * @param isFirst true where the store and channel has no price yet
     */
    CheckedLine check(RequestedChange change, Store store, StoredPrices versions, General general, boolean isFirst) {
        var checked = find(change, store, versions, isFirst);
        var isWritten = checked.line().finding().isWritten();
        var row = isWritten ? leftOut(change.later()) : 0;
        if (isWritten && row == 0) {
            return compared(checked, store, general);
        }
        synchronized (rows) {
            unchanging.set(change.number());
        }
        return row == 0
                ? checked
                : CheckedLine.atOnce(ChangeLine.found(
                        change,
                        checked.line().before(),
                        null,
                        Finding.INVALID,
                        "effectiveDate must be after that of row " + row
                                + ", which was found to change nothing: put the dates of a price in order"));
    }

    /** Where customers pay the price of all channels before or after, that is what the channel's own is compared with. */
    private CheckedLine compared(CheckedLine checked, Store store, General prices) {
        var line = checked.line();
        if (line.before() != null && line.after() != null) {
            return checked;
        }
        var date = Objects.requireNonNullElse(line.effectiveDate(), EffectiveDate.latestAt(now, store.timeZone()));
        var general = prices.at(line.subject(), date);
        if (general == null) {
            return checked;
        }
        var suspicious = COMPARED_WITH_GENERAL.contains(line.finding())
                ? suspicion.of(
                        line.subject(),
                        Objects.requireNonNullElse(line.before(), general),
                        Objects.requireNonNullElse(line.after(), general))
                : null;
        return checked.beside(general, suspicious);
    }

    private CheckedLine find(RequestedChange change, Store store, StoredPrices versions, boolean isFirst) {
        if (change.change() instanceof RequestedChange.Change.Unload(var from, var loaded)) {
            return unload(change, versions, from, loaded);
        }
        var asked = change.date() == null ? dateOfSet : change.date();
        if (asked == null) {
            return atOnce(change, store, versions);
        }
        var date = asked.in(store.timeZone());
        var startsAt = date.startsAt(store.timeZone());
        var other = change.date() != null && date.isSkipped(store.timeZone()) ? firstRow(change, date.toString()) : 0;
        if (other != 0) {
            var invalid = ChangeLine.found(
                    change,
                    null,
                    null,
                    Finding.INVALID,
                    "effectiveDate must not start at the instant of row " + other
                            + ", to which the store's clock jumps then");
            return CheckedLine.atOnce(invalid.at(date, startsAt));
        }
        if (startsAt.isAfter(now)) {
            return toCome(change, store, versions, date);
        }
        if (change.date() == null
                || !(change.change() instanceof RequestedChange.Change.To(var price, var _, var _, var _))) {
            var before = priceOf(versions.before(date));
            var line = ChangeLine.found(change, before, null, Finding.INVALID, "that time has passed in this store");
            return new CheckedLine(line.at(date, startsAt), Kind.SCHEDULED, null, null);
        }
        return begun(new DatedChange(change, store, date, price), versions, isFirst);
    }

    /** A price that a file gives from a date on. */
    private record DatedChange(
            RequestedChange change,
            Store store,
            EffectiveDate date,
            @Nullable Money price) {
        Instant startsAt() {
            return date.startsAt(store.timeZone());
        }

        ChangeLine line(@Nullable Money before, Finding finding, @Nullable String message) {
            return ChangeLine.found(change, before, price, finding, message);
        }
    }

    /**
     * Checks a price with a date that has begun. A first one counts since then. Another one counts from now on, where it is
     * dated today, or as the price in effect is; otherwise it is about the past, which stays as it was. One that is tried again
     * counts from now on, unless the price has been changed since its date.
     */
    private CheckedLine begun(DatedChange dated, StoredPrices versions, boolean isFirst) {
        var date = dated.date();
        var price = dated.price();
        var today = EffectiveDate.latestAt(now, dated.store().timeZone());
        var current = versions.until(today);
        var same = versions.startingAt(date);
        if (current != null && current.effectiveDate().compareTo(date) <= 0 && Objects.equals(current.price(), price)) {
            return asInEffect(dated);
        }
        if (same != null && Objects.equals(same.price(), price)) {
            return CheckedLine.atOnce(dated.line(price, Finding.NO_CHANGE, null).at(date, dated.startsAt()));
        }
        if (current == null) {
            return first(dated, isFirst);
        }
        var order = date.compareTo(current.effectiveDate());
        if (isRetry && order < 0) {
            return CheckedLine.atOnce(
                    dated.line(current.price(), Finding.INVALID, CHANGED_SINCE).at(date, dated.startsAt()));
        }
        if (!isRetry
                && order != 0
                && date.compareTo(EffectiveDate.startOf(today.local().toLocalDate())) < 0) {
            var past = "effectiveDate must be today or later, or that of the price in effect, "
                    + current.effectiveDate() + ": the past stays as it was";
            return CheckedLine.atOnce(
                    dated.line(current.price(), Finding.INVALID, past).at(date, dated.startsAt()));
        }
        var other = firstRow(dated.change(), AT_ONCE);
        return other == 0 ? atOnce(dated.change(), dated.store(), versions) : second(dated, current.price(), other);
    }

    /** The price is so already, and stays so: no row of an earlier date may change it at once, before or after this one. */
    private CheckedLine asInEffect(DatedChange dated) {
        synchronized (rows) {
            var other = rows.row(key(dated.change(), AT_ONCE));
            if (other != 0 && !dated.change().later().contains(other)) {
                return second(dated, dated.price(), other);
            }
            leftOut.set(dated.change().number());
        }
        return CheckedLine.atOnce(
                dated.line(dated.price(), Finding.NO_CHANGE, null).at(dated.date(), dated.startsAt()));
    }

    private static CheckedLine second(DatedChange dated, @Nullable Money before, int first) {
        return CheckedLine.atOnce(dated.line(
                before,
                Finding.INVALID,
                "effectiveDate must be to come: row " + first + " changes this price at once"));
    }

    private CheckedLine first(DatedChange dated, boolean isFirst) {
        var change = dated.change();
        if (isFirst) {
            // A file that loads it may change it later.
            known.put(change.subject(), true);
        }
        var suspicious = suspicion.of(change.subject(), null, dated.price());
        var line = suspicious == null
                ? firstLine(change, dated.price())
                : dated.line(null, Finding.SUSPICIOUS, suspicious);
        return new CheckedLine(
                line.at(dated.date(), dated.startsAt()), isFirst ? Kind.LOAD : Kind.AT_ONCE, null, dated.date());
    }

    /** The row of a file that changes that price then already; 0 for none. */
    private int firstRow(RequestedChange change, String when) {
        synchronized (rows) {
            return rows.firstRow(key(change, when), change.number());
        }
    }

    private static String key(RequestedChange change, String when) {
        return change.store() + "#" + change.channel() + "#" + change.subject() + "#" + when;
    }

    private CheckedLine atOnce(RequestedChange change, Store store, StoredPrices versions) {
        var current = versions.until(EffectiveDate.latestAt(now, store.timeZone()));
        return CheckedLine.atOnce(compared(change, store, current, null));
    }

    private CheckedLine toCome(RequestedChange change, Store store, StoredPrices versions, EffectiveDate date) {
        var planned = versions.startingAt(date);
        var line = compared(change, store, versions.before(date), planned);
        if (line.finding() == Finding.NO_CHANGE && planned == null && counts(change)) {
            line = ChangeLine.found(
                    change, line.before(), line.after(), Finding.WILL_CHANGE, "after what the set changes before");
        }
        return new CheckedLine(
                line.at(date, date.startsAt(store.timeZone())),
                Kind.SCHEDULED,
                change.date() == null ? null : date,
                null);
    }

    /** Of rows of later dates, one that is left out already; 0 for none, and then none of them will be. */
    private int leftOut(List<Integer> later) {
        synchronized (rows) {
            var found = later.stream().filter(leftOut::get).findFirst().orElse(0);
            if (found == 0) {
                later.forEach(needed::set);
            }
            return found;
        }
    }

    /** Whether a change to come counts where the price is so then without it: another one may come before it. */
    private boolean counts(RequestedChange change) {
        if (!(change.change() instanceof RequestedChange.Change.To(var _, var follows, var earlier, var _))
                || change.date() == null) {
            return false;
        }
        synchronized (rows) {
            if (follows || needed.get(change.number()) || !earlier.stream().allMatch(unchanging::get)) {
                return true;
            }
            leftOut.set(change.number());
            return false;
        }
    }

    /**
     * Compares the price that is requested with those that there are.
     *
     * @param current the version before; null for none
     * @param conflicting the version of the same date, where that is to come; null for none
     */
    private ChangeLine compared(
            RequestedChange change, Store store, @Nullable StoredPrice current, @Nullable StoredPrice conflicting) {
        var before = priceOf(current);
        Money after;
        try {
            after = after(change.change(), current, store);
        } catch (InvalidInput e) {
            var finding = e.code().equals("NOT_FOUND") ? Finding.NOT_FOUND : Finding.INVALID;
            return ChangeLine.found(change, before, null, finding, e.getMessage());
        }
        if (conflicting != null && Objects.equals(conflicting.price(), after)) {
            return ChangeLine.found(
                    change, before, after, Finding.NO_CHANGE, "is planned so already" + by(conflicting));
        }
        var plan = conflicting == null ? null : plan(conflicting);
        if (plan == null && Objects.equals(before, after)) {
            return ChangeLine.found(change, before, after, Finding.NO_CHANGE, null);
        }
        var mixture = change.change() instanceof RequestedChange.Change.Rule rule
                ? rule.mixture(before, store)
                : otherCurrency(before, after);
        if (mixture != null) {
            return ChangeLine.found(change, before, after, Finding.MIXED_CURRENCIES, ChangeLine.both(mixture, plan));
        }
        var suspicious = suspicion.of(change.subject(), before, after);
        if (suspicious != null) {
            return ChangeLine.found(change, before, after, Finding.SUSPICIOUS, ChangeLine.both(suspicious, plan));
        }
        if (after == null) {
            return ChangeLine.found(change, before, null, Finding.DELETION, plan);
        }
        if (plan != null) {
            return ChangeLine.found(change, before, after, Finding.CONFLICT, plan);
        }
        return before == null
                ? firstLine(change, after)
                : ChangeLine.found(change, before, after, Finding.WILL_CHANGE, null);
    }

    private static @Nullable String otherCurrency(@Nullable Money before, @Nullable Money after) {
        return before == null || after == null || before.currency().equals(after.currency())
                ? null
                : "the price is in " + before.currency().getCurrencyCode() + ", and would be in "
                        + after.currency().getCurrencyCode();
    }

    private ChangeLine firstLine(RequestedChange change, @Nullable Money after) {
        return known.computeIfAbsent(change.subject(), prices::isKnown)
                ? ChangeLine.found(change, null, after, Finding.NEW, null)
                : ChangeLine.found(
                        change, null, after, Finding.UNKNOWN_PRODUCT, "no store has a price of it: is the id right?");
    }

    private static CheckedLine unload(
            RequestedChange change, StoredPrices versions, EffectiveDate from, @Nullable Money loaded) {
        var version = versions.startingAt(from);
        var isAsLoaded = version != null
                && !version.superseded()
                && Objects.equals(version.price(), loaded)
                && versions.versions().stream().allMatch(other -> other.changeSet() == null);
        var line = isAsLoaded
                ? ChangeLine.found(change, loaded, null, Finding.DELETION, null)
                : ChangeLine.found(change, loaded, null, Finding.INVALID, CHANGED_SINCE);
        return new CheckedLine(line, Kind.UNLOAD, null, from);
    }

    private static @Nullable Money after(RequestedChange.Change change, @Nullable StoredPrice current, Store store) {
        return switch (change) {
            case RequestedChange.Change.Rule(var operation, var ending, var _) ->
                operation.apply(priceOf(current), store.currency(), ending);
            case RequestedChange.Change.To(var price, var _, var _, var _) -> price;
            case RequestedChange.Change.PutBack(var undone, var to, var isKnown) -> {
                if (current == null || current.changeSet() == null || !undone.contains(current.changeSet())) {
                    throw InvalidInput.sentence("CHANGED_SINCE", "changeSet", CHANGED_SINCE);
                }
                if (!isKnown) {
                    throw InvalidInput.sentence("NOT_KNOWN", "changeSet", NOT_KNOWN);
                }
                yield to;
            }
            case RequestedChange.Change.Unload _ ->
                throw new IllegalArgumentException("is not a change of one price: " + change);
        };
    }

    private static String plan(StoredPrice conflicting) {
        var price = conflicting.price();
        return (price == null ? "is to be deleted" : "is to be " + price.text()) + " from the same instant on"
                + by(conflicting);
    }

    private static String by(StoredPrice version) {
        return version.changeSet() == null ? "" : ", by change set " + version.changeSet();
    }
}
