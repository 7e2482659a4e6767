package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Expands rules to changes of single prices. */
final class RuleExpansion {
    private static final Access SYSTEM = Access.ofSystem("change sets", Actor.Source.SCHEDULER);

    private static final int STORES_AT_ONCE = 500;

    private RuleExpansion() {}

    /** Changes that rules request, store by store. Rules of one store each come in the order of their stores. */
    static Stream<RequestedChange> expand(List<ChangeRule> rules, Stores stores) {
        var number = new AtomicInteger();
        return rules.stream().flatMap(rule -> {
            var change = new RequestedChange.Change.Rule(rule.operation(), rule.ending(), isMixed(rule, stores));
            return stores.select(SYSTEM, rule.stores())
                    .flatMap(store -> rule.channels().stream().flatMap(channel -> rule.subjects().stream()
                            .map(subject -> new RequestedChange(
                                    number.getAndIncrement(), store, channel, subject, null, change))));
        });
    }

    /** True where it sets prices of several currencies to one amount, without naming a currency. */
    private static boolean isMixed(ChangeRule rule, Stores stores) {
        return rule.operation() instanceof PriceOperation.SetTo(var amount, var currency)
                && currency == null
                && amount.signum() != 0
                && onlyStore(rule) == null
                && stores.select(SYSTEM, rule.stores())
                                .gather(Gatherers.windowFixed(STORES_AT_ONCE))
                                .flatMap(ids -> stores.findAll(SYSTEM, ids).values().stream())
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
