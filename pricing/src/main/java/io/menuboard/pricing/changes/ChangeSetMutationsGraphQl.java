package io.menuboard.pricing.changes;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.ChangeRuleInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Mutations of change sets of {@code changes.graphqls} to use cases. */
final class ChangeSetMutationsGraphQl implements GraphQlModule {
    private static final String KEY = "idempotencyKey";

    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeSetApprovals approvals;

    ChangeSetMutationsGraphQl(ChangeSetDrafts drafts, ChangeSets sets, ChangeSetApprovals approvals) {
        this.drafts = drafts;
        this.sets = sets;
        this.approvals = approvals;
    }

    @Override
    public void contribute(SchemaParts parts) {
        drafting(parts, "createChangeSet", args -> drafts.draft(args.access(), draft(args), args.find(KEY)));
        drafting(
                parts,
                "draftUndo",
                args -> drafts.draftUndo(args.access(), id(args), args.text("reason"), args.find(KEY)));
        drafting(parts, "draftRetry", args -> drafts.draftRetry(args.access(), id(args), args.find(KEY)));
        change(parts, "refreshPreview", args -> Arguments.at("id", () -> drafts.preview(args.access(), id(args))));
        change(
                parts,
                "applyChangeSet",
                args -> args.get("acceptSuspicious", false)
                        ? sets.applyAccepted(args.access(), id(args), args.text("token"))
                        : sets.apply(args.access(), id(args), args.text("token")));
        change(parts, "requestApproval", args -> approvals.request(args.access(), id(args), args.text("token")));
        change(parts, "approveChangeSet", args -> approvals.approve(args.access(), id(args), args.text("token")));
        change(
                parts,
                "rejectChangeSet",
                args -> approvals.reject(args.access(), id(args), args.text("token"), args.text("reason")));
        change(parts, "cancelChangeSet", args -> sets.cancel(args.access(), id(args)));
        change(
                parts,
                "rescheduleChangeSet",
                args -> sets.reschedule(args.access(), id(args), args.get("effectiveDate")));
    }

    /** The argument {@code id}. */
    static ChangeSetId id(Arguments args) {
        var key = args.key("id", "ChangeSet");
        try {
            return new ChangeSetId(key);
        } catch (InvalidInput e) {
            throw new InvalidInput(e.code(), "id", "must be a change set's id of 26 capital letters and digits");
        }
    }

    /** Key of a set that an object names; null for none. */
    static @Nullable String key(@Nullable ChangeSetId id) {
        return id == null ? null : id.value();
    }

    private static void change(SchemaParts parts, String mutation, Function<Arguments, ChangeSetResult> change) {
        parts.mutation(mutation, args -> Payload.of(change.apply(args)));
    }

    /** A mutation that makes a set, once for each key. */
    private static void drafting(SchemaParts parts, String mutation, Function<Arguments, ChangeSetResult> change) {
        change(parts, mutation, change);
        var payload = Character.toUpperCase(mutation.charAt(0)) + mutation.substring(1) + "Payload";
        parts.object(payload, Payload.class)
                .reference("existingChangeSet", "ChangeSet", refused -> key(refused.existing()));
    }

    /**
     * Answer of a mutation that is about one set.
     *
     * @param existing set that the idempotency key belongs to, where it belongs to another request
     * @param isNew of mutations that make a set, whether this request made it; null where it was refused
     */
    record Payload(
            @Nullable ChangeSet changeSet,
            @Nullable ChangeSetId existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {

        static Payload of(ChangeSetResult result) {
            return switch (result) {
                case ChangeSetResult.Done(var set, var isNew) -> new Payload(set, null, isNew, List.of());
                case ChangeSetResult.Stale(var set) ->
                    refused(
                            set,
                            "PREVIEW_STALE",
                            "token must be of the latest preview, which prices still are as it saw them: preview again",
                            "token");
                case ChangeSetResult.Suspicious(var set) ->
                    refused(
                            set,
                            "SUSPICIOUS_LINES",
                            "acceptSuspicious must be true where lines need acceptance, of which there are "
                                    + Objects.requireNonNull(set.summary()).needsAcceptance(),
                            "acceptSuspicious");
                case ChangeSetResult.NeedsApproval(var set, var status) ->
                    refused(
                            set,
                            "APPROVAL_REQUIRED",
                            "id must be of a change set that a second person has approved; its approval is " + status,
                            "id");
                case ChangeSetResult.NotAllowed(var set, var rule) -> refused(set, "NOT_ALLOWED", rule, "id");
                case ChangeSetResult.NotFound(var id) ->
                    refused(null, "NOT_FOUND", "there is no change set " + id, "id");
                case ChangeSetResult.KeyReused(var existing, var key) -> {
                    var rule = KEY + " must be another one for another request: with " + key + ", change set "
                            + existing + " was drafted";
                    yield new Payload(null, existing, null, errors("IDEMPOTENCY_KEY_REUSED", rule, KEY));
                }
            };
        }

        private static Payload refused(@Nullable ChangeSet set, String code, String message, String field) {
            return new Payload(set, null, null, errors(code, message, field));
        }

        private static List<UserError> errors(String code, String message, String field) {
            return UserError.list(code, message, "input", field);
        }
    }

    private static DraftChangeSet draft(Arguments args) {
        var rules = new ArrayList<ChangeRule>();
        for (var given : args.objects("rules")) {
            rules.add(rule(rules.size(), given));
        }
        return new DraftChangeSet(args.text("name"), args.text("reason"), args.find("effectiveDate"), rules);
    }

    private static ChangeRule rule(int number, Map<String, Object> rule) {
        return Arguments.within("rules." + number, () -> new ChangeRuleInput(rule).rule());
    }
}
