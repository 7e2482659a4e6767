package io.menuboard.pricing.changes;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.done;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.products;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Transactions of one set that are under way together have no item in common: DynamoDB would refuse all but one. */
class TakingTurnsTest {
    private static final List<String> STORES =
            IntStream.range(0, 6).mapToObj("S%d"::formatted).toList();

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final Set<Map<String, AttributeValue>> underWay = ConcurrentHashMap.newKeySet();
    private final Queue<Map<String, AttributeValue>> met = new ConcurrentLinkedQueue<>();
    private final AtomicInteger together = new AtomicInteger();
    private final AtomicInteger mostTogether = new AtomicInteger();

    @Test
    void chunksOfOneStoreAreWrittenAndTakenBackOneAfterTheOther() {
        var clock = new MovingClock();
        try (var fixture = new ChangesFixture(table.queryDb(watching(table.client()), clock), clock)) {
            fixture.stores.save(
                    EVERYTHING,
                    STORES.stream().map(store -> aStore(store).build()).toList());
            mostTogether.set(0);

            var set = fixture.applied(draft("2036-07-01", rule(setTo("5.99"), STORES, products(100))));
            done(fixture.sets.cancel(GRACE, set.id()));

            assertThat(met).isEmpty();
            assertThat(mostTogether.get()).as("stores at a time").isGreaterThan(1);
        }
    }

    private DynamoDbClient watching(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                TakingTurnsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    var keys = arguments != null && arguments[0] instanceof TransactWriteItemsRequest request
                            ? keys(request.transactItems())
                            : Set.<Map<String, AttributeValue>>of();
                    begin(keys);
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        end(keys);
                    }
                });
    }

    private void begin(Collection<Map<String, AttributeValue>> keys) {
        if (!keys.isEmpty()) {
            mostTogether.accumulateAndGet(together.incrementAndGet(), Math::max);
            keys.stream().filter(key -> !underWay.add(key)).forEach(met::add);
        }
    }

    private void end(Collection<Map<String, AttributeValue>> keys) {
        if (!keys.isEmpty()) {
            underWay.removeAll(keys);
            together.decrementAndGet();
        }
    }

    private static Set<Map<String, AttributeValue>> keys(List<TransactWriteItem> writes) {
        var keys = new HashSet<Map<String, AttributeValue>>();
        for (var write : writes) {
            Stream.of(
                            write.put() == null ? null : write.put().item(),
                            write.update() == null ? null : write.update().key(),
                            write.delete() == null ? null : write.delete().key())
                    .filter(item -> item != null)
                    .map(item -> Map.of("pk", item.get("pk"), "sk", item.get("sk")))
                    .forEach(keys::add);
        }
        return keys;
    }
}
