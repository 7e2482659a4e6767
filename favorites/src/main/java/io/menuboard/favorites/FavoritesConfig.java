package io.menuboard.favorites;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;
import java.time.LocalTime;

/**
 * Settings under {@code menuboard.favorites.*}.
 *
 * @param markShards partitions that share the list of those who marked a restaurant; each takes 400 marks a second. May be
 *     raised, on all instances together, and never lowered
 * @param rankShards partitions that share a ranking; each takes 200 changed counts a second. As {@code markShards}, and
 *     after it was raised everything has to be recounted
 * @param counterShards rollups of each restaurant, one for each instance that counts at the same time
 *     ({@code batch-consumers}), so that they do not meet there; may be raised
 * @param rankEvery least time between two times that one instance ranks the same restaurant where somebody views that;
 *     what happens in between is ranked together
 * @param rankRestEvery interval in which everything else is ranked: places after the first thousand, and rankings that
 *     somebody viewed within a day, but not now
 * @param concurrency restaurants that one instance counts, and ranks, at once
 * @param recountAt time at which the nightly recount begins, in UTC ({@code 03:00})
 */
@ConfigurationProperties("menuboard.favorites")
record FavoritesConfig(
        @Bindable(defaultValue = "16") int markShards,
        @Bindable(defaultValue = "8") int rankShards,
        @Bindable(defaultValue = "4") int counterShards,
        @Bindable(defaultValue = "700ms") Duration rankEvery,
        @Bindable(defaultValue = "10m") Duration rankRestEvery,
        @Bindable(defaultValue = "16") int concurrency,
        @Bindable(defaultValue = "03:00") LocalTime recountAt) {

    FavoritesConfig {
        require(markShards >= 1 && rankShards >= 1, "mark-shards and rank-shards must be at least 1");
        require(counterShards >= 1 && concurrency >= 1, "counter-shards and concurrency must be at least 1");
        require(!rankEvery.isNegative(), "rank-every must not be negative");
        require(
                rankRestEvery.isPositive() && rankRestEvery.compareTo(Duration.ofHours(12)) <= 0,
                "rank-rest-every must be more than 0 s, and 12 h at most");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("menuboard.favorites: " + rule);
        }
    }
}
