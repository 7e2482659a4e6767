package io.menuboard.favorites;

import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Notes of restaurants that were counted and are to be ranked later: items {@code FAVNOTED}/{@code {time}#{id}} with as many
 * as one instance counted within a moment, kept for a week.
 */
final class DynamoRankNotes {
    /** A note may be found so long after the time that it has, if writing it took all attempts. */
    static final Duration MARGIN = Duration.ofMinutes(1);

    private static final Duration KEPT = Duration.ofDays(7);

    /** Time for which every note is still there. */
    static final Duration REACH = KEPT.minusDays(1);

    private static final String PARTITION = "FAVNOTED";
    private static final String RESTAURANTS = "restaurants";

    /** No sort key is greater. */
    private static final String LAST = "\uDBFF\uDFFF";

    private final QueryDb db;

    DynamoRankNotes(QueryDb db) {
        this.db = db;
    }

    /** Restaurants that were counted at about that time. */
    record Note(Instant at, List<RestaurantId> restaurants) {}

    /** A write unit for each KB, some fifty restaurants. */
    void save(Note note) {
        db.save(
                Item.at(new Key(PARTITION, Key.sortable(note.at()) + "#" + UUID.randomUUID()))
                        .type("favoriteNote")
                        .strings(
                                RESTAURANTS,
                                note.restaurants().stream()
                                        .map(RestaurantId::value)
                                        .toList())
                        .ttl(note.at().plus(KEPT))
                        .build(),
                SaveMode.ANY);
    }

    /** The oldest first. Strongly consistent: a read unit for each 4 KB, some two hundred restaurants. To be closed. */
    Stream<Note> since(Instant instant) {
        var query = Query.table("favorite notes", PARTITION).between(Key.sortable(instant), LAST);
        return db.all(query, Consistency.STRONG).map(DynamoRankNotes::note);
    }

    private static Note note(Item item) {
        var sort = item.key().sort();
        return new Note(
                Instant.parse(sort.substring(0, sort.indexOf('#'))),
                item.strings(RESTAURANTS).stream().map(RestaurantId::new).toList());
    }
}
