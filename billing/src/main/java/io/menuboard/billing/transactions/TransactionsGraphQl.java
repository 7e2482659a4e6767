package io.menuboard.billing.transactions;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** {@code billing.graphqls} to what comes in. Fields of records need no fetcher of their own. */
final class TransactionsGraphQl {
    private final Transactions transactions;
    private final CommissionRules rules;
    private final PageLimits limits;

    TransactionsGraphQl(Transactions transactions, CommissionRules rules, PageLimits limits) {
        this.transactions = transactions;
        this.rules = rules;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher(
                        "billableTransaction",
                        args -> transactions.find(transaction(args)).orElse(null))
                .dataFetcher(
                        "billableTransactions",
                        args -> transactions.ofAgency(agency(args), month(args, "month"), page(args)))
                .dataFetcher("agencies", args -> transactions.agencies(page(args)))
                .dataFetcher(
                        "commissionRule", args -> rules.find(text(args, "id")).orElse(null))
                .dataFetcher("commissionRules", args -> rules.list(page(args)))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("recordTransactions", this::recordTransactions)
                .dataFetcher("putCommissionRule", this::putCommissionRule)
                .build();
    }

    static TypeRuntimeWiring transaction() {
        return TypeRuntimeWiring.newTypeWiring("BillableTransaction")
                .dataFetcher("commissionRate", on(Transaction.class, sold -> sold.commission()
                        .rate()))
                .dataFetcher("rounding", on(Transaction.class, sold -> sold.commission()
                        .rounding()))
                .dataFetcher("commissionRule", on(Transaction.class, sold -> sold.commission()
                        .rule()))
                .dataFetcher("quarterHour", on(Transaction.class, sold -> sold.place()
                        .quarter()))
                .build();
    }

    static TypeRuntimeWiring agency() {
        return TypeRuntimeWiring.newTypeWiring("Agency")
                .dataFetcher("id", DataFetchingEnvironment::getSource)
                .build();
    }

    /** A {@link Page} is its own page info: it knows what lies before and after it, and looks only when asked. */
    static TypeRuntimeWiring connection(String type) {
        return TypeRuntimeWiring.newTypeWiring(type)
                .dataFetcher("pageInfo", DataFetchingEnvironment::<Page<?>>getSource)
                .build();
    }

    /** What became of one transaction. */
    record Outcome(
            String status,
            @Nullable Transaction transaction,
            @Nullable RecordTransaction given,
            List<UserError> errors) {}

    /** Answer of recordTransactions. */
    record RecordTransactionsPayload(List<Outcome> outcomes, List<UserError> errors) {}

    private RecordTransactionsPayload recordTransactions(DataFetchingEnvironment args) {
        var inputs = args.<List<Map<String, Object>>>getArgumentOrDefault("inputs", List.of());
        try {
            var outcomes = transactions.recordEach(
                    inputs.stream()
                            .<Supplier<RecordTransaction>>map(input -> new RecordTransactionInput(input)::command)
                            .toList(),
                    actor(args));
            return new RecordTransactionsPayload(
                    IntStream.range(0, inputs.size())
                            .mapToObj(i -> outcome(outcomes.get(i), Integer.toString(i)))
                            .toList(),
                    List.of());
        } catch (InvalidInput e) {
            return new RecordTransactionsPayload(List.of(), UserError.list(e.renamed("inputs")));
        }
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

    private PutCommissionRulePayload putCommissionRule(DataFetchingEnvironment args) {
        Map<String, Object> input = Objects.requireNonNull(args.getArgument("input"));
        try {
            var rule = new CommissionRule(
                    String.valueOf(input.get("id")),
                    (BigDecimal) Objects.requireNonNull(input.get("rate")),
                    Rounding.valueOf(String.valueOf(input.get("rounding"))));
            rules.put(rule, actor(args));
            return new PutCommissionRulePayload(rule, List.of());
        } catch (InvalidInput e) {
            var field = e.field().equals("commissionRate") ? "rate" : "id";
            return new PutCommissionRulePayload(null, UserError.list(e.renamed(field), "input"));
        }
    }

    private static <T> DataFetcher<@Nullable Object> on(Class<T> type, Function<T, @Nullable Object> field) {
        return args -> field.apply(type.cast(Objects.requireNonNull(args.getSource())));
    }

    /** The one door: what logins will replace. */
    private static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    private static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    private static TransactionId transaction(DataFetchingEnvironment args) {
        try {
            return new TransactionId(text(args, "id"));
        } catch (InvalidInput e) {
            throw e.renamed("id");
        }
    }

    private static AgencyId agency(DataFetchingEnvironment args) {
        return new AgencyId(text(args, "agency"));
    }

    private static YearMonth month(DataFetchingEnvironment args, String name) {
        try {
            return YearMonth.parse(text(args, name));
        } catch (DateTimeException _) {
            throw new InvalidInput("INVALID_MONTH", name, name + " must be a month such as 2026-11");
        }
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PageRequest.of(
                args.getArgument("first"),
                args.getArgument("after"),
                args.getArgument("last"),
                args.getArgument("before"),
                limits);
    }
}
