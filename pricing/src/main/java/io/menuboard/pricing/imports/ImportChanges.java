package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvRecord;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.SaveOutcome;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.DynamoImportedDraft;
import io.menuboard.pricing.changes.RequestedChange;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceEnding;
import io.menuboard.pricing.rules.PriceOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows that are changes of prices of stores that exist: each a rule for one price. */
final class ImportChanges implements ImportFormat<ImportChanges.Draft> {
    private final Access access;
    private final Stores stores;
    private final DynamoImportedDraft imported;

    /** @param access of who may draft changes of some stores; of the others, only that those that they see are there is told */
    ImportChanges(Access access, Stores stores, DynamoImportedDraft imported) {
        this.access = access;
        this.stores = stores;
        this.imported = imported;
    }

    /** @param rule what the row says, null where it says something wrong */
    record Draft(CsvRecord row, @Nullable ChangeRule rule) implements RowDraft {
        @Override
        public @Nullable String key() {
            return rule == null ? null : store(rule) + "#" + channel(rule) + "#" + subject(rule);
        }

        @Override
        public String keyColumn() {
            return rule != null && subject(rule) instanceof PriceSubject.Swap ? "option" : "product";
        }

        @Override
        public String keyRule() {
            return rule != null && subject(rule) instanceof PriceSubject.Swap
                    ? "each store, channel, combo and option"
                    : "each store, channel and product";
        }
    }

    @Override
    public Draft draft(CsvRecord row) {
        var store = row.required("store", StoreId::new);
        var channel = row.optional("channel", Channel::new, Channel.ALL);
        var subject = ImportPrices.subject(row);
        var operation = row.check(
                () -> PriceOperation.of(row.value("operation"), row.decimal("amount"), row.decimal("percent")));
        var ending = row.isEmpty("ending") ? Optional.<PriceEnding>empty() : row.required("ending", PriceEnding::new);
        if (!row.isValid()) {
            return new Draft(row, null);
        }
        return new Draft(
                row,
                row.check(() -> new ChangeRule(
                                new StoreSelection.Listed(List.of(store.orElseThrow())),
                                List.of(subject.orElseThrow()),
                                List.of(channel.orElseThrow()),
                                operation.orElseThrow(),
                                ending.orElse(null)))
                        .orElse(null));
    }

    /** Looks at what rows would change, and keeps that, and the rules; no price changes. */
    @Override
    public List<SaveOutcome> save(List<Draft> drafts) {
        var known = KnownStores.of(
                access,
                stores,
                drafts.stream()
                        .flatMap(draft -> Optional.ofNullable(draft.rule).map(ImportChanges::store).stream())
                        .toList());
        var rules = new ArrayList<ChangeRule>();
        var requested = new ArrayList<RequestedChange>();
        for (var draft : drafts) {
            var rule = draft.rule;
            if (rule == null
                    || !draft.row.isValid()
                    || known.isUnreadable(store(rule))
                    || !mayChange(draft.row, rule, known)) {
                continue;
            }
            rules.add(rule);
            requested.add(new RequestedChange(
                    draft.row.number(),
                    store(rule),
                    channel(rule),
                    subject(rule),
                    null,
                    new RequestedChange.Change.Rule(rule.operation(), rule.ending(), false)));
        }
        var lines = imported.preview(requested).iterator();
        imported.keep(requested.isEmpty() ? 0 : requested.getFirst().number(), rules);
        var outcomes = new ArrayList<SaveOutcome>();
        for (var draft : drafts) {
            var rule = draft.rule;
            if (rule == null || !draft.row.isValid()) {
                continue;
            }
            if (known.isUnreadable(store(rule))) {
                outcomes.add(KnownStores.NOT_SAVED);
            } else {
                ImportPrices.outcome(draft.row, lines.next()).ifPresent(outcomes::add);
            }
        }
        return outcomes;
    }

    private boolean mayChange(CsvRecord row, ChangeRule rule, KnownStores known) {
        if (!known.readable().containsKey(store(rule))) {
            row.refuse(new InvalidInput("UNKNOWN_STORE", "store", "must exist: import it before"));
        } else if (!access.may(
                Permission.PRICES_DRAFT, Scope.Kind.STORES, store(rule).value())) {
            row.refuse(ImportPrices.notPermitted());
        }
        return row.isValid();
    }

    private static StoreId store(ChangeRule rule) {
        return ((StoreSelection.Listed) rule.stores()).stores().getFirst();
    }

    private static Channel channel(ChangeRule rule) {
        return rule.channels().getFirst();
    }

    private static PriceSubject subject(ChangeRule rule) {
        return rule.subjects().getFirst();
    }
}
