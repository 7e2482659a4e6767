package io.menuboard.pricing.changes;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.ChangeRuleInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code changes.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ChangesGraphQl implements GraphQlModule {
    private static final String KEY = "idempotencyKey";

    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeSetLines lines;
    private final PriceHistory history;
    private final Pricing pricing;

    ChangesGraphQl(
            ChangeSetDrafts drafts, ChangeSets sets, ChangeSetLines lines, PriceHistory history, Pricing pricing) {
        this.drafts = drafts;
        this.sets = sets;
        this.lines = lines;
        this.history = history;
        this.pricing = pricing;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("changes");
        queries(parts);
        change(parts, "previewChangeSet", this::preview);
        change(parts, "refreshPreview", args -> drafts.preview(id(args), args.actor()));
        change(
                parts,
                "applyChangeSet",
                args -> args.get("acceptSuspicious", false)
                        ? sets.applyAccepted(id(args), args.text("token"), args.actor())
                        : sets.apply(id(args), args.text("token"), args.actor()));
        change(parts, "cancelChangeSet", args -> sets.cancel(id(args), args.actor()));
        change(
                parts,
                "rescheduleChangeSet",
                args -> sets.reschedule(id(args), args.get("effectiveDate"), args.actor()));
        change(
                parts,
                "undoChangeSet",
                args -> drafts.draftUndo(id(args), args.text("reason"), args.find(KEY), args.actor()));
        change(parts, "retryChangeSet", args -> drafts.draftRetry(id(args), args.find(KEY), args.actor()));
        parts.object("ChangeSet", ChangeSet.class).field("lines", (set, args) -> {
            String finding = args.find("finding");
            return lines.lines(set.id(), finding == null ? null : Finding.valueOf(finding), args.page());
        });
        parts.object("PriceSubject", PriceSubject.class)
                .field("product", subject -> subject instanceof PriceSubject.Product(var product) ? product : null)
                .field("combo", subject -> subject instanceof PriceSubject.Swap(var combo, var _) ? combo : null)
                .field("option", subject -> subject instanceof PriceSubject.Swap(var _, var option) ? option : null);
    }

    private void queries(SchemaParts parts) {
        parts.query("changeSet", args -> sets.find(id(args)).orElse(null));
        parts.query("changeSets", args -> sets.list(args.page()));
        parts.query(
                "priceHistory",
                args -> history.of(
                        PricingInput.store(args),
                        PricingInput.channel(args),
                        new PriceSubject.Product(PricingInput.product(args)),
                        args.page()));
        parts.query("lowestPrice", args -> pricing.lowest(
                        PricingInput.store(args),
                        new PriceSubject.Product(PricingInput.product(args)),
                        PricingInput.channel(args))
                .orElse(null));
    }

    private static void change(SchemaParts parts, String mutation, Function<Arguments, ChangeSetResult> change) {
        parts.mutation(
                mutation,
                args -> ChangeSetPayload.of(change.apply(args)),
                refused -> new ChangeSetPayload(null, UserError.list(refused)));
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

    private ChangeSetResult preview(Arguments args) {
        var draft = draft(args);
        try {
            return drafts.draft(draft, args.find(KEY), args.actor());
        } catch (InvalidInput e) {
            throw e.field().equals(KEY) ? e : e.within("input");
        }
    }

    private static DraftChangeSet draft(Arguments args) {
        var input = args.object("input");
        var rules = new ArrayList<ChangeRule>();
        var given = (List<?>) Objects.requireNonNull(input.get("rules"));
        for (var i = 0; i < given.size(); i++) {
            rules.add(rule(i, given.get(i)));
        }
        return Arguments.within(
                "input",
                () -> new DraftChangeSet(
                        String.valueOf(input.get("name")),
                        String.valueOf(input.get("reason")),
                        (EffectiveDate) input.get("effectiveDate"),
                        rules));
    }

    @SuppressWarnings("unchecked") // the engine has checked it against the schema
    private static ChangeRule rule(int number, Object rule) {
        return Arguments.within("input.rules." + number, () -> new ChangeRuleInput((Map<String, Object>) rule).rule());
    }

    private static ChangeSetId id(Arguments args) {
        try {
            return new ChangeSetId(args.text("id"));
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), "id", "must be a change set's id of 26 capital letters and digits");
        }
    }
}
