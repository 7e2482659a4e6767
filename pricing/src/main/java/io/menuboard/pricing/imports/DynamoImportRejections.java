package io.menuboard.pricing.imports;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Edge;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of imports that were rejected, {@value #AT_ONCE} to an item {@code IMPORT#{id}}/{@code REJECTED#{00000001…}} beside the import.
 * They expire with it.
 */
final class DynamoImportRejections {
    /** At 200 characters of value and about as many of rule, far below the 400 KB that an item may have. */
    static final int AT_ONCE = 100;

    private static final String REJECTED = "REJECTED#";
    private static final String ATTEMPT = DynamoImports.ATTEMPT;
    private static final int CELLS = 6;

    /** Digits of the place of an item of rejections. */
    private static final int PLACE = 8;

    /** Places of one attempt, more than there are seconds and hundreds of rejections in an import. */
    private static final int PLACES = 1_000_000;

    private static final Pattern CURSOR = Pattern.compile("[0-9]{8}#[0-9]{3}");

    private final QueryDb db;
    private final Duration keptFor;

    DynamoImportRejections(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /** Forgets what was rejected, so that the file can be read again. One write unit for each item. */
    void forget(ImportId id) {
        try (var items = db.all(
                Query.table("importRejections", DynamoImports.partition(id)).beginsWith(REJECTED))) {
            db.deleteBatch(items.map(Item::key).toList()).orThrow();
        }
    }

    /**
     * Keeps at most {@value #AT_ONCE} rejections, the {@code number}th of such items. One write unit per KB. Those of
     * an attempt that was overtaken, and does not know it yet, are neither written over its successor's nor listed with them.
     */
    void keep(ImportStatus status, int number, List<ImportRejection> rejections) {
        var cells = new ArrayList<String>(CELLS * rejections.size());
        for (var rejection : rejections) {
            cells.add(rejection.file().name());
            cells.add(Integer.toString(rejection.row()));
            cells.add(rejection.field());
            cells.add(rejection.value());
            cells.add(rejection.rule());
            cells.add(rejection.code());
        }
        // Those of a first attempt are where those of earlier versions are.
        var place = Math.max(0, status.attempt() - 1) % 100 * PLACES + number;
        db.save(
                Item.at(new Key(DynamoImports.partition(status.id()), REJECTED + "%08d".formatted(place)))
                        .type("importRejections")
                        .number(ATTEMPT, status.attempt())
                        .strings("cells", cells)
                        .ttl(status.startedAt().plus(keptFor))
                        .build(),
                SaveMode.ANY);
    }

    /** The rejections of the attempt that read it, in the order in which they were found; read as they are asked for. */
    Stream<ImportRejection> of(ImportStatus status) {
        return db.all(Query.table("importRejections", DynamoImports.partition(status.id()))
                        .beginsWith(REJECTED))
                .filter(item -> isOf(status, item))
                .flatMap(item -> db.readable(item, DynamoImportRejections::rejections).stream())
                .flatMap(List::stream);
    }

    /** Those that an earlier version has kept are of all attempts. */
    private static boolean isOf(ImportStatus status, Item item) {
        return status.readBy() == 0
                || item.findNumber(ATTEMPT)
                        .map(attempt -> attempt.intValue() == status.readBy())
                        .orElse(true);
    }

    /** A page of the same, in the order in which they were found. */
    Page<ImportRejection> of(ImportStatus status, PageRequest page) {
        var cursor = page.cursor() == null ? null : cursor(page);
        var towards = page.direction();
        var found = find(status, page.size() + 1, towards, cursor);
        var nearest = found.isEmpty() ? cursor : found.getFirst().cursor();
        BooleanSupplier isBehind = () ->
                cursor != null && !find(status, 1, towards.opposite(), nearest).isEmpty();
        var edges = found.stream()
                .map(kept -> new Edge<>(kept.rejection(), kept::cursor))
                .toList();
        return Page.beyond(page, edges, isBehind, () -> count(status));
    }

    private Count count(ImportStatus status) {
        try (var kept = of(status)) {
            return Count.upTo(Page.COUNTED, kept);
        }
    }

    /** A rejection, with the place of its item and its place in that, which sort as rejections do. */
    private record Kept(ImportRejection rejection, String cursor) {}

    private static String cursor(PageRequest page) {
        var cursor = Objects.requireNonNull(page.cursor());
        if (!CURSOR.matcher(cursor).matches()) {
            throw new InvalidInput(
                    "INVALID_CURSOR", page.direction().cursorField(), "must be a cursor that this same list gave out");
        }
        return cursor;
    }

    /** So many beyond a cursor, the nearest first. */
    private List<Kept> find(ImportStatus status, int wanted, Direction towards, @Nullable String beyond) {
        var isForward = towards == Direction.FORWARD;
        var all = Query.table("importRejections", DynamoImports.partition(status.id()));
        var place = beyond == null ? "" : REJECTED + beyond.substring(0, PLACE);
        var from = beyond == null
                ? all.beginsWith(REJECTED)
                : all.between(isForward ? place : REJECTED, isForward ? REJECTED + "~" : place);
        try (var items = db.all(isForward ? from : from.reversed())) {
            return items.filter(item -> isOf(status, item))
                    .flatMap(item -> kept(item, isForward).stream())
                    .filter(kept -> beyond == null
                            || (isForward
                                    ? kept.cursor().compareTo(beyond) > 0
                                    : kept.cursor().compareTo(beyond) < 0))
                    .limit(wanted)
                    .toList();
        }
    }

    private List<Kept> kept(Item item, boolean inOrder) {
        var rejections = db.readable(item, DynamoImportRejections::rejections).orElse(List.of());
        var place = item.key().sort().substring(REJECTED.length());
        var kept = IntStream.range(0, rejections.size())
                .mapToObj(i -> new Kept(rejections.get(i), place + "#" + "%03d".formatted(i)))
                .toList();
        return inOrder ? kept : kept.reversed();
    }

    private static List<ImportRejection> rejections(Item item) {
        var cells = item.strings("cells");
        var rejections = new ArrayList<ImportRejection>();
        for (var at = 0; at < cells.size(); at += CELLS) {
            rejections.add(new ImportRejection(
                    ImportKind.valueOf(cells.get(at)),
                    Integer.parseInt(cells.get(at + 1)),
                    cells.get(at + 2),
                    cells.get(at + 3),
                    cells.get(at + 4),
                    cells.get(at + 5)));
        }
        return rejections;
    }
}
