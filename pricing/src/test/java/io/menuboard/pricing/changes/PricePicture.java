package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.kernel.Money;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.ScheduledBatch;
import io.menuboard.pricing.changes.PriceModel.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What there is to be seen of prices, what is to come, and change sets; two that show the same are equal. */
final class PricePicture {
    private final TreeSet<String> facts = new TreeSet<>();
    private final TreeMap<String, Integer> batches = new TreeMap<>();

    void price(Place place, @Nullable Money price) {
        facts.add(place + " costs " + PriceModel.text(price));
    }

    void version(Place place, EffectiveDate date, @Nullable Money price, @Nullable ChangeSetId set) {
        facts.add(place + " from " + date + " " + PriceModel.text(price) + " by " + set);
    }

    void upcoming(Place place, EffectiveDate date, @Nullable Money price, ChangeSetId set) {
        facts.add("upcoming " + place + " from " + date + " " + PriceModel.text(price) + " by " + set);
    }

    void inBatch(Store store, EffectiveDate date, ChangeSetId set, int changes) {
        batches.merge("batch " + store.id() + " " + date + " of " + set, changes, Integer::sum);
    }

    void set(ChangeSetId id, ChangeSetStatus status, boolean isStale) {
        facts.add("set " + id + " " + status + (isStale ? ", stale" : ""));
    }

    void line(ChangeSetId id, Place place, @Nullable Money before, @Nullable Money after, ChangeLine.Outcome outcome) {
        facts.add("line of " + id + " " + place + " " + PriceModel.text(before) + " to " + PriceModel.text(after) + " "
                + outcome);
    }

    /** What an instance shows of these prices, and of these sets. */
    static PricePicture of(ChangesFixture fixture, List<Place> places, List<ChangeSetId> sets, Instant now) {
        var picture = new PricePicture();
        var stores = places.stream().map(Place::store).distinct().toList();
        for (var store : stores) {
            var subjects = places.stream()
                    .filter(place -> place.store().equals(store))
                    .map(place -> ChangesFixture.product(place.product()))
                    .toList();
            fixture.prices
                    .versions(store.id(), Channel.ALL, subjects)
                    .forEach((subject, versions) -> versions.versions()
                            .forEach(version -> picture.version(
                                    new Place(store, subject.name()),
                                    version.effectiveDate(),
                                    version.price(),
                                    version.changeSet())));
            fixture.batches
                    .upcoming(EVERYTHING, store.id(), Channel.ALL, now.plusMillis(1), null, ChangesFixture.PAGE)
                    .nodes()
                    .forEach(change -> picture.upcoming(
                            new Place(store, change.subject().name()),
                            change.effectiveDate(),
                            change.after(),
                            change.changeSet()));
        }
        places.forEach(place -> picture.price(
                place,
                fixture.pricing
                        .price(EVERYTHING, place.store().id(), new ProductId(place.product()), Channel.ALL, now)
                        .map(BasePrice::price)
                        .orElse(null)));
        batches(fixture, stores, now).forEach(scheduled -> scheduled
                .changes()
                .forEach((set, changes) -> picture.inBatch(
                        storeOf(stores, scheduled.batch().store()),
                        scheduled.batch().effectiveDate(),
                        set,
                        changes)));
        sets.forEach(id -> picture.set(fixture, id, stores));
        return picture;
    }

    private static Stream<ScheduledBatch> batches(ChangesFixture fixture, List<Store> stores, Instant now) {
        return fixture.batches.between(EVERYTHING, now.plusMillis(1), now.plus(Duration.ofDays(STORY_DAYS))).stream()
                .filter(scheduled -> stores.stream()
                        .anyMatch(store -> store.id().equals(scheduled.batch().store())));
    }

    /** No story looks further ahead. */
    private static final int STORY_DAYS = 8;

    private void set(ChangesFixture fixture, ChangeSetId id, List<Store> stores) {
        var set = fixture.sets.find(ChangesFixture.GRACE, id).orElseThrow();
        set(id, set.status(), set.status() == ChangeSetStatus.DRAFT && set.token() == null);
        Stream.concat(
                        fixture.setLines.lines(ChangesFixture.GRACE, id, null, ChangesFixture.PAGE).nodes().stream(),
                        fixture.setLines.firstPrices(ChangesFixture.GRACE, id, null))
                .filter(line -> line.finding().isWritten())
                .forEach(line -> line(
                        id,
                        new Place(storeOf(stores, line.store()), line.subject().name()),
                        line.before(),
                        line.after(),
                        line.outcome()));
    }

    private static Store storeOf(List<Store> stores, StoreId id) {
        return stores.stream()
                .filter(store -> store.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private Map<String, Integer> batches() {
        var counted = new TreeMap<>(batches);
        counted.values().removeIf(count -> count == 0);
        return counted;
    }

    /** Of both, what only one shows. */
    List<String> differences(PricePicture real) {
        var differences = new TreeSet<String>();
        facts.stream().filter(fact -> !real.facts.contains(fact)).forEach(fact -> differences.add("missing: " + fact));
        real.facts.stream().filter(fact -> !facts.contains(fact)).forEach(fact -> differences.add("too much: " + fact));
        var all = new TreeSet<>(batches().keySet());
        all.addAll(real.batches().keySet());
        all.stream()
                .filter(batch ->
                        !Objects.equals(batches().get(batch), real.batches().get(batch)))
                .forEach(batch -> differences.add(batch + ": " + real.batches().get(batch) + " instead of "
                        + batches().get(batch)));
        return List.copyOf(differences);
    }
}
