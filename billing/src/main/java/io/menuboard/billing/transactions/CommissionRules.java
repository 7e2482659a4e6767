package io.menuboard.billing.transactions;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The rates that transactions may name. Thread-safe. */
public interface CommissionRules {

    /** Adds the rule, or changes the one of its id. Six write units, its audit record included. */
    void put(CommissionRule rule, Actor actor);

    /**
     * The rule of that id; half a read unit.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    Optional<CommissionRule> find(String id);

    /** All rules by id; half a read unit per 4 KB, about 30 rules. */
    Page<CommissionRule> list(PageRequest page);

    /**
     * The rules that exist of those ids, by id; half a read unit each. To get one that another version wrote throws
     * {@link UnreadableItem}, if this one cannot read it.
     */
    Map<String, Supplier<CommissionRule>> find(Collection<String> ids);
}
