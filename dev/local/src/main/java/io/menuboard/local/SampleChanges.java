package io.menuboard.local;

import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceEnding;
import io.menuboard.pricing.rules.PriceOperation;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Change sets as a group's people would have left them: one undone, one in effect, one to come, one to be looked at. */
final class SampleChanges {
    /** Approves what needs a second person by the settings that somebody tries out. */
    private static final Access SECOND = new Access(
            new Principal("sample-james", Actor.Kind.USER, "james.okafor", DemoAccounts.everyRole()),
            Actor.Source.PAGE);

    /** No clock is ahead of this one, so that its tomorrow is to come everywhere. */
    private static final ZoneId EARLIEST_CLOCK = ZoneOffset.ofHours(14);

    /** For as many lines as the sample can have. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Access person;
    private final ChangeSetDrafts drafts;
    private final ChangeSets sets;
    private final ChangeSetApprovals approvals;
    private final List<StoreId> some;
    private final List<SampleMenu.Product> menu;

    private SampleChanges(
            Access person,
            ChangeSetDrafts drafts,
            ChangeSets sets,
            ChangeSetApprovals approvals,
            List<StoreId> some,
            List<SampleMenu.Product> menu) {
        this.person = person;
        this.drafts = drafts;
        this.sets = sets;
        this.approvals = approvals;
        this.some = some;
        this.menu = menu;
    }

    /**
     * Makes them, and answers how many they are.
     *
     * @param person whose sets they are
     * @param some of the stores, for what is not for all
     */
    static int load(
            Access person,
            ChangeSetDrafts drafts,
            ChangeSets sets,
            ChangeSetApprovals approvals,
            List<Store> some,
            int products,
            Instant now) {
        var sample = new SampleChanges(
                person, drafts, sets, approvals, some.stream().map(Store::id).toList(), SampleMenu.products(products));
        sample.undone();
        sample.applied();
        sample.scheduled(
                EffectiveDate.startOf(LocalDate.ofInstant(now, EARLIEST_CLOCK).plusDays(1)));
        sample.suspicious();
        return 5;
    }

    /** Applies what an import drafted, and waits for the end. */
    static void applyImported(Access person, ChangeSets sets, ChangeSetApprovals approvals, ChangeSetId id) {
        apply(person, sets, approvals, sets.find(person, id).orElseThrow());
        await().atMost(PATIENCE)
                .until(
                        () -> sets.find(person, id).orElseThrow(),
                        set -> set.status() != ChangeSetStatus.APPLYING || set.task() == null);
    }

    private void undone() {
        var set = apply(draft("Happy hour", "For the evenings of this week", null, rule(some(), 0, "-20", null)));
        apply(previewed(done(drafts.draftUndo(person, set.id(), "The kitchens were not told", null))));
    }

    private void applied() {
        apply(draft("Cheaper for members", "Answers the offer across the street", null, rule(some(), 1, "-6", null)));
    }

    private void scheduled(EffectiveDate tomorrow) {
        apply(draft("New supplier", "Costs rose", tomorrow, rule(new StoreSelection.All(), 2, "4", null)));
    }

    private void suspicious() {
        draft(
                "Summer menu",
                "As agreed with the regions",
                null,
                rule(some(), 3, "3", new PriceEnding("9")),
                rule(some(), 4, "900", null));
    }

    private StoreSelection some() {
        return new StoreSelection.Listed(some);
    }

    /** @param place on the menu, which may have fewer products */
    private ChangeRule rule(StoreSelection stores, int place, String percent, @Nullable PriceEnding ending) {
        var product = menu.get(place % menu.size()).id();
        return new ChangeRule(
                stores,
                List.of(new PriceSubject.Product(new ProductId(product))),
                List.of(Channel.ALL),
                new PriceOperation.Percent(new BigDecimal(percent)),
                ending);
    }

    private ChangeSet draft(String name, String reason, @Nullable EffectiveDate date, ChangeRule... rules) {
        return previewed(done(drafts.draft(person, new DraftChangeSet(name, reason, date, List.of(rules)), null)));
    }

    /** The set once it has its preview, which a task makes of a large one. */
    private ChangeSet previewed(ChangeSet set) {
        return await().atMost(PATIENCE)
                .until(() -> sets.find(person, set.id()).orElseThrow(), found -> found.token() != null);
    }

    private ChangeSet apply(ChangeSet set) {
        return apply(person, sets, approvals, set);
    }

    private static ChangeSet apply(Access person, ChangeSets sets, ChangeSetApprovals approvals, ChangeSet set) {
        var token = String.valueOf(set.token());
        var applied = sets.applyAccepted(person, set.id(), token);
        if (applied instanceof ChangeSetResult.NeedsApproval) {
            done(approvals.request(person, set.id(), token));
            done(approvals.approve(SECOND, set.id(), token));
            applied = sets.applyAccepted(person, set.id(), token);
        }
        return done(applied);
    }

    private static ChangeSet done(ChangeSetResult result) {
        if (result instanceof ChangeSetResult.Done(var set, var _)) {
            return set;
        }
        throw new IllegalStateException("the sample's prices are nobody else's: " + result);
    }
}
