package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceHistoryEntry;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreBuilder;
import io.menuboard.pricing.batches.DynamoPriceBatches;
import io.menuboard.pricing.changes.PriceModel.Place;
import io.menuboard.pricing.changes.PriceModel.Result;
import io.menuboard.pricing.changes.PriceModel.Row;
import io.menuboard.pricing.changes.PriceModel.Source;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.SaveMode;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.Write;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** One story of change sets and imports, in stores of its own, that takes the turns which its seed says. */
final class PriceStory implements AutoCloseable {
    private static final List<String> PRODUCTS = List.of("A", "B", "C", "D");

    /** So many that a set for all stores is too large for one transaction. */
    private static final List<String> MANY = List.of("A", "B", "C", "D", "E", "F", "G");

    private static final int DAYS = 4;

    /** Weeks in which nothing happens to clocks, in which Berlin's goes back, and in which Santiago's goes forward. */
    private static final List<Instant> STARTS = List.of(
            MovingClock.START,
            MovingClock.START,
            Instant.parse("2036-10-24T12:00:00Z"),
            Instant.parse("2036-09-05T12:00:00Z"));

    private static final Set<ChangeSetStatus> WAIT = EnumSet.of(ChangeSetStatus.SCHEDULED, ChangeSetStatus.APPLYING);
    private static final Set<ChangeSetStatus> CAN_BE_UNDONE =
            EnumSet.of(ChangeSetStatus.APPLIED, ChangeSetStatus.PARTLY_APPLIED);

    private final Random random;
    private final MovingClock clock;
    private final FailingInstances instances;
    private final LateFeed feed;
    private final List<Store> stores;
    private final List<Place> places;
    private final StringBuilder told = new StringBuilder();
    private PriceModel model;

    /** Which sets were made by actions that failed, and may have been written when those began. */
    private final Map<ChangeSetId, Instant> begun = new HashMap<>();

    private int keys;

    PriceStory(int seed, DynamoDbClient client, TableDefinition table) {
        // Of seeds that follow each other the first numbers are much the same.
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        clock = new MovingClock(STARTS.get(random.nextInt(STARTS.size())));
        // Every third one has what is not small done in the background.
        instances = new FailingInstances(client, table, clock, random, seed % 3 == 2);
        stores = Stream.of("Europe/Berlin", "America/Santiago", "Asia/Tokyo")
                .map(zone -> aStore("S%05d-%s".formatted(seed, zone.substring(zone.indexOf('/') + 1)))
                        .onTheClockOf(zone)
                        .build())
                .toList();
        var products = seed % 3 == 0 ? PRODUCTS : MANY;
        places = stores.stream()
                .flatMap(store -> products.stream().map(product -> new Place(store, product)))
                .toList();
        model = new PriceModel(places);
        tell("seed " + seed);
        instances.one().stores.save(EVERYTHING, stores);
        // The last one has no prices yet.
        places.stream().filter(place -> !place.store().equals(stores.getLast())).forEach(place -> {
            load(place, EffectiveDate.parse("2030-01-01"), "1.00");
            if (random.nextInt(8) == 0) {
                load(place, date(place.store()), "1.40");
            }
        });
        feed = new LateFeed(instances.one(), stores, random, seed % 2 == 1);
    }

    private void load(Place place, EffectiveDate date, String amount) {
        var in = date.in(place.store().timeZone());
        tell("loaded " + place + " from " + in + " " + amount);
        instances.one().load(List.of(StoreBuilder.price(place.store(), "ALL", place.product(), in.toString(), amount)));
        model.load(place, in, euros(amount), clock.instant());
    }

    private void tell(String what) {
        told.append(clock.instant()).append(' ').append(what).append('\n');
    }

    /** Takes so many turns, and then waits until all has come about. */
    void go(int turns) {
        check(sets());
        for (var turn = 0; turn < turns; turn++) {
            advance();
            tell("turn");
            switch (random.nextInt(16)) {
                case 0, 1, 2 -> draft(null);
                case 3, 4, 5, 6 -> draft(date(stores.get(random.nextInt(stores.size()))));
                case 7 -> draftImport();
                case 8, 9 -> cancel();
                case 10 -> reschedule();
                case 11, 12 -> undo();
                case 13 -> applyOld();
                case 14 -> race();
                default -> feed.tell(instances.one());
            }
            feed.read();
            check(someSets());
        }
        clock.advance(Duration.ofDays(DAYS + 3L));
        tell("all has come");
        feed.finish(instances.one());
        check(sets());
        checkHistory();
        checkFeed();
    }

    private void advance() {
        var now = clock.instant();
        var next = model.next(now).filter(at -> at.isBefore(now.plus(Duration.ofHours(20))));
        if (next.isPresent() && random.nextInt(6) == 0) {
            clock.set(next.get().plusMillis(List.of(-1, 0, 1, 300, 999).get(random.nextInt(5))));
        } else {
            clock.advance(
                    random.nextInt(3) == 0
                            ? Duration.ofMillis(1 + random.nextInt(400))
                            : Duration.ofMinutes(1 + random.nextInt(600)));
        }
        model.settle(clock.instant());
    }

    private void draft(@Nullable EffectiveDate date) {
        var rule = some();
        if (rule.isEmpty()) {
            return;
        }
        var operation = operation();
        var ofStores = rule.stream().map(Place::store).distinct().toList();
        var ofProducts = rule.stream().map(Place::product).distinct().toList();
        var asked = ofStores.stream()
                .flatMap(store -> ofProducts.stream().map(product -> new Place(store, product)))
                .toList();
        tell("draft " + operation + " " + asked + (date == null ? " at once" : " from " + date));
        var command = ChangesFixture.draft(
                date == null ? null : date.toString(),
                ChangesFixture.rule(
                        operation,
                        ofStores.stream().map(store -> store.id().value()).toList(),
                        ofProducts.toArray(String[]::new)));
        var key = "%s-%d".formatted(stores.getFirst().id(), keys++);
        var set = ChangesFixture.done(act(instants(date), fixture -> fixture.drafts.draft(GRACE, command, key)));
        model.draft(set.id(), new Source.Rule(operation, asked), date, clock.instant());
        drafted(set.id());
    }

    private void draftImport() {
        var ofStores = random.nextInt(3) == 0 ? stores : List.of(stores.getLast());
        var rows = new ArrayList<Row>();
        for (var place : places) {
            if (ofStores.contains(place.store()) && random.nextInt(3) > 0) {
                var today = EffectiveDate.startOf(
                        clock.instant().atZone(place.store().timeZone()).toLocalDate());
                var date =
                        switch (random.nextInt(4)) {
                            case 0 -> EffectiveDate.parse("2030-01-01");
                            case 1 -> date(place.store());
                            default -> today;
                        };
                rows.add(new Row(place, date, euros(amount())));
            }
        }
        tell("import "
                + rows.stream()
                        .map(row -> row.place() + " " + row.date() + " " + row.price())
                        .toList());
        var importing = instances.one().drafts.importing(GRACE, "Prices", "new prices", null, ImportId.random(random));
        importing.preview(requested(rows));
        if (importing.written() == 0) {
            return;
        }
        var id = importing.id();
        var asItsImport =
                Item.at(new Key("IMPORT#" + id, "META")).type("import").build();
        importing.finish(Write.put(asItsImport, SaveMode.ANY));
        model.draft(id, new Source.Rows(rows), null, clock.instant());
        drafted(id);
    }

    private static List<RequestedChange> requested(List<Row> rows) {
        var requested = new ArrayList<RequestedChange>();
        for (var row : rows) {
            requested.add(new RequestedChange(
                    requested.size() + 1,
                    row.place().store().id(),
                    Channel.ALL,
                    ChangesFixture.product(row.place().product()),
                    row.date(),
                    new RequestedChange.Change.To(row.price(), false)));
        }
        return requested;
    }

    private void drafted(ChangeSetId id) {
        tell("drafted " + id);
        if (random.nextInt(4) > 0 || model.unloads(id)) {
            check(List.of(id));
            apply(id);
        }
    }

    private void applyOld() {
        one(EnumSet.of(ChangeSetStatus.DRAFT)).ifPresent(id -> {
            if (model.unloads(id)) {
                return;
            }
            if (random.nextInt(4) == 0) {
                refresh(id);
            } else if (apply(id) == Result.STALE && random.nextBoolean()) {
                refresh(id);
                if (!model.unloads(id)) {
                    apply(id);
                }
            }
        });
    }

    private Result apply(ChangeSetId id) {
        tell("apply " + id);
        var before = clock.instant();
        var real = act(model.instants(id), fixture -> apply(fixture, id));
        begun.put(id, before);
        var result = apply(model, id);
        checkResult(real, result, id);
        return result;
    }

    private static ChangeSetResult apply(ChangesFixture fixture, ChangeSetId id) {
        var token = fixture.sets.find(GRACE, id).orElseThrow().token();
        return fixture.sets.applyAccepted(GRACE, id, String.valueOf(token));
    }

    private Result apply(PriceModel to, ChangeSetId id) {
        var now = clock.instant();
        var first = begun.getOrDefault(id, now);
        return to.apply(id, now, place -> first.equals(now) || !isWritten(place, id, first) ? now : first);
    }

    /** Whether an action that failed wrote it before it did. */
    private boolean isWritten(Place place, ChangeSetId id, Instant until) {
        return instances.one().history(place.store().id().value(), place.product()).stream()
                .anyMatch(entry -> entry.changeSet().equals(id) && entry.at().isBefore(until.plusSeconds(1)));
    }

    private void refresh(ChangeSetId id) {
        tell("refresh " + id);
        var instants =
                Stream.concat(model.instants(id).stream(), midnights().stream()).toList();
        var real = act(instants, fixture -> fixture.drafts.preview(GRACE, id));
        checkResult(real, model.refresh(id, clock.instant()), id);
    }

    private void cancel() {
        one(random.nextInt(5) == 0 ? EnumSet.allOf(ChangeSetStatus.class) : WAIT)
                .ifPresent(id -> {
                    tell("cancel " + id);
                    var before = model.status(id, clock.instant());
                    var real = act(model.instants(id), fixture -> fixture.sets.cancel(GRACE, id));
                    var result = model.cancel(id, clock.instant());
                    if (before != ChangeSetStatus.APPLYING) {
                        checkResult(real, result, id);
                    }
                });
    }

    private void reschedule() {
        one(WAIT).ifPresent(id -> {
            var date = date(stores.get(random.nextInt(stores.size())));
            tell("move " + id + " to " + date);
            var real = act(instants(date), fixture -> reschedule(fixture, id, date));
            var result = model.reschedule(id, date, clock.instant());
            real.ifPresentOrElse(
                    done -> checkResult(done, result, id),
                    () -> assertThat(result).as(told.toString()).isEqualTo(Result.REFUSED));
        });
    }

    /** Empty where that time has come somewhere. */
    private static Optional<ChangeSetResult> reschedule(ChangesFixture fixture, ChangeSetId id, EffectiveDate date) {
        try {
            return Optional.of(fixture.sets.reschedule(GRACE, id, date));
        } catch (InvalidInput _) {
            return Optional.empty();
        }
    }

    private void undo() {
        one(CAN_BE_UNDONE).ifPresent(id -> {
            tell("undo " + id);
            var key = "%s-%d".formatted(stores.getFirst().id(), keys++);
            var set = ChangesFixture.done(act(List.of(), fixture -> fixture.drafts.draftUndo(GRACE, id, "oops", key)));
            model.draftUndo(set.id(), id, clock.instant());
            drafted(set.id());
        });
    }

    /** Two actions on one set at once: what comes of them is what comes of them in some order, or of one of them. */
    private void race() {
        var draft = one(EnumSet.of(ChangeSetStatus.DRAFT)).filter(id -> !model.unloads(id));
        var waiting = one(WAIT);
        var id = random.nextBoolean() ? draft.or(() -> waiting) : waiting.or(() -> draft);
        if (id.isEmpty()) {
            return;
        }
        var date = date(stores.get(random.nextInt(stores.size())));
        var actions = id.equals(draft)
                ? List.of(applying(id.get()), applying(id.get()), cancelling(id.get()), refreshing(id.get()))
                : List.of(cancelling(id.get()), cancelling(id.get()), moving(id.get(), date));
        var first = actions.get(random.nextInt(actions.size()));
        var second = actions.get(random.nextInt(actions.size()));
        tell("at once: " + first.name() + " and " + second.name());
        var results = instances.race(first.real(), second.real());
        var real = PricePicture.of(instances.one(), places, sets(), clock.instant());
        var differences = new ArrayList<List<String>>();
        for (var order : List.of(
                List.of(first, second), List.of(second, first), List.of(first), List.of(second), List.<Turn>of())) {
            var copy = model.copy();
            order.forEach(turn -> Objects.requireNonNull(turn.model().apply(copy), turn.name()));
            var different = copy.picture(sets(), clock.instant()).differences(real);
            if (different.isEmpty()) {
                model = copy;
                tell("which came to " + order.stream().map(Turn::name).toList());
                return;
            }
            differences.add(different);
        }
        assertThat(differences).as("%s which came to %s", told, results).isEmpty();
    }

    /** One action, as it is asked for and as it is meant. */
    private record Turn(String name, Function<ChangesFixture, Object> real, Function<PriceModel, Result> model) {}

    private Turn applying(ChangeSetId id) {
        var token = String.valueOf(
                instances.one().sets.find(GRACE, id).orElseThrow().token());
        return new Turn(
                "apply " + id, fixture -> fixture.sets.applyAccepted(GRACE, id, token), copy -> apply(copy, id));
    }

    private Turn cancelling(ChangeSetId id) {
        return new Turn(
                "cancel " + id, fixture -> fixture.sets.cancel(GRACE, id), copy -> copy.cancel(id, clock.instant()));
    }

    private Turn refreshing(ChangeSetId id) {
        return new Turn(
                "refresh " + id,
                fixture -> fixture.drafts.preview(GRACE, id),
                copy -> copy.refresh(id, clock.instant()));
    }

    private Turn moving(ChangeSetId id, EffectiveDate date) {
        return new Turn(
                "move " + id + " to " + date,
                fixture -> reschedule(fixture, id, date),
                copy -> copy.reschedule(id, date, clock.instant()));
    }

    /** The next ones: what a row of a file means depends on whether its date is today. */
    private List<Instant> midnights() {
        return stores.stream()
                .map(store -> clock.instant()
                        .atZone(store.timeZone())
                        .toLocalDate()
                        .plusDays(1)
                        .atStartOfDay(store.timeZone())
                        .toInstant())
                .toList();
    }

    /** When that date comes, wherever it does. */
    private List<Instant> instants(@Nullable EffectiveDate date) {
        return date == null
                ? List.of()
                : stores.stream().map(store -> date.startsAt(store.timeZone())).toList();
    }

    /**
     * Does it, sometimes with a failure on the way where nothing comes about until that is mended.
     *
     * @param instants of what it is about
     */
    private <T> T act(List<Instant> instants, Function<ChangesFixture, T> action) {
        var now = clock.instant();
        var mended = now.plus(FailingInstances.RECOVERY);
        var isQuiet = Stream.concat(model.next(now).stream(), instants.stream())
                .noneMatch(at -> at.isAfter(now) && !at.isAfter(mended));
        if (!isQuiet || random.nextInt(4) > 0) {
            return instances.act(action);
        }
        var result = instances.actAndFail(action);
        tell("(failed on the way)");
        return result;
    }

    private Optional<ChangeSetId> one(Set<ChangeSetStatus> statuses) {
        var sets = model.sets(clock.instant(), statuses);
        return sets.isEmpty() ? Optional.empty() : Optional.of(sets.get(random.nextInt(sets.size())));
    }

    private List<ChangeSetId> sets() {
        return model.sets(clock.instant(), EnumSet.allOf(ChangeSetStatus.class));
    }

    private List<Place> some() {
        var often = random.nextInt(3);
        return often == 0
                ? places
                : places.stream().filter(_ -> random.nextInt(6) == 0).limit(3).toList();
    }

    private PriceOperation operation() {
        return switch (random.nextInt(8)) {
            case 0 -> new PriceOperation.Delete();
            case 1, 2 -> ChangesFixture.percent("10");
            default -> ChangesFixture.setTo(amount());
        };
    }

    private String amount() {
        return "1." + (50 + random.nextInt(3));
    }

    private static Money euros(String amount) {
        return new Money(new BigDecimal(amount), Money.currencyOf("EUR"));
    }

    /** One that comes soon there, and elsewhere may have come. */
    private EffectiveDate date(Store store) {
        var day = clock.instant().atZone(store.timeZone()).toLocalDate().plusDays(1 + random.nextInt(DAYS));
        return random.nextInt(3) == 0
                ? new EffectiveDate(day.atTime(random.nextInt(4), 30 * random.nextInt(2)))
                : EffectiveDate.startOf(day);
    }

    private void checkResult(ChangeSetResult real, Result expected, ChangeSetId id) {
        var is = real instanceof ChangeSetResult.Done
                ? Result.DONE
                : real instanceof ChangeSetResult.Stale ? Result.STALE : Result.REFUSED;
        // What is done in the background has only begun.
        if (real instanceof ChangeSetResult.Done(var set, var _) && set.task() != null) {
            return;
        }
        if (!told.toString().endsWith("(failed on the way)\n")) {
            assertThat(is).as("%s, of %s: %s", told, id, real).isEqualTo(expected);
        }
    }

    private void check(List<ChangeSetId> shown) {
        var now = clock.instant();
        var real = PricePicture.of(instances.one(), places, shown, now);
        assertThat(model.picture(shown, now).differences(real))
                .as(told.toString())
                .isEmpty();
    }

    /** The last ones, and some of those that are long done. */
    private List<ChangeSetId> someSets() {
        var all = sets();
        return all.stream()
                .filter(id -> all.indexOf(id) >= all.size() - 2 || random.nextInt(4) == 0)
                .toList();
    }

    private void checkHistory() {
        for (var place : places) {
            assertThat(history(place))
                    .as("%s, %s", told, place)
                    .extracting(entry -> new PriceModel.Entry(entry.changeSet(), entry.before(), entry.after()))
                    .isEqualTo(model.entries(place));
        }
        for (var store : stores) {
            assertThat(instances.one().db.load("STORE#" + store.id()))
                    .as(told.toString())
                    .extracting(Item::type)
                    .doesNotContain("priceChange", DynamoPriceBatches.TYPE, "priceLoad");
        }
    }

    private List<PriceHistoryEntry> history(Place place) {
        return instances.one().history(place.store().id().value(), place.product());
    }

    /** Every change is announced under one id, and no schedule outlives its batch where no record of it was lost. */
    private void checkFeed() {
        var changes = places.stream()
                .flatMap(place -> history(place).stream())
                .filter(entry -> !Objects.equals(entry.before(), entry.after()))
                .map(entry -> LateFeed.announcement(
                        entry.store(),
                        entry.subject().name(),
                        entry.at(),
                        entry.changeSet().value()))
                .toList();
        assertThat(feed.announced()).as(told.toString()).containsExactlyInAnyOrderElementsOf(changes);
        assertThat(feed.left()).as(told.toString()).isEmpty();
    }

    @Override
    public void close() {
        instances.close();
    }
}
