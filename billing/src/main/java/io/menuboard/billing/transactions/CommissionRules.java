package io.menuboard.billing.transactions;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The rates that transactions may name: items {@code BILLRULES}/{@code {id}}. Thread-safe. */
public final class CommissionRules {
    private static final String PARTITION = "BILLRULES";

    private final QueryDb db;
    private final AuditTrail audit;

    CommissionRules(QueryDb db, AuditTrail audit) {
        this.db = db;
        this.audit = audit;
    }

    /** Adds the rule, or changes the one of its id. Six write units, its audit record included. */
    public void put(CommissionRule rule, Actor actor) {
        db.transact(List.of(
                Write.put(
                        Item.at(key(rule.id()))
                                .type("commissionRule")
                                .number("rate", rule.rate())
                                .string("rounding", rule.rounding().name())
                                .build(),
                        SaveMode.ANY),
                audit.write(
                        actor,
                        "COMMISSION-RULE#" + rule.id(),
                        "put",
                        Map.of(
                                "rate",
                                rule.rate().toPlainString(),
                                "rounding",
                                rule.rounding().name()))));
    }

    /**
     * Half a read unit.
     *
     * @throws io.menuboard.querydb.UnreadableItem where another version wrote it and this one cannot read it
     */
    public Optional<CommissionRule> find(String id) {
        return db.get(key(id)).map(this::read);
    }

    /** By id; half a read unit per 4 KB, about 30 rules. */
    public Page<CommissionRule> list(PageRequest page) {
        return db.query(Query.table("commission rules", PARTITION), CommissionRules::rule, page);
    }

    /**
     * Those of the rules that there are, by id; half a read unit each. To get one that another version wrote throws
     * {@link io.menuboard.querydb.UnreadableItem}, if this one cannot read it.
     */
    public Map<String, Supplier<CommissionRule>> find(Collection<String> ids) {
        var rules = new HashMap<String, Supplier<CommissionRule>>();
        db.getBatch(ids.stream().distinct().map(CommissionRules::key).toList())
                .forEach(found -> found.ifPresent(item -> rules.put(item.key().sort(), () -> read(item))));
        return rules;
    }

    private CommissionRule read(Item item) {
        return db.read(item, CommissionRules::rule);
    }

    private static Key key(String id) {
        return new Key(PARTITION, id);
    }

    private static CommissionRule rule(Item item) {
        return new CommissionRule(item.key().sort(), item.number("rate"), Rounding.valueOf(item.string("rounding")));
    }
}
