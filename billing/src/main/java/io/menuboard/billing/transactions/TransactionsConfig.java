package io.menuboard.billing.transactions;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.billing.*} for what comes in.
 *
 * @param shards partitions that share the transactions of a quarter hour; may be raised, on all instances together, and
 *     never lowered. Each takes 200 transactions a second
 * @param slots counters of each shard, so that transactions of different instances seldom meet at one; the same on all
 *     instances
 * @param maxRecord most transactions of one call, 1 to 1,000
 * @param lag how long after its end a quarter hour is closed: longer than clocks differ and writes take
 * @param fileMaxRows most rows of an uploaded file of transactions
 * @param fileMaxBytes longest such file
 */
@ConfigurationProperties("menuboard.billing")
record TransactionsConfig(
        @Bindable(defaultValue = "4") int shards,
        @Bindable(defaultValue = "8") int slots,
        @Bindable(defaultValue = "1000") int maxRecord,
        @Bindable(defaultValue = "15m") Duration lag,
        @Bindable(defaultValue = "100000") int fileMaxRows,
        @Bindable(defaultValue = "50000000") int fileMaxBytes) {

    /** What the schema says of {@code recordTransactions}, which refuses more whatever is set. */
    private static final int MOST_RECORD = 1_000;

    TransactionsConfig {
        require(shards >= 1 && slots >= 1, "shards and slots must be at least 1");
        require(maxRecord >= 1 && fileMaxRows >= 1 && fileMaxBytes >= 1, "limits must be at least 1");
        require(maxRecord <= MOST_RECORD, "max-record must be at most " + MOST_RECORD);
        require(!lag.isNegative(), "lag must not be negative");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("menuboard.billing: " + rule);
        }
    }
}
