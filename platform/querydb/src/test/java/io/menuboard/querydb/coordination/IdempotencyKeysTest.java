package io.menuboard.querydb.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.coordination.IdempotencyKeys.Owner;
import io.menuboard.querydb.requests.Concurrently;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class IdempotencyKeysTest {
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");
    private static final Instant EXPIRY = NOW.plus(Duration.ofDays(1));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private IdempotencyKeys keys;

    @BeforeEach
    void start() {
        keys = new IdempotencyKeys(table.queryDb(new MovingClock(NOW)), "things");
    }

    @Test
    void eachOwnerHasItsOwnKeyHoweverManyClaimItAtOnce() {
        var owners = IntStream.range(0, 5).mapToObj(i -> "p" + i).toList();
        var claims = IntStream.range(0, 50)
                .mapToObj(i -> new Claim(owners.get(i % 5), "target-" + i))
                .toList();

        var claimed = Concurrently.map(16, claims, claim -> keys.claim(claim.owner, "k", claim.target, "body", EXPIRY));

        assertThat(claimed).filteredOn(Owner::claimed).hasSize(5);
        for (var i = 0; i < 5; i++) {
            var first = claimed.get(i).target();
            for (var j = i; j < 50; j += 5) {
                assertThat(claimed.get(j).target()).isEqualTo(first);
            }
            assertThat(target(owners.get(i), "k")).isEqualTo(first);
        }
        assertThat(claimed.stream().map(Owner::target).distinct()).hasSize(5);
        assertThat(keys.find("k")).isEmpty();
    }

    private record Claim(String owner, String target) {}

    private @Nullable String target(@Nullable String owner, String key) {
        return keys.find(owner, key).map(Owner::target).orElse(null);
    }

    @Test
    void aKeyWithoutOwnerIsFoundByAnOwnerWhoseItIs() {
        keys.claim("k", "before", "body", EXPIRY);

        assertThat(keys.claim("p1", "k", "new", "other body", EXPIRY, _ -> true).target())
                .isEqualTo("before");
        assertThat(target("p1", "k")).isEqualTo("before");
        assertThat(keys.claim("p2", "k", "new", "body", EXPIRY, _ -> false).target())
                .isEqualTo("new");
        assertThat(target("p2", "k")).isEqualTo("new");
        assertThat(keys.find("p3", "k", _ -> false)).isEmpty();
        assertThat(target(null, "k")).isEqualTo("before");
    }

    @Test
    void aKeyThatIsGivenBackIsFreeUnlessItStandsForSomethingElse() {
        keys.claim("p1", "k", "before", "body", EXPIRY);
        keys.claim("k", "before", "body", EXPIRY);

        keys.release("p1", "k", "other");
        assertThat(target("p1", "k")).isEqualTo("before");
        keys.release("p1", "k", "before");

        assertThat(keys.find("p1", "k", _ -> false)).isEmpty();
        assertThat(target(null, "k")).isEqualTo("before");
        keys.release(null, "k", "before");
        assertThat(keys.claim("p1", "k", "new", "body", EXPIRY).claimed()).isTrue();
        keys.release("p1", "k", "before");
        assertThat(target("p1", "k")).isEqualTo("new");
    }

    @Test
    void aKeyThatExpiresWhileItIsClaimedAgainIsFree() {
        keys.claim("k", "before", "body", EXPIRY);
        var clock = new MovingClock(EXPIRY.minusMillis(1));
        var late = new IdempotencyKeys(table.queryDb(expiring(clock), clock), "things");

        var claimed = late.claim("k", "new", "other body", EXPIRY.plus(Duration.ofDays(1)));

        assertThat(claimed.claimed()).isTrue();
        assertThat(claimed.target()).isEqualTo("new");
        assertThat(late.find("k").map(Owner::target)).contains("new");
    }

    /** Answers when the keys have expired. */
    private DynamoDbClient expiring(MovingClock clock) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                IdempotencyKeysTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    try {
                        return method.invoke(table.client(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        clock.set(EXPIRY.plusSeconds(1));
                    }
                });
    }

    @Test
    void noOwnersKeyIsAnotherKeyToAnybody() {
        for (var pair : List.of(List.of("a", "b#c"), List.of("a", "b"))) {
            keys.claim(pair.getFirst(), pair.getLast(), String.join("/", pair), "body", EXPIRY);
        }

        assertThat(target(null, "a#b")).isNull();
        assertThat(target(null, "a#b#c")).isNull();
        assertThat(target("a", "b")).isEqualTo("a/b");
        assertThat(target("c", "b")).isNull();
    }
}
