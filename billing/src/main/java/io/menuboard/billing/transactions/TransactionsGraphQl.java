package io.menuboard.billing.transactions;

import static io.menuboard.billing.transactions.BillingInput.AGENCY;
import static io.menuboard.billing.transactions.BillingInput.COMMISSION_RULE;
import static io.menuboard.billing.transactions.BillingInput.TRANSACTION;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.UserError;
import io.menuboard.querydb.requests.Concurrently;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code billing.graphqls} to what comes in. Fields of records need no fetcher of their own. */
final class TransactionsGraphQl implements GraphQlModule {
    private static final int LISTS_AT_ONCE = 4;
    private static final Duration LONGEST_RANGE = Duration.ofDays(31);

    private final Transactions transactions;
    private final CommissionRules rules;

    TransactionsGraphQl(Transactions transactions, CommissionRules rules) {
        this.transactions = transactions;
        this.rules = rules;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("billing");
        parts.query("billableTransaction", args -> transactions
                .find(args.access(), BillingInput.transaction(args))
                .orElse(null));
        parts.query("billableTransactions", args -> {
            var range = Range.of(args);
            var agency = BillingInput.agency(args);
            return transactions.isAgency(args.access(), agency) ? range.of(transactions, agency, args) : null;
        });
        parts.query("agency", args -> {
            var agency = Arguments.named("id", () -> new AgencyId(args.key("id", AGENCY)));
            return transactions.isAgency(args.access(), agency) ? agency : null;
        });
        parts.query("agencies", args -> transactions.agencies(args.access(), args.page()));
        parts.query("commissionRule", args -> rules.find(args.access(), BillingInput.rule(args))
                .orElse(null));
        parts.query("commissionRules", args -> rules.list(args.access(), args.page()));
        parts.mutation("recordTransactions", this::recordTransactions);
        parts.mutation("setCommissionRule", this::setCommissionRule);
        nodes(parts);
    }

    private void nodes(SchemaParts parts) {
        parts.node(
                        TRANSACTION,
                        Transaction.class,
                        sold -> sold.id().value(),
                        NodeReader.of(TransactionId::new, transactions::findAll, sold -> sold.id()
                                .value()))
                .field("key", Transaction::id)
                .reference("product", "Product", Transaction::product)
                .field("productKey", Transaction::product)
                .field("commissionRate", sold -> sold.commission().rate())
                .field("rounding", sold -> sold.commission().rounding())
                .reference("commissionRule", COMMISSION_RULE, sold -> sold.commission()
                        .rule())
                .field("quarterHourStartsAt", sold -> sold.place().quarter().start())
                .reference("corrects", TRANSACTION, sold -> {
                    var corrected = sold.corrects();
                    return corrected == null ? null : corrected.value();
                });
        parts.node(
                        AGENCY,
                        AgencyId.class,
                        AgencyId::value,
                        NodeReader.of(AgencyId::new, transactions::findAgencies, AgencyId::value))
                .field("key", AgencyId::value)
                .batch("transactions", (agencies, args) -> {
                    var range = Range.of(args);
                    return Concurrently.map(LISTS_AT_ONCE, agencies, agency -> range.of(transactions, agency, args));
                });
        parts.node(
                        COMMISSION_RULE,
                        CommissionRule.class,
                        CommissionRule::id,
                        NodeReader.of(
                                BillingInput::rule,
                                (access, ids) -> rules.find(access, ids).values().stream()
                                        .map(Supplier::get)
                                        .toList(),
                                CommissionRule::id))
                .field("key", CommissionRule::id)
                .field(
                        "updatedAt",
                        rule -> rule.updated() == null ? null : rule.updated().at())
                .field(
                        "updatedBy",
                        rule -> rule.updated() == null ? null : rule.updated().by());
    }

    /** The arguments {@code from} and {@code to}. */
    private record Range(Instant from, Instant to) {
        static Range of(Arguments args) {
            var range = new Range(args.get("from"), args.get("to"));
            if (!range.from.isBefore(range.to)
                    || Duration.between(range.from, range.to).compareTo(LONGEST_RANGE) > 0) {
                throw new InvalidInput("INVALID_RANGE", "to", "must be after from, and at most 31 days after it");
            }
            return range;
        }

        Page<Transaction> of(Transactions transactions, AgencyId agency, Arguments args) {
            return transactions.ofAgency(args.access(), agency, from, to, args.page());
        }
    }

    /** Outcome of one transaction. */
    record Outcome(
            @Nullable Transaction transaction,
            @Nullable Boolean isNew,
            @Nullable Transaction existingTransaction,
            List<UserError> errors) {

        static Outcome recorded(Transaction transaction, boolean isNew) {
            return new Outcome(transaction, isNew, null, List.of());
        }

        static Outcome refused(InvalidInput reason, int index) {
            return new Outcome(
                    null, null, null, UserError.list(reason, "input", "transactions", Integer.toString(index)));
        }
    }

    /** Answer of recordTransactions. */
    record RecordTransactionsPayload(List<Outcome> outcomes, List<UserError> errors) {}

    private RecordTransactionsPayload recordTransactions(Arguments args) {
        var inputs = args.objects("transactions");
        var outcomes = transactions.recordEach(
                args.access(),
                inputs.stream()
                        .<Supplier<RecordTransaction>>map(input -> new RecordTransactionInput(input)::command)
                        .toList());
        return new RecordTransactionsPayload(
                IntStream.range(0, inputs.size())
                        .mapToObj(i -> outcome(outcomes.get(i), i))
                        .toList(),
                List.of());
    }

    private static Outcome outcome(RecordOutcome outcome, int index) {
        return switch (outcome) {
            case RecordOutcome.Recorded(var transaction) -> Outcome.recorded(transaction, true);
            case RecordOutcome.Replayed(var transaction) -> Outcome.recorded(transaction, false);
            case RecordOutcome.Conflict(var existing, var _) -> {
                var taken = new InvalidInput(
                        "KEY_TAKEN",
                        "key",
                        "must be another one for another transaction than that recorded as " + existing.id());
                yield new Outcome(
                        null, null, existing, Outcome.refused(taken, index).errors());
            }
            case RecordOutcome.Refused(var reason) -> Outcome.refused(reason, index);
            case RecordOutcome.NotSaved(var id) ->
                Outcome.refused(
                        InvalidInput.sentence(
                                "NOT_SAVED", "key", "transaction " + id + " may not be recorded: record it again"),
                        index);
        };
    }

    /** Answer of setCommissionRule. */
    record SetCommissionRulePayload(CommissionRule commissionRule, List<UserError> errors) {}

    private SetCommissionRulePayload setCommissionRule(Arguments args) {
        var id = BillingInput.rule(args);
        var rule = Arguments.named(
                "rate",
                () -> new CommissionRule(id, args.<BigDecimal>get("rate"), Rounding.valueOf(args.text("rounding"))));
        return new SetCommissionRulePayload(rules.put(args.access(), rule), List.of());
    }
}
