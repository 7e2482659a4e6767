package io.menuboard.billing.transactions;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code billing.graphqls} to what comes in. Fields of records need no fetcher of their own. */
final class TransactionsGraphQl implements GraphQlModule {
    private final Transactions transactions;
    private final CommissionRules rules;

    TransactionsGraphQl(Transactions transactions, CommissionRules rules) {
        this.transactions = transactions;
        this.rules = rules;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("billing");
        parts.query(
                "billableTransaction",
                args -> transactions.find(transaction(args)).orElse(null));
        parts.query(
                "billableTransactions", args -> transactions.ofAgency(agency(args), month(args, "month"), args.page()));
        parts.query("agencies", args -> transactions.agencies(args.page()));
        parts.query("commissionRule", args -> rules.find(args.text("id")).orElse(null));
        parts.query("commissionRules", args -> rules.list(args.page()));
        parts.mutation(
                "recordTransactions",
                this::recordTransactions,
                refused -> new RecordTransactionsPayload(List.of(), UserError.list(refused.renamed("inputs"))));
        parts.mutation("putCommissionRule", this::putCommissionRule, refused -> {
            var field = refused.field().equals("commissionRate") ? "rate" : "id";
            return new PutCommissionRulePayload(null, UserError.list(refused.renamed(field), "input"));
        });
        parts.object("BillableTransaction", Transaction.class)
                .field("commissionRate", sold -> sold.commission().rate())
                .field("rounding", sold -> sold.commission().rounding())
                .field("commissionRule", sold -> sold.commission().rule())
                .field(
                        "recordedBy",
                        sold -> sold.recordedBy() == null ? null : DynamoTransactionItems.recordedBy(sold.recordedBy()))
                .field("quarterHour", sold -> sold.place().quarter());
        parts.object("Agency", AgencyId.class).field("id", agency -> agency);
    }

    /** Outcome of one transaction. */
    record Outcome(
            String status,
            @Nullable Transaction transaction,
            @Nullable RecordTransaction given,
            List<UserError> errors) {}

    /** Answer of recordTransactions. */
    record RecordTransactionsPayload(List<Outcome> outcomes, List<UserError> errors) {}

    private RecordTransactionsPayload recordTransactions(Arguments args) {
        var inputs = args.objects("inputs");
        var outcomes = transactions.recordEach(
                inputs.stream()
                        .<Supplier<RecordTransaction>>map(input -> new RecordTransactionInput(input)::command)
                        .toList(),
                args.actor());
        return new RecordTransactionsPayload(
                IntStream.range(0, inputs.size())
                        .mapToObj(i -> outcome(outcomes.get(i), Integer.toString(i)))
                        .toList(),
                List.of());
    }

    private static Outcome outcome(RecordOutcome outcome, String index) {
        return switch (outcome) {
            case RecordOutcome.Recorded(var transaction) -> new Outcome("RECORDED", transaction, null, List.of());
            case RecordOutcome.Replayed(var transaction) -> new Outcome("REPLAYED", transaction, null, List.of());
            case RecordOutcome.Conflict(var existing, var given) ->
                new Outcome(
                        "CONFLICT",
                        existing,
                        given,
                        UserError.list(
                                "ID_TAKEN",
                                "id must be another one for another transaction than that recorded as " + existing.id(),
                                "inputs",
                                index,
                                "id"));
            case RecordOutcome.Refused(var reason) ->
                new Outcome("REFUSED", null, null, UserError.list(reason, "inputs", index));
            case RecordOutcome.NotSaved(var id) ->
                new Outcome(
                        "NOT_SAVED",
                        null,
                        null,
                        UserError.list(
                                "NOT_SAVED",
                                "transaction " + id + " may not be recorded: record it again",
                                "inputs",
                                index));
        };
    }

    /** Answer of putCommissionRule. */
    record PutCommissionRulePayload(@Nullable CommissionRule commissionRule, List<UserError> errors) {}

    private PutCommissionRulePayload putCommissionRule(Arguments args) {
        var input = args.object("input");
        var rule = new CommissionRule(
                String.valueOf(input.get("id")),
                (BigDecimal) Objects.requireNonNull(input.get("rate")),
                Rounding.valueOf(String.valueOf(input.get("rounding"))));
        rules.put(rule, args.actor());
        return new PutCommissionRulePayload(rule, List.of());
    }

    private static TransactionId transaction(Arguments args) {
        return Arguments.named("id", () -> new TransactionId(args.text("id")));
    }

    private static AgencyId agency(Arguments args) {
        return new AgencyId(args.text("agency"));
    }

    private static YearMonth month(Arguments args, String name) {
        try {
            return YearMonth.parse(args.text(name));
        } catch (DateTimeException _) {
            throw new InvalidInput("INVALID_MONTH", name, "must be a month such as 2026-11");
        }
    }
}
