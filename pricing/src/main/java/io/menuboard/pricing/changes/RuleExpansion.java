package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.LazyStreams;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Expands rules to changes of single prices, for who may draft changes of some stores or of all. */
final class RuleExpansion {
    private static final int STORES_AT_ONCE = 500;

    private final Access access;
    private final Stores stores;
    private final Optional<Set<String>> permitted;

    private RuleExpansion(Access access, Stores stores) {
        this.access = access;
        this.stores = stores;
        permitted = access.stores(Permission.PRICES_DRAFT);
    }

    /**
     * Changes that rules request, store by store, which are read as they are consumed. Rules of one store each come in the order of their stores. Those that name
     * stores request changes of all of them, which the preview finds to be none of theirs.
     */
    static Stream<RequestedChange> expand(Access access, Iterator<ChangeRule> rules, Stores stores) {
        return new RuleExpansion(access, stores).expand(rules);
    }

    private Stream<RequestedChange> expand(Iterator<ChangeRule> rules) {
        var number = new AtomicInteger();
        var inOrder = Spliterators.spliteratorUnknownSize(rules, Spliterator.ORDERED);
        return LazyStreams.flatMap(StreamSupport.stream(inOrder, false), rule -> {
            var change = new RequestedChange.Change.Rule(rule.operation(), rule.ending(), isMixed(rule));
            return LazyStreams.flatMap(
                    select(rule.stores()), store -> rule.channels().stream().flatMap(channel -> rule.subjects().stream()
                            .map(subject -> new RequestedChange(
                                    number.getAndIncrement(), store, channel, subject, null, change))));
        });
    }

    private Stream<StoreId> select(StoreSelection selection) {
        return selection instanceof StoreSelection.Listed(var ids) ? ids.stream() : permitted(selection);
    }

    private Stream<StoreId> permitted(StoreSelection selection) {
        return stores.select(access, selection)
                .filter(store -> permitted.isEmpty() || permitted.get().contains(store.value()));
    }

    /** True where it sets prices of several currencies to one amount, without naming a currency. */
    private boolean isMixed(ChangeRule rule) {
        return rule.operation() instanceof PriceOperation.SetTo(var amount, var currency)
                && currency == null
                && amount.signum() != 0
                && onlyStore(rule) == null
                && permitted(rule.stores())
                                .gather(Gatherers.windowFixed(STORES_AT_ONCE))
                                .flatMap(ids -> stores.findAll(access, ids).values().stream())
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
}
