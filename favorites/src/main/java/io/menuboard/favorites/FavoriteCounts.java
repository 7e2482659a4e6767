package io.menuboard.favorites;

import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.querydb.ChangeRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Counts marks by what the table's stream delivers of them. What a batch has of one restaurant is counted together; after that
 * the restaurant is ranked. Thread-safe.
 */
final class FavoriteCounts implements ChangeBatchHandler {
    private final DynamoCounters counters;
    private final RankingDebouncer ranks;
    private final CountingWatermark watermark;
    private final Executor threads;

    FavoriteCounts(DynamoCounters counters, RankingDebouncer ranks, CountingWatermark watermark, Executor threads) {
        this.counters = counters;
        this.ranks = ranks;
        this.watermark = watermark;
        this.threads = threads;
    }

    @Override
    public Set<String> types() {
        return Set.of(DynamoFavorites.TYPE, DynamoWatermarks.HEARTBEAT_TYPE);
    }

    @Override
    public Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records) {
        var heartbeat = DynamoWatermarks.latestHeartbeat(records);
        var batch = watermark.begin();
        @Nullable Map<ChangeRecord, RuntimeException> failures = null;
        try {
            failures = count(records);
        } finally {
            if (failures == null || !failures.isEmpty()) {
                watermark.failed(batch);
            }
        }
        if (failures.isEmpty()) {
            watermark.completed(batch, heartbeat);
        }
        return failures;
    }

    private Map<ChangeRecord, RuntimeException> count(List<ChangeRecord> records) {
        var failures = new ConcurrentHashMap<ChangeRecord, RuntimeException>();
        var byRestaurant = new LinkedHashMap<RestaurantId, List<Received>>();
        for (var record : records) {
            try {
                for (var event : record.type().equals(DynamoWatermarks.HEARTBEAT_TYPE)
                        ? List.<MarkEvent>of()
                        : DynamoFavorites.events(record)) {
                    byRestaurant
                            .computeIfAbsent(event.restaurant(), _ -> new ArrayList<>())
                            .add(new Received(record, event));
                }
            } catch (RuntimeException corrupt) {
                // Any exception: what makes no sense cannot be foreseen, and nothing is read or written here.
                failures.put(record, corrupt);
            }
        }
        var done = new ArrayList<CompletableFuture<Void>>();
        byRestaurant.forEach((restaurant, received) -> done.add(CompletableFuture.supplyAsync(
                        () -> count(
                                restaurant,
                                received.stream().map(Received::event).toList()),
                        threads)
                .thenCompose(spans -> ranks.rank(restaurant, spans))
                .exceptionally(failed -> {
                    var cause = failed instanceof CompletionException && failed.getCause() != null
                            ? failed.getCause()
                            : failed;
                    var reason = cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
                    received.forEach(one -> failures.put(one.record(), reason));
                    return null;
                })));
        done.forEach(CompletableFuture::join);
        return failures;
    }

    private record Received(ChangeRecord record, MarkEvent event) {}

    @Override
    public void slotAssigned(int slot) {
        counters.useSlot(slot);
    }

    @Override
    public void heartbeat() {
        watermark.writeHeartbeat();
    }

    private Collection<Span> count(RestaurantId restaurant, List<MarkEvent> events) {
        counters.count(restaurant, events);
        return past(events);
    }

    /** Days, weeks and months of these events: also those that were counted before, whose ranking may not have been written. */
    static Collection<Span> past(List<MarkEvent> events) {
        var spans = new HashSet<Span>();
        events.stream().map(event -> Rollup.day(event.created())).distinct().forEach(day -> Arrays.stream(
                        FavoriteWindow.values())
                .filter(FavoriteWindow::isCalendar)
                .map(window -> Span.on(window, day))
                .forEach(spans::add));
        return spans;
    }
}
