package io.menuboard.pricing.changes;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.pricing.rules.PriceOperation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What prices, change sets and history are to be: a price has what its sets want of it at each date one above the other,
 * the last that was made on top, and its history is written when a date comes. It knows of no transactions, runs, tasks,
 * batches or messages.
 */
final class PriceModel {
    /** Sets of so many lines are applied as a whole or not at all. */
    private static final int SMALL = 16;

    private final NavigableMap<Place, NavigableMap<EffectiveDate, List<Layer>>> prices;
    private final NavigableMap<Place, List<Entry>> history;
    private final NavigableMap<ChangeSetId, ModelSet> sets;
    private final Set<Waiting> waiting;

    PriceModel(List<Place> places) {
        prices = new TreeMap<>();
        history = new TreeMap<>();
        sets = new TreeMap<>();
        waiting = new TreeSet<>();
        places.forEach(this::versions);
    }

    private PriceModel(PriceModel other) {
        this(List.of());
        other.prices.forEach((place, versions) -> prices.put(place, new TreeMap<>(versions)));
        other.history.forEach((place, entries) -> history.put(place, new ArrayList<>(entries)));
        other.sets.forEach((id, set) -> sets.put(id, set.copy()));
        waiting.addAll(other.waiting);
    }

    PriceModel copy() {
        return new PriceModel(this);
    }

    /** The price of a product in a store. */
    record Place(Store store, String product) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Comparator.comparing((Place place) -> place.store.id().value())
                    .thenComparing(Place::product)
                    .compare(this, other);
        }

        Instant startOf(EffectiveDate date) {
            return date.startsAt(store.timeZone());
        }

        @Override
        public String toString() {
            return store.id() + " " + product;
        }
    }

    /** What one set wants the price to be, or what was loaded. */
    private record Layer(
            @Nullable ChangeSetId set, @Nullable Money price) {}

    /** One change that has come about. */
    record Entry(
            ChangeSetId set,
            @Nullable Money before,
            @Nullable Money after) {
        @Override
        public String toString() {
            return text(before) + " to " + text(after) + " by " + set;
        }
    }

    private record Waiting(Place place, EffectiveDate date) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            return Comparator.comparing(Waiting::date)
                    .thenComparing(Waiting::place)
                    .compare(this, other);
        }

        private Instant at() {
            return place.startOf(date);
        }
    }

    /** What came of something that was asked for. */
    enum Result {
        DONE,
        STALE,
        REFUSED
    }

    /** What a set comes from. */
    sealed interface Source {
        record Rule(PriceOperation operation, List<Place> places) implements Source {}

        record Rows(List<Row> rows) implements Source {}

        record Undo(ChangeSetId undone) implements Source {}
    }

    /** @param date null for at once, which only rows have that were previewed before */
    record Row(Place place, @Nullable EffectiveDate date, Money price) {}

    private enum Phase {
        DRAFT,
        WRITTEN,
        PARTLY_CANCELLED,
        CANCELLED,
        FAILED
    }

    private enum State {
        NEW,
        WRITTEN,
        APPLIED,
        CANCELLED,
        FAILED
    }

    /** @param date of those at once, where they count since then; of the others, from when on */
    private record Line(
            Place place,
            ChangeChunk.Kind kind,
            @Nullable EffectiveDate date,
            @Nullable Money before,
            @Nullable Money after,
            State state,
            boolean superseded) {

        private static Line of(
                Place place,
                ChangeChunk.Kind kind,
                @Nullable EffectiveDate date,
                @Nullable Money before,
                @Nullable Money after) {
            return new Line(place, kind, date, before, after, State.NEW, false);
        }

        private Line in(State now) {
            return new Line(place, kind, date, before, after, now, superseded);
        }

        private Line at(EffectiveDate other) {
            return new Line(place, kind, other.in(place.store.timeZone()), before, after, state, superseded);
        }

        private Line beneath() {
            return new Line(place, kind, date, before, after, state, true);
        }

        private boolean waits() {
            return kind == ChangeChunk.Kind.SCHEDULED;
        }

        private EffectiveDate from() {
            return Objects.requireNonNull(date);
        }

        private Instant startsAt() {
            return place.startOf(from());
        }

        private boolean isToCome(Instant now) {
            return waits() && startsAt().isAfter(now);
        }
    }

    private static final class ModelSet {
        private final ChangeSetId id;
        private Source source;
        private @Nullable EffectiveDate date;
        private List<Line> lines = List.of();
        private Phase phase = Phase.DRAFT;
        private boolean stale;

        private ModelSet(ChangeSetId id, Source source, @Nullable EffectiveDate date) {
            this.id = id;
            this.source = source;
            this.date = date;
        }

        private ModelSet copy() {
            var copy = new ModelSet(id, source, date);
            copy.lines = lines;
            copy.phase = phase;
            copy.stale = stale;
            return copy;
        }

        private @Nullable ChangeSetId undoes() {
            return source instanceof Source.Undo(var undone) ? undone : null;
        }

        private boolean isWritten() {
            return phase == Phase.WRITTEN || phase == Phase.PARTLY_CANCELLED;
        }
    }

    /** When the next date comes. */
    Optional<Instant> next(Instant now) {
        return waiting.stream().map(Waiting::at).filter(at -> at.isAfter(now)).min(Comparator.naturalOrder());
    }

    /** What has come by then is history. */
    void settle(Instant now) {
        for (var come : waiting.stream().filter(one -> !one.at().isAfter(now)).toList()) {
            waiting.remove(come);
            var versions = versions(come.place());
            var layers = Objects.requireNonNull(versions.get(come.date()));
            var top = layers.getLast();
            layers.subList(0, layers.size() - 1).forEach(layer -> {
                if (layer.set() != null) {
                    change(layer.set(), come, Line::beneath);
                }
            });
            if (top.set() != null) {
                history(come.place()).add(new Entry(top.set(), price(versions.lowerEntry(come.date())), top.price()));
            }
        }
    }

    private void change(ChangeSetId id, Waiting place, UnaryOperator<Line> how) {
        var set = set(id);
        set.lines = set.lines.stream()
                .map(line -> line.waits()
                                && line.place().equals(place.place())
                                && place.date().equals(line.date())
                        ? how.apply(line)
                        : line)
                .toList();
    }

    void load(Place place, EffectiveDate date, Money price, Instant now) {
        versions(place).put(date, List.of(new Layer(null, price)));
        if (place.startOf(date).isAfter(now)) {
            waiting.add(new Waiting(place, date));
        }
    }

    private NavigableMap<EffectiveDate, List<Layer>> versions(Place place) {
        return prices.computeIfAbsent(place, _ -> new TreeMap<>());
    }

    private List<Entry> history(Place place) {
        return history.computeIfAbsent(place, _ -> new ArrayList<>());
    }

    private static @Nullable Money price(Map.@Nullable Entry<EffectiveDate, List<Layer>> version) {
        return version == null ? null : version.getValue().getLast().price();
    }

    private Map.@Nullable Entry<EffectiveDate, List<Layer>> current(Place place, Instant now) {
        return versions(place).floorEntry(EffectiveDate.latestAt(now, place.store.timeZone()));
    }

    private void over(Line line, ChangeSetId set) {
        var layers = new ArrayList<>(versions(line.place()).getOrDefault(line.from(), List.of()));
        layers.add(new Layer(set, line.after()));
        layers.sort(Comparator.comparing(Layer::set, Comparator.nullsFirst(Comparator.<ChangeSetId>naturalOrder())));
        versions(line.place()).put(line.from(), List.copyOf(layers));
        waiting.add(new Waiting(line.place(), line.from()));
    }

    private void remove(Line line, ChangeSetId set) {
        var left = Objects.requireNonNull(versions(line.place()).get(line.from())).stream()
                .filter(layer -> !set.equals(layer.set()))
                .toList();
        if (left.isEmpty()) {
            versions(line.place()).remove(line.from());
            waiting.remove(new Waiting(line.place(), line.from()));
        } else {
            versions(line.place()).put(line.from(), left);
        }
    }

    void draft(ChangeSetId id, Source source, @Nullable EffectiveDate date, Instant now) {
        settle(now);
        var set = new ModelSet(id, source, date);
        sets.put(id, set);
        preview(set, now);
    }

    Result refresh(ChangeSetId id, Instant now) {
        settle(now);
        var set = set(id);
        if (set.phase != Phase.DRAFT) {
            return Result.REFUSED;
        }
        preview(set, now);
        set.stale = false;
        return Result.DONE;
    }

    private void preview(ModelSet set, Instant now) {
        set.lines = lines(set, now);
        if (set.source instanceof Source.Rows) {
            // Looked at again, it is only about what it changes.
            set.source = new Source.Rows(set.lines.stream()
                    .map(line -> new Row(line.place(), line.date(), Objects.requireNonNull(line.after())))
                    .toList());
        }
    }

    private List<Line> lines(ModelSet set, Instant now) {
        return switch (set.source) {
            case Source.Rule(var operation, var places) ->
                places.stream()
                        .flatMap(place -> rule(set, operation, place, now).stream())
                        .toList();
            case Source.Rows(var rows) ->
                rows.stream().flatMap(row -> row(row, now).stream()).toList();
            case Source.Undo(var undone) ->
                set(undone).lines.stream()
                        .flatMap(line -> putBack(set(undone), line, now).stream())
                        .toList();
        };
    }

    private Optional<Line> rule(ModelSet set, PriceOperation operation, Place place, Instant now) {
        if (set.date == null) {
            var before = price(current(place, now));
            return after(operation, before, place).flatMap(after -> atOnce(place, before, after.price()));
        }
        var date = set.date.in(place.store.timeZone());
        if (!place.startOf(date).isAfter(now)) {
            return Optional.empty();
        }
        var before = price(versions(place).lowerEntry(date));
        return after(operation, before, place).flatMap(after -> toCome(place, date, before, after.price()));
    }

    /** Empty where it cannot be done. */
    private static Optional<Layer> after(PriceOperation operation, @Nullable Money before, Place place) {
        try {
            return Optional.of(new Layer(null, operation.apply(before, place.store.currency(), null)));
        } catch (InvalidInput _) {
            return Optional.empty();
        }
    }

    private static Optional<Line> atOnce(Place place, @Nullable Money before, @Nullable Money after) {
        return Objects.equals(before, after)
                ? Optional.empty()
                : Optional.of(Line.of(place, ChangeChunk.Kind.AT_ONCE, null, before, after));
    }

    private Optional<Line> toCome(Place place, EffectiveDate date, @Nullable Money before, @Nullable Money after) {
        var conflicting = versions(place).get(date);
        var planned = conflicting == null ? before : conflicting.getLast().price();
        return Objects.equals(planned, after)
                ? Optional.empty()
                : Optional.of(Line.of(place, ChangeChunk.Kind.SCHEDULED, date, before, after));
    }

    private Optional<Line> row(Row row, Instant now) {
        var place = row.place();
        if (row.date() == null) {
            return atOnce(place, price(current(place, now)), row.price());
        }
        var date = row.date().in(place.store.timeZone());
        if (place.startOf(date).isAfter(now)) {
            return toCome(place, date, price(versions(place).lowerEntry(date)), row.price());
        }
        var current = current(place, now);
        var same = versions(place).get(date);
        if (same != null && row.price().equals(same.getLast().price())) {
            return Optional.empty();
        }
        if (current == null) {
            var kind = isEmpty(place.store) ? ChangeChunk.Kind.LOAD : ChangeChunk.Kind.AT_ONCE;
            return Optional.of(Line.of(place, kind, date, null, row.price()));
        }
        var today = EffectiveDate.startOf(
                EffectiveDate.latestAt(now, place.store.timeZone()).local().toLocalDate());
        var isPast = !date.equals(current.getKey()) && date.compareTo(today) < 0;
        var isSo = current.getKey().compareTo(date) <= 0 && row.price().equals(price(current));
        return isPast || isSo ? Optional.empty() : atOnce(place, price(current), row.price());
    }

    private boolean isEmpty(Store store) {
        return prices.entrySet().stream()
                .noneMatch(price ->
                        price.getKey().store.equals(store) && !price.getValue().isEmpty());
    }

    void draftUndo(ChangeSetId id, ChangeSetId undone, Instant now) {
        draft(id, new Source.Undo(undone), null, now);
    }

    private Optional<Line> putBack(ModelSet undone, Line line, Instant now) {
        var place = line.place();
        if (line.kind() == ChangeChunk.Kind.LOAD || line.kind() == ChangeChunk.Kind.UNLOAD) {
            return line.state() == State.APPLIED ? unload(line, now) : Optional.empty();
        }
        var isWritten =
                line.waits() ? line.state() == State.WRITTEN && !line.superseded() : line.state() == State.APPLIED;
        var current = current(place, now);
        var by = new HashSet<>(restorers(undone.id));
        by.add(undone.id);
        if (!isWritten
                || current == null
                || !by.contains(
                        Objects.requireNonNullElse(current.getValue().getLast().set(), new ChangeSetId(NOBODY)))) {
            return Optional.empty();
        }
        var to = line.waits()
                ? history(place).stream()
                        .filter(entry -> entry.set().equals(undone.id))
                        .reduce((_, last) -> last)
                        .orElseThrow()
                        .before()
                : line.before();
        return atOnce(place, price(current), to);
    }

    private static final String NOBODY = "00000000000000000000000000";

    private Optional<Line> unload(Line line, Instant now) {
        var versions = versions(line.place());
        if (line.kind() == ChangeChunk.Kind.UNLOAD) {
            return row(new Row(line.place(), line.date(), Objects.requireNonNull(line.before())), now);
        }
        var isAsLoaded =
                versions.values().stream().allMatch(layers -> layers.getLast().set() == null)
                        && versions.containsKey(line.from())
                        && Objects.equals(versions.get(line.from()).getLast().price(), line.after());
        return isAsLoaded
                ? Optional.of(Line.of(line.place(), ChangeChunk.Kind.UNLOAD, line.date(), line.after(), null))
                : Optional.empty();
    }

    /** Applied sets that have put a set back into effect: undone undos of it. */
    private Set<ChangeSetId> restorers(ChangeSetId id) {
        var all = new HashSet<ChangeSetId>();
        undosOf(id).forEach(undo -> undosOf(undo.id).forEach(restorer -> {
            all.add(restorer.id);
            all.addAll(restorers(restorer.id));
        }));
        return all;
    }

    private List<ModelSet> undosOf(ChangeSetId id) {
        return sets.values().stream()
                .filter(set -> set.isWritten() && id.equals(set.undoes()))
                .toList();
    }

    private boolean isUndone(ChangeSetId id) {
        return undosOf(id).stream().anyMatch(undo -> !isUndone(undo.id));
    }

    /** When each line was written that is in effect at once: of a set that was gone on with after a crash, then or before. */
    interface Writing {
        Instant at(Place place);
    }

    Result apply(ChangeSetId id, Instant now, Writing writing) {
        settle(now);
        var set = set(id);
        if (set.phase != Phase.DRAFT) {
            return set.isWritten() ? Result.DONE : Result.REFUSED;
        }
        if (set.stale) {
            return Result.STALE;
        }
        if (set.lines.isEmpty()) {
            return Result.REFUSED;
        }
        var isLarge = set.lines.size() > SMALL
                || set.lines.stream().anyMatch(line -> line.kind().isPacked());
        var isLate = set.lines.stream().anyMatch(line -> line.waits() && !line.isToCome(now));
        if (set.lines.stream().anyMatch(line -> isStale(line, now)) || (isLate && !isLarge)) {
            set.stale = true;
            return Result.STALE;
        }
        var failing = set.lines.stream().map(line -> fails(line, now)).toList();
        if (!failing.contains(false) && set.lines.stream().noneMatch(Line::waits)) {
            set.lines = set.lines.stream().map(line -> line.in(State.FAILED)).toList();
            set.stale = true;
            return Result.STALE;
        }
        var written = new ArrayList<Line>();
        for (var i = 0; i < failing.size(); i++) {
            var line = set.lines.get(i);
            written.add(failing.get(i) ? line.in(State.FAILED) : write(line, id, writing));
        }
        set.lines = List.copyOf(written);
        set.phase = failing.contains(false) ? Phase.WRITTEN : Phase.FAILED;
        return set.phase == Phase.FAILED ? Result.REFUSED : Result.DONE;
    }

    private boolean isStale(Line line, Instant now) {
        return switch (line.kind()) {
            case AT_ONCE -> {
                var current = current(line.place(), now);
                yield line.date() == null ? !Objects.equals(price(current), line.before()) : current != null;
            }
            case SCHEDULED -> !Objects.equals(price(versions(line.place()).lowerEntry(line.from())), line.before());
            case LOAD, UNLOAD -> false;
        };
    }

    private boolean fails(Line line, Instant now) {
        return switch (line.kind()) {
            case AT_ONCE -> false;
            case SCHEDULED -> !line.isToCome(now);
            case LOAD -> !isEmpty(line.place().store);
            case UNLOAD ->
                !List.of(new Layer(null, line.before()))
                        .equals(versions(line.place()).get(line.from()));
        };
    }

    private Line write(Line line, ChangeSetId set, Writing writing) {
        var place = line.place();
        switch (line.kind()) {
            case AT_ONCE -> {
                var date = line.date() == null
                        ? EffectiveDate.latestAt(writing.at(place), place.store.timeZone())
                        : line.date();
                history(place).add(new Entry(set, line.before(), line.after()));
                versions(place).put(date, List.of(new Layer(set, line.after())));
            }
            case SCHEDULED -> {
                over(line, set);
                return line.in(State.WRITTEN);
            }
            case LOAD -> versions(place).put(line.from(), List.of(new Layer(null, line.after())));
            case UNLOAD -> versions(place).remove(line.from());
        }
        return line.in(State.APPLIED);
    }

    Result cancel(ChangeSetId id, Instant now) {
        settle(now);
        var set = set(id);
        if (set.phase == Phase.CANCELLED || set.phase == Phase.DRAFT) {
            set.phase = Phase.CANCELLED;
            return Result.DONE;
        }
        if (set.phase == Phase.PARTLY_CANCELLED) {
            return Result.DONE;
        }
        var status = status(id, now);
        if (set.phase != Phase.WRITTEN || (status != ChangeSetStatus.SCHEDULED && status != ChangeSetStatus.APPLYING)) {
            return Result.REFUSED;
        }
        set.lines = set.lines.stream()
                .map(line -> {
                    if (line.state() != State.WRITTEN || !line.isToCome(now)) {
                        return line;
                    }
                    remove(line, id);
                    return line.in(State.CANCELLED);
                })
                .toList();
        var stays = set.lines.stream().anyMatch(line -> line.state() == State.WRITTEN || line.state() == State.APPLIED);
        set.phase = stays ? Phase.PARTLY_CANCELLED : Phase.CANCELLED;
        return Result.DONE;
    }

    Result reschedule(ChangeSetId id, EffectiveDate date, Instant now) {
        settle(now);
        var set = set(id);
        if (status(id, now) != ChangeSetStatus.SCHEDULED
                || set.date == null
                || set.lines.stream()
                        .anyMatch(line -> !line.place().startOf(date).isAfter(now))) {
            return Result.REFUSED;
        }
        set.lines.forEach(line -> remove(line, id));
        set.lines = set.lines.stream().map(line -> line.at(date)).toList();
        set.lines.forEach(line -> over(line, id));
        set.date = date;
        return Result.DONE;
    }

    ChangeSetStatus status(ChangeSetId id, Instant now) {
        var set = set(id);
        return switch (set.phase) {
            case DRAFT -> ChangeSetStatus.DRAFT;
            case CANCELLED -> ChangeSetStatus.CANCELLED;
            case FAILED -> ChangeSetStatus.FAILED;
            case PARTLY_CANCELLED -> isUndone(id) ? ChangeSetStatus.UNDONE : ChangeSetStatus.PARTLY_APPLIED;
            case WRITTEN -> {
                if (isUndone(id)) {
                    yield ChangeSetStatus.UNDONE;
                }
                var instants = set.lines.stream()
                        .filter(Line::waits)
                        .map(Line::startsAt)
                        .sorted()
                        .toList();
                if (!instants.isEmpty() && now.isBefore(instants.getLast())) {
                    yield now.isBefore(instants.getFirst()) ? ChangeSetStatus.SCHEDULED : ChangeSetStatus.APPLYING;
                }
                yield set.lines.stream().anyMatch(line -> line.state() == State.FAILED || isBeneath(line, id, now))
                        ? ChangeSetStatus.PARTLY_APPLIED
                        : ChangeSetStatus.APPLIED;
            }
        };
    }

    private boolean isBeneath(Line line, ChangeSetId id, Instant now) {
        return line.state() == State.WRITTEN
                && (line.isToCome(now)
                        ? !id.equals(
                                Objects.requireNonNull(versions(line.place()).get(line.from()))
                                        .getLast()
                                        .set())
                        : line.superseded());
    }

    private ChangeLine.Outcome outcome(Line line, ChangeSetId id, Instant now) {
        return switch (line.state()) {
            case NEW -> ChangeLine.Outcome.NONE;
            case WRITTEN ->
                isBeneath(line, id, now)
                        ? ChangeLine.Outcome.SUPERSEDED
                        : line.isToCome(now) ? ChangeLine.Outcome.SCHEDULED : ChangeLine.Outcome.APPLIED;
            case APPLIED -> ChangeLine.Outcome.APPLIED;
            case CANCELLED -> ChangeLine.Outcome.CANCELLED;
            case FAILED -> ChangeLine.Outcome.FAILED;
        };
    }

    /** Everything that is to be seen at that instant of prices and of those sets, as {@link PricePicture} sees it. */
    PricePicture picture(List<ChangeSetId> shown, Instant now) {
        settle(now);
        var picture = new PricePicture();
        prices.forEach((place, versions) -> {
            picture.price(place, price(current(place, now)));
            versions.forEach((date, layers) -> picture.version(
                    place, date, layers.getLast().price(), layers.getLast().set()));
        });
        waiting.forEach(one -> {
            var top = Objects.requireNonNull(versions(one.place()).get(one.date()))
                    .getLast();
            if (top.set() != null) {
                picture.upcoming(one.place(), one.date(), top.price(), top.set());
                picture.inBatch(one.place().store(), one.date(), top.set(), 1);
            }
        });
        shown.stream().map(this::set).forEach(set -> {
            picture.set(set.id, status(set.id, now), set.phase == Phase.DRAFT && set.stale);
            set.lines.forEach(line ->
                    picture.line(set.id, line.place(), line.before(), line.after(), outcome(line, set.id, now)));
        });
        return picture;
    }

    List<Place> places() {
        return List.copyOf(prices.keySet());
    }

    List<Entry> entries(Place place) {
        return List.copyOf(history(place));
    }

    /** Sets that are in one of those states. */
    List<ChangeSetId> sets(Instant now, Set<ChangeSetStatus> statuses) {
        return sets.keySet().stream()
                .filter(id -> statuses.contains(status(id, now)))
                .toList();
    }

    /** When its dates come, wherever they do. */
    List<Instant> instants(ChangeSetId id) {
        var set = set(id);
        var dates = Stream.concat(
                        Stream.of(set.date),
                        set.lines.stream().filter(Line::waits).map(Line::date))
                .flatMap(Stream::ofNullable)
                .toList();
        return prices.keySet().stream()
                .flatMap(place -> dates.stream().map(place::startOf))
                .distinct()
                .toList();
    }

    /** Whether it takes prices away that were loaded. */
    boolean unloads(ChangeSetId id) {
        return set(id).lines.stream().anyMatch(line -> line.kind() == ChangeChunk.Kind.UNLOAD);
    }

    private ModelSet set(ChangeSetId id) {
        return Objects.requireNonNull(sets.get(id));
    }

    static String text(@Nullable Money money) {
        return money == null ? "nothing" : money.amount().toPlainString();
    }
}
