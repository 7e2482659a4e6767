package io.menuboard.pricing.changes;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceBook;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.StoredPrice;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeChunk.Kind;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Save;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every price that is to be changed, and keeps what it finds as lines of the set, and as chunks of those that are
 * to be written. Thread-safe for changes of different stores and channels.
 */
final class ChangePreview {
    private static final int STORES_AT_ONCE = 500;

    /** Lines of a chunk that is kept compressed: some KB. */
    private static final int PACKED_AT_ONCE = 500;

    private final ChangeSet set;
    private final DynamoChangeLines.Lines lines;
    private final Stores stores;
    private final DynamoPriceVersions prices;
    private final DynamoChangeLines store;
    private final ChangesConfig config;
    private final Instant now;
    private final PreviewTally tally = new PreviewTally();
    private final AtomicInteger chunks = new AtomicInteger();
    private final Map<PriceSubject, Boolean> known = new ConcurrentHashMap<>();
    private final Map<String, Boolean> withPrices = new ConcurrentHashMap<>();
    private final SeenKeys atOnce = new SeenKeys();

    ChangePreview(
            ChangeSet set,
            DynamoChangeLines.Lines lines,
            PriceBook book,
            DynamoChangeLines store,
            ChangesConfig config,
            Instant now) {
        this.set = set;
        this.lines = lines;
        this.stores = book.stores();
        this.prices = book.versions();
        this.store = store;
        this.config = config;
        this.now = now;
    }

    /** The preview, when everything has been looked at. */
    ChangeSetData.Preview finished() {
        return new ChangeSetData.Preview(lines.preview(), lines.shards(), tally.summary(), true);
    }

    /** What was found by now. */
    ChangeSetSummary summary() {
        return tally.summary();
    }

    /**
     * Looks at each of them and keeps what it finds.
     *
     * @param mayRepeat whether two may be about the same price, which takes 24 to 72 bytes for each to find out
     * @param progress is told how many lines there are so far
     * @throws InvalidInput {@code TOO_MANY_LINES}
     * @throws InterruptedException when told to stop
     */
    void look(Iterator<RequestedChange> changes, boolean mayRepeat, IntConsumer progress) throws InterruptedException {
        var keys = mayRepeat ? new SeenKeys() : null;
        var together = new ArrayList<RequestedChange>();
        var count = 0;
        while (changes.hasNext()) {
            var change = changes.next();
            if (++count > config.maxLines()) {
                throw new InvalidInput(
                        "TOO_MANY_LINES", "rules", "must have at most " + config.maxLines() + " lines together");
            }
            if (!together.isEmpty()
                    && (together.size() == DynamoChunkTransactions.LINES_AT_ONCE || !goWith(change, together))) {
                look(together, keys, Consistency.STRONG);
                together.clear();
                progress.accept(count - 1);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            together.add(change);
        }
        if (!together.isEmpty()) {
            look(together, keys, Consistency.STRONG);
        }
    }

    /**
     * Looks at rows of a file, in any order, and keeps those that change something; one finding for each, in order. Half a
     * read unit for every 4 KB of prices of the same store and channel, and what is kept.
     */
    List<ChangeLine> look(List<RequestedChange> rows) {
        var found = new LinkedHashMap<RequestedChange, ChangeLine>();
        rows.forEach(row -> found.put(row, unknown(row)));
        rows.stream()
                .collect(groupingBy(row -> row.store() + "#" + row.channel(), LinkedHashMap::new, toList()))
                .values()
                .forEach(together -> {
                    var looked = look(together, null, Consistency.EVENTUAL);
                    for (var i = 0; i < together.size(); i++) {
                        found.put(together.get(i), looked.get(i));
                    }
                });
        return List.copyOf(found.values());
    }

    private static boolean goWith(RequestedChange change, List<RequestedChange> others) {
        var other = others.getFirst();
        return change.store().equals(other.store()) && change.channel().equals(other.channel());
    }

    // ---- what rules ask for

    /** Every change that rules ask for, store by store. Rules of one store each come in the order of their stores. */
    static Stream<RequestedChange> requested(Stream<ChangeRule> rules, Stores stores) {
        var number = new AtomicInteger();
        return rules.flatMap(rule -> {
            var change = new RequestedChange.Change.Rule(rule.operation(), rule.ending(), isMixed(rule, stores));
            return stores.select(rule.stores())
                    .flatMap(store -> rule.channels().stream().flatMap(channel -> rule.subjects().stream()
                            .map(subject -> new RequestedChange(
                                    number.getAndIncrement(), store, channel, subject, null, change))));
        });
    }

    /** Whether it sets prices of several currencies to one amount, without saying which currency it is in. */
    private static boolean isMixed(ChangeRule rule, Stores stores) {
        return rule.operation() instanceof PriceOperation.SetTo(var amount, var currency)
                && currency == null
                && amount.signum() != 0
                && onlyStore(rule) == null
                && stores.select(rule.stores())
                                .gather(Gatherers.windowFixed(STORES_AT_ONCE))
                                .flatMap(ids -> stores.findAll(ids).values().stream())
                                .map(Store::currency)
                                .distinct()
                                .limit(2)
                                .count()
                        > 1;
    }

    /** Rules in the order in which they are kept: where each is for one store, by store, so that lines come together. */
    static List<ChangeRule> inOrder(List<ChangeRule> rules) {
        return rules.stream().allMatch(rule -> onlyStore(rule) != null)
                ? rules.stream()
                        .sorted(Comparator.comparing(
                                rule -> onlyStore(rule) + "#" + rule.channels().getFirst()))
                        .toList()
                : rules;
    }

    private static @Nullable StoreId onlyStore(ChangeRule rule) {
        return rule.stores() instanceof StoreSelection.Listed(var ids) && ids.size() == 1 ? ids.getFirst() : null;
    }

    // ---- what is found

    /**
     * A line, and how it is written.
     *
     * @param asked from when on, where its chunk has a date of its own that is to come
     * @param since from when on, where it has a date of its own that has begun
     */
    private record Looked(
            ChangeLine line,
            Kind kind,
            @Nullable EffectiveDate asked,
            @Nullable EffectiveDate since) {

        private ChangeChunk.Line toWrite() {
            return new ChangeChunk.Line(line.number(), line.subject(), line.before(), line.after(), since);
        }
    }

    /** Lines of one chunk. */
    private record Together(Kind kind, @Nullable EffectiveDate asked) {}

    private List<ChangeLine> look(List<RequestedChange> together, @Nullable SeenKeys keys, Consistency consistency) {
        var id = together.getFirst().store();
        var channel = together.getFirst().channel();
        var store = stores.findAllNow(List.of(id)).get(id);
        var versions = store == null
                ? Map.<PriceSubject, List<StoredPrice>>of()
                : prices.versions(
                        id,
                        channel,
                        together.stream()
                                .map(RequestedChange::subject)
                                .distinct()
                                .toList(),
                        consistency);
        var isFirst = consistency == Consistency.EVENTUAL
                && store != null
                && versions.isEmpty()
                && !withPrices.computeIfAbsent(id + "#" + channel, _ -> prices.hasPrices(id, channel));
        var looked = new ArrayList<Looked>(together.size());
        for (var change : together) {
            var key = id + "#" + channel + "#" + change.subject();
            var repeats = keys != null && keys.firstRow(key, change.number() + 1) != 0;
            looked.add(
                    store == null || repeats
                            ? new Looked(
                                    repeats
                                            ? line(
                                                    change,
                                                    null,
                                                    null,
                                                    Finding.INVALID,
                                                    "the set has another line for this price")
                                            : unknown(change),
                                    Kind.AT_ONCE,
                                    null,
                                    null)
                            : look(change, store, versions.getOrDefault(change.subject(), List.of()), isFirst));
        }
        keep(looked, id, channel, consistency == Consistency.STRONG);
        looked.forEach(one -> tally.add(one.line(), store, one.kind() == Kind.SCHEDULED));
        return looked.stream().map(Looked::line).toList();
    }

    /** Keeps chunks of those lines that are to be written, and the lines that are listed, in one request for 25 of them. */
    private void keep(List<Looked> looked, StoreId store, Channel channel, boolean all) {
        var saves = new ArrayList<Save>();
        looked.stream()
                .filter(one -> one.line().finding().isWritten())
                .collect(groupingBy(one -> new Together(one.kind(), one.asked()), LinkedHashMap::new, toList()))
                .forEach((together, ofChunk) -> ofChunk.stream()
                        .gather(Gatherers.windowFixed(
                                together.kind().isPacked() ? PACKED_AT_ONCE : DynamoChunkTransactions.LINES_AT_ONCE))
                        .forEach(window -> {
                            var number = chunks.getAndIncrement();
                            var chunk = ChangeChunk.fresh(
                                    lines.chunk(store, channel, number),
                                    number,
                                    store,
                                    channel,
                                    together.kind(),
                                    together.asked(),
                                    window.stream().map(Looked::toWrite).toList());
                            saves.addAll(this.store.saves(set.id(), chunk, listed(window)));
                        }));
        if (all) {
            looked.stream()
                    .map(Looked::line)
                    .filter(line -> !line.finding().isWritten())
                    .map(line -> this.store.save(
                            set.id(), lines.chunk(store, channel, 0).partition(), 0, line))
                    .forEach(saves::add);
        }
        this.store.save(saves);
    }

    /** Lines of a chunk that is kept compressed are listed only where they need attention. */
    private static List<ChangeLine> listed(List<Looked> chunk) {
        return chunk.stream()
                .filter(one -> !one.kind().isPacked() || one.line().finding().needsAcceptance())
                .map(Looked::line)
                .toList();
    }

    private Looked look(RequestedChange change, Store store, List<StoredPrice> versions, boolean isFirst) {
        if (change.change() instanceof RequestedChange.Change.Unload(var from, var loaded)) {
            return unload(change, versions, from, loaded);
        }
        var asked = change.date() == null ? set.effectiveDate() : change.date();
        if (asked == null) {
            return atOnce(change, store, versions);
        }
        var date = asked.in(store.timeZone());
        var startsAt = date.startsAt(store.timeZone());
        if (startsAt.isAfter(now)) {
            return toCome(change, store, versions, date);
        }
        if (change.date() == null || !(change.change() instanceof RequestedChange.Change.To(var price))) {
            var before = priceOf(lastUntil(versions, date, false));
            return new Looked(
                    line(change, before, null, Finding.INVALID, "that time has passed in this store")
                            .at(date, startsAt),
                    Kind.SCHEDULED,
                    null,
                    null);
        }
        return begun(change, store, versions, date, price, isFirst);
    }

    /**
     * A price with a date that has begun. A first one counts since then. Another one counts from now on, where it is dated
     * today, or as the price in effect is; otherwise it is about the past, which stays as it was.
     */
    private Looked begun(
            RequestedChange change,
            Store store,
            List<StoredPrice> versions,
            EffectiveDate date,
            @Nullable Money price,
            boolean isFirst) {
        var today = EffectiveDate.latestAt(now, store.timeZone());
        var current = lastUntil(versions, today, true);
        var isThere = versions.stream()
                .anyMatch(version -> version.effectiveDate().equals(date) && Objects.equals(version.price(), price));
        var startsAt = date.startsAt(store.timeZone());
        if (isThere
                || (current != null
                        && current.effectiveDate().compareTo(date) <= 0
                        && Objects.equals(current.price(), price))) {
            return new Looked(
                    line(change, price, price, Finding.NO_CHANGE, null).at(date, startsAt), Kind.AT_ONCE, null, null);
        }
        if (current == null) {
            if (isFirst) {
                // A file that loads it may change it later.
                known.put(change.subject(), true);
            }
            var suspicion = suspicion(change.subject(), null, price, config.suspiciousPercent());
            var line = suspicion == null
                    ? firstLine(change, price)
                    : line(change, null, price, Finding.SUSPICIOUS, suspicion);
            return new Looked(line.at(date, startsAt), isFirst ? Kind.LOAD : Kind.AT_ONCE, null, date);
        }
        if (!date.equals(current.effectiveDate())
                && date.compareTo(EffectiveDate.startOf(today.local().toLocalDate())) < 0) {
            return new Looked(
                    line(
                                    change,
                                    current.price(),
                                    price,
                                    Finding.INVALID,
                                    "effectiveDate must be today or later, or that of the price in effect, "
                                            + current.effectiveDate() + ": the past stays as it was")
                            .at(date, startsAt),
                    Kind.AT_ONCE,
                    null,
                    null);
        }
        var other = firstAtOnce(change);
        return other == 0
                ? atOnce(change, store, versions)
                : new Looked(
                        line(
                                change,
                                current.price(),
                                price,
                                Finding.INVALID,
                                "effectiveDate must be to come: row " + other + " changes this price at once"),
                        Kind.AT_ONCE,
                        null,
                        null);
    }

    /** The row of a file that changes that price at once already; 0 for none. */
    private int firstAtOnce(RequestedChange change) {
        synchronized (atOnce) {
            return atOnce.firstRow(change.store() + "#" + change.channel() + "#" + change.subject(), change.number());
        }
    }

    private Looked atOnce(RequestedChange change, Store store, List<StoredPrice> versions) {
        var current = lastUntil(versions, EffectiveDate.latestAt(now, store.timeZone()), true);
        return new Looked(decided(change, store, current, null), Kind.AT_ONCE, null, null);
    }

    private Looked toCome(RequestedChange change, Store store, List<StoredPrice> versions, EffectiveDate date) {
        var rival = versions.stream()
                .filter(version -> version.effectiveDate().equals(date))
                .findFirst()
                .orElse(null);
        var line = decided(change, store, lastUntil(versions, date, false), rival);
        return new Looked(
                line.at(date, date.startsAt(store.timeZone())),
                Kind.SCHEDULED,
                change.date() == null ? null : date,
                null);
    }

    /**
     * @param current what the price is before
     * @param rival what it is to be from the same instant on; null for nothing
     */
    private ChangeLine decided(
            RequestedChange change, Store store, @Nullable StoredPrice current, @Nullable StoredPrice rival) {
        var before = priceOf(current);
        Money after;
        try {
            after = after(change.change(), current, store);
        } catch (InvalidInput e) {
            var finding = e.code().equals("NOT_FOUND") ? Finding.NOT_FOUND : Finding.INVALID;
            return line(change, before, null, finding, e.getMessage());
        }
        if (rival != null) {
            return Objects.equals(rival.price(), after)
                    ? line(change, before, after, Finding.NO_CHANGE, "is planned so already" + by(rival))
                    : line(
                            change,
                            before,
                            after,
                            Finding.CONFLICT,
                            (rival.price() == null
                                            ? "is to be deleted"
                                            : "is to be " + rival.price().text())
                                    + " from the same instant on" + by(rival));
        }
        if (Objects.equals(before, after)) {
            return line(change, before, after, Finding.NO_CHANGE, null);
        }
        if (change.change() instanceof RequestedChange.Change.Rule(var _, var _, var mixed) && mixed) {
            return line(
                    change,
                    before,
                    after,
                    Finding.MIXED_CURRENCIES,
                    "one amount for stores of several currencies; this one is in "
                            + store.currency().getCurrencyCode());
        }
        var suspicion = suspicion(change.subject(), before, after, config.suspiciousPercent());
        if (suspicion != null) {
            return line(change, before, after, Finding.SUSPICIOUS, suspicion);
        }
        if (after == null) {
            return line(change, before, null, Finding.DELETION, null);
        }
        return before == null ? firstLine(change, after) : line(change, before, after, Finding.WILL_CHANGE, null);
    }

    private ChangeLine firstLine(RequestedChange change, @Nullable Money after) {
        var finding = first(change.subject());
        return line(
                change,
                null,
                after,
                finding,
                finding == Finding.UNKNOWN_PRODUCT ? "no store has a price of it: is the id right?" : null);
    }

    private Finding first(PriceSubject subject) {
        return known.computeIfAbsent(subject, prices::isKnown) ? Finding.NEW : Finding.UNKNOWN_PRODUCT;
    }

    private Looked unload(
            RequestedChange change, List<StoredPrice> versions, EffectiveDate from, @Nullable Money loaded) {
        var isAsLoaded = versions.stream().allMatch(version -> version.changeSet() == null)
                && versions.stream()
                        .anyMatch(version -> version.effectiveDate().equals(from)
                                && !version.superseded()
                                && Objects.equals(version.price(), loaded));
        return new Looked(
                isAsLoaded
                        ? line(change, loaded, null, Finding.DELETION, null)
                        : line(change, loaded, null, Finding.INVALID, CHANGED_SINCE),
                Kind.UNLOAD,
                null,
                from);
    }

    private static final String CHANGED_SINCE = "the price has been changed since, and stays as it is";

    private static @Nullable Money after(RequestedChange.Change change, @Nullable StoredPrice current, Store store) {
        return switch (change) {
            case RequestedChange.Change.Rule(var operation, var ending, var _) ->
                operation.apply(priceOf(current), store.currency(), ending);
            case RequestedChange.Change.To(var price) -> price;
            case RequestedChange.Change.PutBack(var undone, var to) -> {
                if (current == null || current.changeSet() == null || !undone.contains(current.changeSet())) {
                    throw InvalidInput.sentence("CHANGED_SINCE", "changeSet", CHANGED_SINCE);
                }
                yield to;
            }
            case RequestedChange.Change.Unload _ ->
                throw new IllegalArgumentException("is not a change of one price: " + change);
        };
    }

    private static String by(StoredPrice rival) {
        return rival.changeSet() == null ? "" : ", by change set " + rival.changeSet();
    }

    /** Why a change is worth a second look; null where it is not. */
    static @Nullable String suspicion(
            PriceSubject subject, @Nullable Money before, @Nullable Money after, int percent) {
        if (after == null) {
            return null; // a finding of its own
        }
        if (after.amount().signum() == 0) {
            // Many swaps cost nothing from the beginning.
            return before == null && subject instanceof PriceSubject.Swap ? null : "would cost nothing";
        }
        if (before == null || before.amount().signum() == 0) {
            return null;
        }
        for (var digits : List.of(1, 2)) {
            if (after.amount().compareTo(before.amount().movePointRight(digits)) == 0) {
                return digits == 1 ? "would cost 10 times as much" : "would cost 100 times as much";
            }
            if (before.amount().compareTo(after.amount().movePointRight(digits)) == 0) {
                return digits == 1 ? "would cost a tenth" : "would cost a hundredth";
            }
        }
        var change = after.amount().subtract(before.amount()).abs().movePointRight(2);
        return change.compareTo(before.amount().multiply(BigDecimal.valueOf(percent))) > 0
                ? "would change by more than " + percent + " percent"
                : null;
    }

    /** The price just before a change of that date takes effect. */
    static @Nullable Money before(List<StoredPrice> versions, EffectiveDate date, boolean inclusive) {
        return priceOf(lastUntil(versions, date, inclusive));
    }

    /** Whether there was a price until then, or one that was deleted. */
    static boolean isThere(List<StoredPrice> versions, EffectiveDate date) {
        return lastUntil(versions, date, true) != null;
    }

    private static @Nullable Money priceOf(@Nullable StoredPrice version) {
        return version == null ? null : version.price();
    }

    private static @Nullable StoredPrice lastUntil(List<StoredPrice> versions, EffectiveDate date, boolean inclusive) {
        return versions.stream()
                .filter(version -> version.effectiveDate().compareTo(date) < (inclusive ? 1 : 0))
                .reduce((_, later) -> later)
                .orElse(null);
    }

    private static ChangeLine unknown(RequestedChange change) {
        return line(change, null, null, Finding.NOT_FOUND, "there is no such store");
    }

    private static ChangeLine line(
            RequestedChange change,
            @Nullable Money before,
            @Nullable Money after,
            Finding finding,
            @Nullable String message) {
        return new ChangeLine(
                change.number(),
                change.store(),
                change.channel(),
                change.subject(),
                before,
                after,
                null,
                null,
                finding,
                message,
                ChangeLine.Outcome.NONE);
    }
}
