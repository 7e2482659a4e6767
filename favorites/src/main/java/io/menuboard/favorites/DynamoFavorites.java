package io.menuboard.favorites;

import io.menuboard.favorites.MarkEvent.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.AlreadyExists;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Marks as items {@code USER#{user}}/{@code FAV#{restaurant}}, so that there is one at most of each user and restaurant;
 * listed in {@code gsi1} under {@code RESTAURANT#{restaurant}#{shard}} and in {@code gsi2} under {@code USER#{user}}, in
 * both by when they were made. Making or removing one costs three write units, one each for the table and the indexes.
 */
final class DynamoFavorites {
    static final String TYPE = "favorite";

    private static final int HEX = 16;

    private final QueryDb db;
    private final RandomGenerator random;
    private final int shards;

    /** @param shards partitions that share the marks of a restaurant in the index, at least 1; may be raised */
    DynamoFavorites(QueryDb db, RandomGenerator random, int shards) {
        this.db = db;
        this.random = random;
        this.shards = shards;
    }

    /**
     * Makes it unless it is there; the one that is there then. Each attempt has a number of its own: a number that was taken
     * back never comes again, whatever answers were lost.
     */
    Favorites.Marked save(Favorite favorite, Actor actor) {
        try {
            return new Favorites.Marked(favorite(db.insert(() -> item(favorite, actor))), true);
        } catch (AlreadyExists e) {
            return new Favorites.Marked(db.read(e.current().orElseThrow(), DynamoFavorites::favorite), false);
        }
    }

    private Item item(Favorite favorite, Actor actor) {
        var created = Key.sortable(favorite.created());
        return Item.at(key(favorite.user(), favorite.restaurant()))
                .type(TYPE)
                .string("mark", Long.toHexString(random.nextLong() & ~1L))
                .string("created", created)
                .string("by", actor.text())
                .index(partition(favorite.restaurant(), shard(favorite.user())), place(favorite))
                .secondIndex("USER#" + favorite.user(), created + "#" + favorite.restaurant())
                .build();
    }

    Optional<Favorites.TakenBack> remove(UserId user, RestaurantId restaurant) {
        return db.remove(key(user, restaurant), "mark")
                .map(removed -> new Favorites.TakenBack(
                        db.read(removed.item(), DynamoFavorites::favorite), removed.isCertain()));
    }

    Optional<Favorite> find(UserId user, RestaurantId restaurant) {
        return db.get(key(user, restaurant), Consistency.STRONG).map(item -> db.read(item, DynamoFavorites::favorite));
    }

    /** Tells of each restaurant whether the user's mark is there, be it readable or not. A read unit for each. */
    List<Boolean> exist(UserId user, List<RestaurantId> restaurants) {
        return db
                .getBatch(
                        restaurants.stream()
                                .map(restaurant -> key(user, restaurant))
                                .toList(),
                        Consistency.STRONG)
                .stream()
                .map(Optional::isPresent)
                .toList();
    }

    /** Those of the marks that are there, and that this version can read. A read unit for each. */
    List<Favorite> findAll(List<Favorite.Id> marks) {
        return db
                .getBatch(
                        marks.stream()
                                .map(mark -> key(mark.user(), mark.restaurant()))
                                .toList(),
                        Consistency.STRONG)
                .stream()
                .flatMap(Optional::stream)
                .flatMap(item -> db.readable(item, DynamoFavorites::favorite).stream())
                .toList();
    }

    Page<Favorite> of(UserId user, PageRequest page) {
        return db.query(
                Query.index("favorites of a user", "gsi2", "USER#" + user).reversed(), DynamoFavorites::favorite, page);
    }

    Page<Favorite> of(RestaurantId restaurant, PageRequest page) {
        var lists = IntStream.range(0, shards)
                .mapToObj(shard -> ofShard(restaurant, shard).reversed())
                .toList();
        return db.query(lists, DynamoFavorites::favorite, page);
    }

    /** Marks of some users on a restaurant, in the order of all of them. A read unit for each of these users. */
    Page<Favorite> of(RestaurantId restaurant, Collection<UserId> users, PageRequest page) {
        var found = findAll(
                users.stream().map(user -> new Favorite.Id(user, restaurant)).toList());
        return db.page(
                Query.table("favorites of a restaurant by some users", "FAVORITES#" + restaurant)
                        .reversed(),
                found.stream()
                        .sorted(Comparator.comparing(DynamoFavorites::place, Key::compareUtf8)
                                .reversed())
                        .toList(),
                DynamoFavorites::place,
                some -> some.stream().map(Optional::of).toList(),
                page);
    }

    /** Among the marks on a restaurant. */
    private static String place(Favorite favorite) {
        return Key.sortable(favorite.created()) + "#" + favorite.user();
    }

    /**
     * A mark as it is stored.
     *
     * @param number that no other mark ever had: an even one
     */
    record Mark(Key key, long number, Instant created) {
        private static Mark of(Item item) {
            return new Mark(item.key(), mark(item), DynamoFavorites.created(item));
        }

        Instant hour() {
            return created.truncatedTo(ChronoUnit.HOURS);
        }
    }

    /**
     * Every mark on a restaurant, shard after shard, oldest first; read as the stream is consumed, which throws
     * {@link io.menuboard.querydb.UnreadableItem} at one that another version wrote and this one cannot read: how many there are
     * is not known without it.
     */
    Stream<Mark> all(RestaurantId restaurant) {
        return IntStream.range(0, shards)
                .boxed()
                .flatMap(shard -> db.all(ofShard(restaurant, shard).attributes("mark", "created")))
                .map(item -> db.read(item, Mark::of));
    }

    /** The marks themselves, as they are now, in that order. A read unit for each; throws as {@link #all}. */
    List<Optional<Mark>> there(List<Mark> listed) {
        return db.getBatch(listed.stream().map(Mark::key).toList(), Consistency.STRONG).stream()
                .map(item -> item.map(found -> db.read(found, Mark::of)))
                .toList();
    }

    /** Events of a change of a mark's item: none, one, or two where another mark took the place of one. */
    static List<MarkEvent> events(ChangeRecord change) {
        var before = change.before();
        var after = change.after();
        if (before != null && after != null && mark(before) == mark(after)) {
            return List.of();
        }
        var events = new ArrayList<MarkEvent>(2);
        add(events, before, Kind.TAKEN_BACK, change.at());
        add(events, after, Kind.MADE, change.at());
        return List.copyOf(events);
    }

    private static void add(List<MarkEvent> events, @Nullable Item item, Kind kind, Instant at) {
        if (item != null) {
            var favorite = favorite(item);
            events.add(new MarkEvent(
                    favorite.restaurant(),
                    kind,
                    mark(item),
                    favorite.created(),
                    kind == Kind.MADE ? favorite.created() : at));
        }
    }

    private static Query ofShard(RestaurantId restaurant, int shard) {
        return Query.index("favorites of a restaurant", "gsi1", partition(restaurant, shard));
    }

    /** Shard of a user's marks. */
    int shard(UserId user) {
        return Math.floorMod(user.value().hashCode(), shards);
    }

    static String partition(RestaurantId restaurant, int shard) {
        return "RESTAURANT#" + restaurant + "#" + shard;
    }

    static Key key(UserId user, RestaurantId restaurant) {
        return new Key("USER#" + user, "FAV#" + restaurant);
    }

    static Favorite favorite(Item item) {
        var key = item.key();
        return new Favorite(
                new UserId(after(key.partition(), "USER#")),
                new RestaurantId(after(key.sort(), "FAV#")),
                created(item));
    }

    private static long mark(Item item) {
        return Long.parseUnsignedLong(item.string("mark"), HEX);
    }

    private static Instant created(Item item) {
        return Instant.parse(item.string("created"));
    }

    private static String after(String text, String prefix) {
        if (!text.startsWith(prefix)) {
            throw new IllegalStateException(text + " does not begin with " + prefix);
        }
        return text.substring(prefix.length());
    }
}
