package io.menuboard.favorites;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ChangeRecord.Kind;
import io.menuboard.querydb.Item;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Stream records of marks that were never made, for tests that need more of them than could be made. */
final class StreamRecords {
    private StreamRecords() {}

    /** A mark was made, by a user of that number, who has one mark. */
    static ChangeRecord made(int user, String restaurant, Instant created) {
        return new ChangeRecord(
                "made-" + user,
                created.truncatedTo(ChronoUnit.SECONDS),
                Kind.CREATED,
                item(user, restaurant, created).key(),
                DynamoFavorites.TYPE,
                null,
                item(user, restaurant, created));
    }

    /** That mark was taken back. */
    static ChangeRecord takenBack(int user, String restaurant, Instant created, Instant at) {
        return new ChangeRecord(
                "taken-back-" + user,
                at.truncatedTo(ChronoUnit.SECONDS),
                Kind.REMOVED,
                item(user, restaurant, created).key(),
                DynamoFavorites.TYPE,
                item(user, restaurant, created),
                null);
    }

    private static Item item(int user, String restaurant, Instant created) {
        return Item.at(DynamoFavorites.key(new UserId("user-" + user), new RestaurantId(restaurant)))
                .type(DynamoFavorites.TYPE)
                .string("mark", Long.toHexString(2L * user * 0x9E3779B97F4A7C15L))
                .string("created", created.toString())
                .build();
    }
}
