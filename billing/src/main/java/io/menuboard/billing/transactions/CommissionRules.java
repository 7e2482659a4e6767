package io.menuboard.billing.transactions;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.UnreadableItem;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rates that transactions may name. They are of all agencies: to change them takes {@link Permission#BILLING_RUN}, to read them
 * {@link Permission#BILLING_READ}, for everything; who has that for one agency finds none. Thread-safe.
 */
public interface CommissionRules {

    /** Adds the rule, or changes the one of its id, and answers it as it is then. Six write units, its audit record included. */
    CommissionRule put(Access access, CommissionRule rule);

    /**
     * The same where the rule says what the caller knows, or what it is to say already; otherwise false, and nothing is changed.
     *
     * @param before what it says; null where there is none
     */
    boolean replace(Access access, CommissionRule rule, @Nullable CommissionRule before);

    /**
     * The rule of that id; half a read unit.
     *
     * @throws UnreadableItem where another version wrote it and this one cannot read it
     */
    Optional<CommissionRule> find(Access access, String id);

    /**
     * All rules by id; half a read unit per 4 KB, about 30 rules.
     *
     * @throws io.menuboard.access.Denied for who may read about one agency only
     */
    Page<CommissionRule> list(Access access, PageRequest page);

    /**
     * The rules that exist of those ids, by id, strongly consistent: one read unit each. To get one that another version wrote throws
     * {@link UnreadableItem}, if this one cannot read it.
     */
    Map<String, Supplier<CommissionRule>> find(Access access, Collection<String> ids);
}
