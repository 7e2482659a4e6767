package io.menuboard.billing.transactions;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Condition;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.Write;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commission rules in the table: {@code BILLRULES}/{@code {id}}. */
final class DynamoCommissionRules implements CommissionRules {
    private static final String PARTITION = "BILLRULES";
    private static final String RATE = "rate";
    private static final String ROUNDING = "rounding";
    private static final String UPDATED_AT = "updatedAt";
    private static final String UPDATED_BY = "updatedBy";
    private static final int RACES = 32;

    private final QueryDb db;
    private final AuditTrail audit;
    private final Clock clock;

    DynamoCommissionRules(QueryDb db, AuditTrail audit, Clock clock) {
        this.db = db;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public CommissionRule put(Access access, CommissionRule rule) {
        access.requireForAll(Permission.BILLING_RUN);
        var former = db.get(key(rule.id()), Consistency.STRONG);
        for (var races = 0; ; races++) {
            try {
                return put(access, rule, former);
            } catch (ConditionFailed e) {
                if (races == RACES) {
                    throw e;
                }
                // Somebody else has set it meanwhile, and the record is to say from what it was changed.
                former = e.current(key(rule.id()));
            }
        }
    }

    @Override
    public boolean replace(Access access, CommissionRule rule, @Nullable CommissionRule before) {
        access.requireForAll(Permission.BILLING_RUN);
        try {
            var _ = put(access, rule, Optional.ofNullable(before).map(DynamoCommissionRules::item));
            return true;
        } catch (ConditionFailed e) {
            var now = e.current(key(rule.id()));
            // So it is where the reply to the first request was lost.
            return now.isPresent() && isSame(read(now.get()), rule);
        }
    }

    private static boolean isSame(CommissionRule one, CommissionRule other) {
        return one.rate().compareTo(other.rate()) == 0 && one.rounding() == other.rounding();
    }

    private static Item item(CommissionRule rule) {
        var item = Item.at(key(rule.id()))
                .type("commissionRule")
                .number(RATE, rule.rate())
                .string(ROUNDING, rule.rounding().name());
        var updated = rule.updated();
        if (updated != null) {
            item.string(UPDATED_AT, updated.at().toString())
                    .string(UPDATED_BY, updated.by().text());
        }
        return item.build();
    }

    private CommissionRule put(Access access, CommissionRule asked, Optional<Item> former) {
        var rule = asked.with(new CommissionRule.Update(clock.instant(), access.actor()));
        var item = item(rule);
        db.transact(List.of(
                former.map(before -> Write.put(item, isStill(before))).orElseGet(() -> Write.put(item, SaveMode.INIT)),
                audit.write(
                        access.actor(), "COMMISSION-RULE#" + rule.id(), "commission rule set", details(former, rule))));
        return rule;
    }

    private static Condition isStill(Item before) {
        var rate = before.findNumber(RATE).map(was -> Condition.equal(RATE, was));
        var rounding = before.findString(ROUNDING).map(was -> Condition.equal(ROUNDING, was));
        return rate.orElseGet(() -> Condition.absent(RATE)).and(rounding.orElseGet(() -> Condition.absent(ROUNDING)));
    }

    /** With what was there as it is written, which another version may know alone. */
    private static Map<String, String> details(Optional<Item> former, CommissionRule rule) {
        var details = new HashMap<String, String>();
        former.ifPresent(before -> {
            before.findNumber(RATE).ifPresent(was -> details.put("rate before", was.toPlainString()));
            before.findString(ROUNDING).ifPresent(was -> details.put("rounding before", was));
        });
        details.put("rate after", rule.rate().toPlainString());
        details.put("rounding after", rule.rounding().name());
        return details;
    }

    @Override
    public Optional<CommissionRule> find(Access access, String id) {
        return mayRead(access) ? db.get(key(id)).map(this::read) : Optional.empty();
    }

    private static boolean mayRead(Access access) {
        access.require(Permission.BILLING_READ);
        return access.isForAll(Permission.BILLING_READ);
    }

    @Override
    public Page<CommissionRule> list(Access access, PageRequest page) {
        access.requireForAll(Permission.BILLING_READ);
        return db.query(Query.table("commission rules", PARTITION), DynamoCommissionRules::rule, page);
    }

    @Override
    public Map<String, Supplier<CommissionRule>> find(Access access, Collection<String> ids) {
        if (!mayRead(access)) {
            return Map.of();
        }
        var rules = new HashMap<String, Supplier<CommissionRule>>();
        db.getBatch(ids.stream().distinct().map(DynamoCommissionRules::key).toList(), Consistency.STRONG)
                .forEach(found -> found.ifPresent(item -> rules.put(item.key().sort(), () -> read(item))));
        return rules;
    }

    private CommissionRule read(Item item) {
        return db.read(item, DynamoCommissionRules::rule);
    }

    private static Key key(String id) {
        return new Key(PARTITION, id);
    }

    private static CommissionRule rule(Item item) {
        var updated = item.findString(UPDATED_AT)
                .map(at -> new CommissionRule.Update(Instant.parse(at), Actor.parse(item.string(UPDATED_BY))))
                .orElse(null);
        return new CommissionRule(
                item.key().sort(), item.number(RATE), Rounding.valueOf(item.string(ROUNDING)), updated);
    }
}
