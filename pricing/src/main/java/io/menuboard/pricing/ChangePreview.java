package io.menuboard.pricing;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.DynamoPrices.Version;
import io.menuboard.querydb.InvalidInput;
import io.menuboard.querydb.PageRequest;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds out what a change set would do, line by line, and keeps that. Not thread-safe: one for each preview. */
final class ChangePreview {
    private static final int COUNTED = 1_000;
    private static final int STORES_AT_ONCE = 100;

    private final ChangeSet set;
    private final String preview;
    private final Stores stores;
    private final DynamoPrices prices;
    private final DynamoChangeSets sets;
    private final ChangesConfig config;
    private final Instant now;
    private final boolean mayRepeat;

    private final Map<Finding, Integer> found = new EnumMap<>(Finding.class);
    private final Set<StoreId> changing = new HashSet<>();
    private final Set<ZoneId> zones = new HashSet<>();
    private final Set<String> replaced = new HashSet<>();
    private final Set<String> replacing = new HashSet<>();
    private final Set<String> seen = new HashSet<>();
    private @Nullable Instant first;
    private @Nullable Instant last;
    private int lines;
    private int chunks;

    /** @param mayRepeat whether two wishes may be about the same price, which takes memory for each to find out */
    ChangePreview(
            ChangeSet set,
            String preview,
            Stores stores,
            DynamoPrices prices,
            DynamoChangeSets sets,
            ChangesConfig config,
            Instant now,
            boolean mayRepeat) {
        this.set = set;
        this.preview = preview;
        this.stores = stores;
        this.prices = prices;
        this.sets = sets;
        this.config = config;
        this.now = now;
        this.mayRepeat = mayRepeat;
    }

    /** One price that is to be changed, and how. */
    record Wish(StoreId store, Channel channel, PriceSubject subject, Change change) {}

    /** How a price is to be changed. */
    sealed interface Change {
        /** As a rule says. */
        record Rule(PriceOperation operation, @Nullable PriceEnding ending) implements Change {}

        /** To what it was before that set changed it, provided that nobody has changed it since. */
        record PutBack(ChangeSetId undone, @Nullable Money to) implements Change {}
    }

    /**
     * Looks at each wish and keeps what it finds.
     *
     * @param progress is told how many lines there are so far
     * @throws InvalidInput {@code TOO_MANY_LINES}
     * @throws InterruptedException when told to stop
     */
    ChangeSetSummary look(Iterator<Wish> wishes, IntConsumer progress) throws InterruptedException {
        var together = new ArrayList<Wish>();
        while (wishes.hasNext()) {
            var wish = wishes.next();
            if (!together.isEmpty()
                    && (together.size() == DynamoPriceChanges.LINES_AT_ONCE || !goWith(wish, together))) {
                look(together);
                together.clear();
                progress.accept(lines);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            together.add(wish);
        }
        if (!together.isEmpty()) {
            look(together);
        }
        return new ChangeSetSummary(
                lines,
                count(Finding.WILL_CHANGE),
                count(Finding.CONFLICT),
                count(Finding.SUSPICIOUS),
                count(Finding.NO_CHANGE),
                count(Finding.NOT_FOUND),
                count(Finding.INVALID),
                changing.size(),
                replaced.size(),
                replacing.size(),
                first,
                last,
                zones.size());
    }

    private int count(Finding finding) {
        return found.getOrDefault(finding, 0);
    }

    private static boolean goWith(Wish wish, List<Wish> others) {
        var other = others.getFirst();
        return wish.store().equals(other.store()) && wish.channel().equals(other.channel());
    }

    /** Every wish that rules have, store by store. Rules of one store each come in the order of their stores. */
    static Stream<Wish> wishes(Stream<ChangeRule> rules, Stores stores) {
        return rules.flatMap(rule -> storesOf(rule.stores(), stores)
                .flatMap(store -> rule.channels().stream().flatMap(channel -> rule.subjects().stream()
                        .map(subject ->
                                new Wish(store, channel, subject, new Change.Rule(rule.operation(), rule.ending()))))));
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

    private static Stream<StoreId> storesOf(StoreSelection selection, Stores stores) {
        return switch (selection) {
            case StoreSelection.Listed(var ids) -> ids.stream();
            case StoreSelection.Found(var search) -> pages(stores, search);
            case StoreSelection.All() -> pages(stores, null);
        };
    }

    private static Stream<StoreId> pages(Stores stores, @Nullable String search) {
        return Stream.iterate(
                        stores.list(search, PageRequest.forward(STORES_AT_ONCE, null)),
                        Objects::nonNull,
                        page -> page.hasNextPage()
                                ? stores.list(search, PageRequest.forward(STORES_AT_ONCE, page.endCursor()))
                                : null)
                .flatMap(page -> page.nodes().stream())
                .map(Store::id);
    }

    private void look(List<Wish> together) {
        if (lines + together.size() > config.maxLines()) {
            throw new InvalidInput(
                    "TOO_MANY_LINES", "rules", "rules must have at most " + config.maxLines() + " lines together");
        }
        var id = together.getFirst().store();
        var channel = together.getFirst().channel();
        var store = stores.findAllNow(List.of(id)).get(id);
        var versions = store == null
                ? Map.<PriceSubject, List<Version>>of()
                : prices.versions(
                        id, channel, together.stream().map(Wish::subject).toList());
        var looked = together.stream()
                .map(wish -> line(wish, store, versions.getOrDefault(wish.subject(), List.of())))
                .toList();
        var written = looked.stream()
                .filter(line -> line.finding().isWritten())
                .map(line -> new ChangeChunk.Line(line.number(), line.subject(), line.before(), line.after()))
                .toList();
        var chunk = new ChangeChunk(
                sets.chunkKey(set.id(), preview, id, channel, chunks),
                chunks,
                id,
                channel,
                written,
                0,
                ChangeChunk.State.NEW,
                null,
                Map.of());
        sets.save(set.id(), preview, chunk, looked);
        chunks++;
    }

    private ChangeLine line(Wish wish, @Nullable Store store, List<Version> versions) {
        var number = lines++;
        if (mayRepeat && !seen.add(wish.store() + "#" + wish.channel() + "#" + wish.subject())) {
            return found(wish, number, null, null, null, Finding.INVALID, "the set has another line for this price");
        }
        if (store == null) {
            return found(wish, number, null, null, null, Finding.NOT_FOUND, "there is no such store");
        }
        var asked = set.effectiveDate();
        var date = asked == null ? EffectiveDate.latestAt(now, store.timeZone()) : asked;
        var startsAt = asked == null ? null : asked.startsAt(store.timeZone());
        var at = lastUntil(versions, date, asked == null);
        var before = at == null ? null : at.price();
        if (startsAt != null && !startsAt.isAfter(now)) {
            return found(wish, number, before, null, startsAt, Finding.INVALID, "that time has passed in this store");
        }
        Money after;
        try {
            after = after(wish.change(), at, store);
        } catch (InvalidInput e) {
            var finding = e.code().equals("NOT_FOUND") ? Finding.NOT_FOUND : Finding.INVALID;
            return found(wish, number, before, null, startsAt, finding, e.getMessage());
        }
        var rival = asked == null
                ? null
                : versions.stream()
                        .filter(version -> version.effectiveDate().equals(date))
                        .findFirst()
                        .orElse(null);
        var finding = Finding.WILL_CHANGE;
        String message = null;
        if (rival != null && Objects.equals(rival.price(), after)) {
            finding = Finding.NO_CHANGE;
            message = "is planned so already" + by(rival);
        } else if (rival != null) {
            finding = Finding.CONFLICT;
            message = (rival.price() == null ? "is to be deleted" : "is to be " + DynamoPrices.text(rival.price()))
                    + " from the same instant on" + by(rival);
        } else if (Objects.equals(before, after)) {
            finding = Finding.NO_CHANGE;
        } else {
            message = suspicion(before, after, config.suspiciousPercent());
            finding = message == null ? Finding.WILL_CHANGE : Finding.SUSPICIOUS;
        }
        if (finding.isWritten()) {
            changing.add(store.id());
            zones.add(store.timeZone());
            count(replaced, before);
            count(replacing, after);
            if (startsAt != null) {
                first = first == null || startsAt.isBefore(first) ? startsAt : first;
                last = last == null || startsAt.isAfter(last) ? startsAt : last;
            }
        }
        return found(wish, number, before, after, startsAt, finding, message);
    }

    private static @Nullable Money after(Change change, @Nullable Version current, Store store) {
        return switch (change) {
            case Change.Rule(var operation, var ending) ->
                operation.apply(current == null ? null : current.price(), store.currency(), ending);
            case Change.PutBack(var undone, var to) -> {
                if (current == null || !undone.equals(current.changeSet())) {
                    throw new InvalidInput(
                            "CHANGED_SINCE", "changeSet", "the price has been changed since, and stays as it is");
                }
                yield to;
            }
        };
    }

    private static String by(Version rival) {
        return rival.changeSet() == null ? "" : ", by change set " + rival.changeSet();
    }

    private static void count(Set<String> amounts, @Nullable Money money) {
        if (amounts.size() < COUNTED) {
            amounts.add(money == null ? "" : DynamoPrices.text(money));
        }
    }

    /** Why a change is worth a second look; null where it is not. */
    static @Nullable String suspicion(@Nullable Money before, @Nullable Money after, int percent) {
        if (after == null) {
            return null; // who deletes means it
        }
        if (after.amount().signum() == 0) {
            return "would cost nothing";
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
    static @Nullable Money before(List<Version> versions, EffectiveDate date, boolean inclusive) {
        var last = lastUntil(versions, date, inclusive);
        return last == null ? null : last.price();
    }

    private static @Nullable Version lastUntil(List<Version> versions, EffectiveDate date, boolean inclusive) {
        return versions.stream()
                .filter(version -> version.effectiveDate().compareTo(date) < (inclusive ? 1 : 0))
                .reduce((_, later) -> later)
                .orElse(null);
    }

    private ChangeLine found(
            Wish wish,
            int number,
            @Nullable Money before,
            @Nullable Money after,
            @Nullable Instant startsAt,
            Finding finding,
            @Nullable String message) {
        found.merge(finding, 1, Integer::sum);
        return new ChangeLine(
                number,
                wish.store(),
                wish.channel(),
                wish.subject(),
                before,
                after,
                startsAt,
                finding,
                message,
                ChangeLine.Outcome.NONE);
    }
}
