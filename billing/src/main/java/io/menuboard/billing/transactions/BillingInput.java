package io.menuboard.billing.transactions;

import io.menuboard.graphql.Arguments;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;

/** Names of types of the schema, and arguments of fields about billing. Each throws {@link InvalidInput} naming field and rule. */
public final class BillingInput {
    public static final String AGENCY = "Agency";
    public static final String TRANSACTION = "BillableTransaction";
    public static final String COMMISSION_RULE = "CommissionRule";

    private BillingInput() {}

    /** The argument {@code agency}. */
    public static AgencyId agency(Arguments args) {
        return new AgencyId(args.key("agency", AGENCY));
    }

    /** The argument {@code id}, of a transaction. */
    static TransactionId transaction(Arguments args) {
        return Arguments.named("id", () -> new TransactionId(args.key("id", TRANSACTION)));
    }

    /** The argument {@code id}, of a commission rule. */
    static String rule(Arguments args) {
        return rule(args.key("id", COMMISSION_RULE));
    }

    /** The same id, if a commission rule can have it. */
    static String rule(String id) {
        Ids.check("id", id);
        return id;
    }
}
