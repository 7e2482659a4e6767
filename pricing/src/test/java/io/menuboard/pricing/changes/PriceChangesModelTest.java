package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.FULL_SOAK;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Change sets and imports drafted, applied, moved, taken back and put back by two instances, which race, die and miss
 * answers, while records of the feed and messages that batches are due come twice, early, late, in any order or never:
 * prices, sets and what is to come, and in the end the history and the events, are those of a model that knows of none of
 * this.
 */
class PriceChangesModelTest {
    /** With {@code -Dseeds=300-310} those, to look into a story. */
    private static final String SEEDS = System.getProperty("seeds", FULL_SOAK ? "0-3000" : "0-30");

    private static final int STORIES_OF_A_TABLE = 30;
    private static final int TURNS = FULL_SOAK ? 20 : 12;
    private static final TableDefinition TABLE = TableDefinition.menuboard("model");

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void whatComesOfEverythingIsThatOfTheModel() {
        var first = Integer.parseInt(SEEDS.split("-", 2)[0]);
        var last = Integer.parseInt(SEEDS.split("-", 2)[1]);
        for (var begin = first; begin < last; begin += STORIES_OF_A_TABLE) {
            // DynamoDB Local becomes slow after tens of thousands of writes, also in other tables.
            try (var dynamoDb = LocalDynamoDb.inMemory()) {
                LocalTables.create(dynamoDb, TABLE);
                for (var seed = begin; seed < Math.min(last, begin + STORIES_OF_A_TABLE); seed++) {
                    try (var story = new PriceStory(seed, dynamoDb.directClient(), TABLE)) {
                        story.go(TURNS);
                    }
                }
            }
        }
    }
}
