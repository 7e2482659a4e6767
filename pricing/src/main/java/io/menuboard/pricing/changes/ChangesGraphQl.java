package io.menuboard.pricing.changes;

import static io.menuboard.pricing.changes.ChangeSetMutationsGraphQl.key;
import static java.util.stream.Collectors.toSet;

import io.menuboard.access.Access;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.PriceHistory;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.approvals.Approval.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Queries of {@code changes.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ChangesGraphQl implements GraphQlModule {
    private final ChangeSets sets;
    private final ChangeSetApprovals approvals;
    private final ChangeSetLines lines;
    private final PriceHistory history;
    private final Pricing pricing;
    private final Stores stores;

    ChangesGraphQl(
            ChangeSets sets,
            ChangeSetApprovals approvals,
            ChangeSetLines lines,
            PriceHistory history,
            Pricing pricing,
            Stores stores) {
        this.sets = sets;
        this.approvals = approvals;
        this.lines = lines;
        this.history = history;
        this.pricing = pricing;
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("changes");
        parts.definitions("approvals");
        parts.query("changeSet", args -> sets.find(args.access(), ChangeSetMutationsGraphQl.id(args))
                .orElse(null));
        parts.query("changeSets", this::changeSets);
        parts.query("changeSetsToApprove", args -> approvals.waiting(args.access(), args.page()));
        parts.query("priceHistory", this::priceHistory);
        parts.query("lowestPrice", this::lowestPrice);
        Function<ChangeSet, String> key = set -> set.id().value();
        BiFunction<Access, List<ChangeSetId>, List<ChangeSet>> read = sets::findAll;
        parts.node("ChangeSet", ChangeSet.class, key, SchemaParts.NodeReader.of(ChangeSetId::new, read, key))
                .field("key", ChangeSet::id)
                .field("createdBy", ChangeSet::actor)
                .field("failedLines", ChangeSet::failed)
                .field("events", set -> set.data().events())
                .field("approval", (set, args) -> approvals
                        .standing(args.access(), set)
                        .map(standing -> new ApprovalOfSet(set, standing))
                        .orElse(null))
                .reference("task", "Task", set -> text(set.task()))
                .reference("undoOf", "ChangeSet", set -> key(set.undoes()))
                .field("undoOfKey", ChangeSet::undoes)
                .reference("undo", "ChangeSet", set -> key(set.undoneBy()))
                .reference("retryOf", "ChangeSet", set -> key(set.retries()))
                .field("retryOfKey", ChangeSet::retries)
                .reference("import", "Import", set -> text(set.imported()))
                .batch("lines", (all, args) -> {
                    String finding = args.find("finding");
                    return lines.lines(
                            args.access(), all, finding == null ? null : Finding.valueOf(finding), args.page());
                });
        parts.object("ChangeSetApproval", ApprovalOfSet.class)
                .field("status", of -> of.standing().status())
                .field("reasons", of -> of.standing().reasons())
                .batch(
                        "approvers",
                        (all, args) -> approvals.approvers(
                                args.access(),
                                all.stream().map(ApprovalOfSet::set).toList()))
                .field(
                        "requestedBy",
                        of -> of.approval().map(Approval::requestedBy).orElse(null))
                .field(
                        "requestedAt",
                        of -> of.approval().map(Approval::requestedAt).orElse(null))
                .field("decidedBy", of -> of.decision().map(Decision::by).orElse(null))
                .field("decidedAt", of -> of.decision().map(Decision::at).orElse(null))
                .field("rejectionReason", of -> of.decision()
                        .filter(made -> !made.isApproved())
                        .map(Decision::reason)
                        .orElse(null));
        parts.object("ChangeSetEvent", ChangeSetData.Event.class)
                .field("doneAt", ChangeSetData.Event::at)
                .field("doneBy", ChangeSetData.Event::actor);
        parts.object("ChangeSetSummary", ChangeSetSummary.class)
                .field("firstStartsAt", ChangeSetSummary::firstInstant)
                .field("lastStartsAt", ChangeSetSummary::lastInstant);
        parts.object("ChangeLine", ChangeLine.class)
                .field("storeKey", ChangeLine::store)
                .reference("store", PricingInput.STORE, line -> line.store().value());
        parts.object("PriceHistoryEntry", PriceHistoryEntry.class)
                .field("startsAt", PriceHistoryEntry::at)
                .field("changeSetKey", PriceHistoryEntry::changeSet)
                .field("changedBy", PriceHistoryEntry::actor)
                .reference("changeSet", "ChangeSet", entry -> key(entry.changeSet()));
        parts.object("PriceSubject", PriceSubject.class)
                .field("product", subject -> subject instanceof PriceSubject.Product(var product) ? product : null)
                .field("combo", subject -> subject instanceof PriceSubject.Swap(var combo, var _) ? combo : null)
                .field("option", subject -> subject instanceof PriceSubject.Swap(var _, var option) ? option : null);
    }

    /** Answer about approval, and the set that it is of. */
    record ApprovalOfSet(ChangeSet set, ChangeSetApprovals.Standing standing) {
        private Optional<Approval> approval() {
            return Optional.ofNullable(standing.approval());
        }

        private Optional<Decision> decision() {
            return approval().flatMap(approval -> Optional.ofNullable(approval.decision()));
        }
    }

    private Object changeSets(Arguments args) {
        var filter = args.object("filter");
        return filter.isEmpty()
                ? sets.list(args.access(), args.page())
                : sets.list(args.access(), filter(filter), args.page());
    }

    private static ChangeSets.Filter filter(Map<String, Object> fields) {
        var statuses = fields.get("statuses") instanceof List<?> names
                ? names.stream()
                        .map(name -> ChangeSetStatus.valueOf(name.toString()))
                        .collect(toSet())
                : Set.<ChangeSetStatus>of();
        return Arguments.within("filter", () -> {
            if (fields.get("statuses") != null && statuses.isEmpty()) {
                throw new InvalidInput("INVALID_FILTER", "statuses", "must name at least one status");
            }
            return new ChangeSets.Filter(
                    statuses,
                    (String) fields.get("createdBy"),
                    (String) fields.get("name"),
                    (Instant) fields.get("createdFrom"),
                    (Instant) fields.get("createdUntil"));
        });
    }

    private @Nullable Object priceHistory(Arguments args) {
        var subject = new PriceSubject.Product(PricingInput.product(args));
        var channel = PricingInput.channel(args);
        var page = args.page();
        return stores.find(args.access(), PricingInput.store(args))
                .map(store -> history.of(args.access(), store.id(), channel, subject, page))
                .orElse(null);
    }

    private @Nullable Object lowestPrice(Arguments args) {
        var subject = new PriceSubject.Product(PricingInput.product(args));
        var channel = PricingInput.channel(args);
        return stores.find(args.access(), PricingInput.store(args))
                .flatMap(store -> pricing.lowest(args.access(), store.id(), subject, channel))
                .orElse(null);
    }

    private static @Nullable String text(@Nullable Object id) {
        return Optional.ofNullable(id).map(Object::toString).orElse(null);
    }
}
