package io.menuboard.pricing.changes;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.PricingInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code changes.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ChangesGraphQl {
    private static final String KEY = "idempotencyKey";

    /** Most batches of one answer: a night of a chain of thousands of stores. */
    static final int MOST_BATCHES = 20_000;

    private final ChangeSets sets;
    private final ChangeBatches batches;
    private final PriceHistory history;
    private final Pricing pricing;
    private final PageLimits limits;

    ChangesGraphQl(ChangeSets sets, ChangeBatches batches, PriceHistory history, Pricing pricing, PageLimits limits) {
        this.sets = sets;
        this.batches = batches;
        this.history = history;
        this.pricing = pricing;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("changeSet", args -> sets.find(id(args)).orElse(null))
                .dataFetcher("changeSets", args -> sets.list(page(args)))
                .dataFetcher(
                        "priceChanges",
                        args -> batches.upcoming(
                                PricingInput.store(args),
                                PricingInput.channel(args),
                                args.getArgument("from"),
                                args.getArgument("to"),
                                page(args)))
                .dataFetcher("scheduledBatches", this::scheduledBatches)
                .dataFetcher(
                        "priceHistory",
                        args -> history.of(
                                PricingInput.store(args),
                                PricingInput.channel(args),
                                new PriceSubject.Product(PricingInput.product(args)),
                                page(args)))
                .dataFetcher("lowestPrice", args -> pricing.lowest(
                                PricingInput.store(args), PricingInput.product(args), PricingInput.channel(args))
                        .orElse(null))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("previewChangeSet", change(this::preview))
                .dataFetcher("refreshPreview", change(args -> sets.preview(id(args), actor(args))))
                .dataFetcher(
                        "applyChangeSet",
                        change(args -> sets.apply(
                                id(args),
                                text(args, "token"),
                                args.getArgumentOrDefault("acceptSuspicious", false),
                                actor(args))))
                .dataFetcher("cancelChangeSet", change(args -> sets.cancel(id(args), actor(args))))
                .dataFetcher(
                        "rescheduleChangeSet",
                        change(args -> sets.reschedule(
                                id(args),
                                Objects.requireNonNull(args.<EffectiveDate>getArgument("effectiveDate")),
                                actor(args))))
                .dataFetcher(
                        "undoChangeSet",
                        change(args ->
                                sets.draftUndo(id(args), text(args, "reason"), args.getArgument(KEY), actor(args))))
                .dataFetcher(
                        "retryChangeSet", change(args -> sets.draftRetry(id(args), args.getArgument(KEY), actor(args))))
                .build();
    }

    TypeRuntimeWiring changeSet() {
        return TypeRuntimeWiring.newTypeWiring("ChangeSet")
                .dataFetcher("lines", args -> {
                    String finding = args.getArgument("finding");
                    return sets.lines(
                            Objects.requireNonNull(args.<ChangeSet>getSource()).id(),
                            finding == null ? null : Finding.valueOf(finding),
                            page(args));
                })
                .build();
    }

    TypeRuntimeWiring subject() {
        return TypeRuntimeWiring.newTypeWiring("PriceSubject")
                .dataFetcher(
                        "product",
                        args -> args.getSource() instanceof PriceSubject.Product(var product) ? product : null)
                .dataFetcher(
                        "combo", args -> args.getSource() instanceof PriceSubject.Swap(var combo, var _) ? combo : null)
                .dataFetcher(
                        "option",
                        args -> args.getSource() instanceof PriceSubject.Swap(var _, var option) ? option : null)
                .build();
    }

    TypeRuntimeWiring batch() {
        return TypeRuntimeWiring.newTypeWiring("ScheduledBatch")
                .dataFetcher("store", args -> batch(args).batch().store())
                .dataFetcher("channel", args -> batch(args).batch().channel())
                .dataFetcher("effectiveDate", args -> batch(args).batch().effectiveDate())
                .dataFetcher("startsAt", args -> batch(args).at())
                .dataFetcher("changeSets", args -> batch(args).changes().keySet())
                .build();
    }

    private static ChangeBatches.Scheduled batch(DataFetchingEnvironment field) {
        return Objects.requireNonNull(field.getSource());
    }

    /** Answer of a mutation that is about one set. */
    record ChangeSetPayload(@Nullable ChangeSet changeSet, List<UserError> errors) {

        static ChangeSetPayload of(ChangeSetResult result) {
            return switch (result) {
                case ChangeSetResult.Done(var set) -> new ChangeSetPayload(set, List.of());
                case ChangeSetResult.Stale(var set) ->
                    new ChangeSetPayload(
                            set,
                            UserError.list(
                                    "PREVIEW_STALE",
                                    "token must be of the latest preview, which prices still are as it saw them:"
                                            + " preview again",
                                    "token"));
                case ChangeSetResult.Suspicious(var set) ->
                    new ChangeSetPayload(
                            set,
                            UserError.list(
                                    "SUSPICIOUS_LINES",
                                    "acceptSuspicious must be true where lines need acceptance, of which there are "
                                            + Objects.requireNonNull(set.summary())
                                                    .needsAcceptance(),
                                    "acceptSuspicious"));
                case ChangeSetResult.NotAllowed(var set, var rule) ->
                    new ChangeSetPayload(set, UserError.list("NOT_ALLOWED", rule, "id"));
                case ChangeSetResult.NotFound(var id) ->
                    new ChangeSetPayload(null, UserError.list("NOT_FOUND", "there is no change set " + id, "id"));
                case ChangeSetResult.KeyReused(var existing, var key) ->
                    new ChangeSetPayload(
                            null,
                            UserError.list(
                                    "IDEMPOTENCY_KEY_REUSED",
                                    KEY + " must be another one for another request: with " + key + ", change set "
                                            + existing + " was drafted",
                                    KEY));
            };
        }
    }

    private static DataFetcher<ChangeSetPayload> change(Function<DataFetchingEnvironment, ChangeSetResult> change) {
        return args -> {
            try {
                return ChangeSetPayload.of(change.apply(args));
            } catch (InvalidInput e) {
                return new ChangeSetPayload(null, UserError.list(e));
            }
        };
    }

    private ChangeSetResult preview(DataFetchingEnvironment args) {
        var draft = draft(args);
        try {
            return sets.draft(draft, args.getArgument(KEY), actor(args));
        } catch (InvalidInput e) {
            throw e.field().equals(KEY) ? e : at("input", e);
        }
    }

    // ---- arguments

    private static DraftChangeSet draft(DataFetchingEnvironment args) {
        Map<String, Object> input = Objects.requireNonNull(args.getArgument("input"));
        var rules = new ArrayList<ChangeRule>();
        var given = (List<?>) Objects.requireNonNull(input.get("rules"));
        for (var i = 0; i < given.size(); i++) {
            rules.add(rule(i, given.get(i)));
        }
        try {
            return new DraftChangeSet(
                    String.valueOf(input.get("name")),
                    String.valueOf(input.get("reason")),
                    (EffectiveDate) input.get("effectiveDate"),
                    rules);
        } catch (InvalidInput e) {
            throw at("input", e);
        }
    }

    @SuppressWarnings("unchecked") // the engine has checked it against the schema
    private static ChangeRule rule(int number, Object rule) {
        try {
            return new ChangeRuleInput((Map<String, Object>) rule).rule();
        } catch (InvalidInput e) {
            throw at("input.rules." + number, e);
        }
    }

    private static InvalidInput at(String path, InvalidInput refused) {
        return new InvalidInput(refused.code(), path + "." + refused.field(), refused.getMessage());
    }

    /** The one door: what logins will replace. */
    private static Actor actor(DataFetchingEnvironment args) {
        return args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
    }

    private static String text(DataFetchingEnvironment args, String name) {
        return args.<String>getArgumentOrDefault(name, "");
    }

    private static ChangeSetId id(DataFetchingEnvironment args) {
        try {
            return new ChangeSetId(text(args, "id"));
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), "id", "id must be a change set's id of 26 capital letters and digits");
        }
    }

    private List<ChangeBatches.Scheduled> scheduledBatches(DataFetchingEnvironment args) {
        var found = batches.between(instant(args, "from"), instant(args, "to"));
        if (found.size() > MOST_BATCHES) {
            throw new InvalidInput(
                    "RANGE_TOO_LARGE",
                    "to",
                    "to must be nearer to from: at most " + MOST_BATCHES + " batches are listed, and there are "
                            + found.size());
        }
        return found;
    }

    private static Instant instant(DataFetchingEnvironment args, String name) {
        return Objects.requireNonNull(args.<Instant>getArgument(name));
    }

    private PageRequest page(DataFetchingEnvironment args) {
        return PricingInput.page(args, limits);
    }
}
