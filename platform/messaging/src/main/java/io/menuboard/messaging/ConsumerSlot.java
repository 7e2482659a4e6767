package io.menuboard.messaging;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One of a few slots for instances that do something at the same time. That there are so few is not certain: an instance
 * that was held up too long may not know yet that its lease has ended and another one holds the slot. For one thread.
 */
final class ConsumerSlot {
    private static final Duration LEASE = Duration.ofSeconds(10);

    /** Longest wait of an instance that holds a slot before it renews the lease. */
    static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(1);

    /** Wait of an instance without a slot between attempts: half a write unit a second. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(2);

    private final InstanceLeases leases;
    private final List<String> names;
    private final String holder = UUID.randomUUID().toString();
    private @Nullable String held;
    private int attempts;

    /** @param name of what is done; the leases of its slots are {@code {name}-0} and so on */
    ConsumerSlot(InstanceLeases leases, String name, int slots) {
        this.leases = leases;
        this.names = IntStream.range(0, slots).mapToObj(i -> name + "-" + i).toList();
    }

    /** Keeps the slot, or acquires a free one: the first attempt tries all, later ones try one after the other. */
    boolean acquireOrRenew() {
        if (held != null && leases.hold(held, holder, LEASE)) {
            return true;
        }
        var tried = attempts == 0 ? names : List.of(names.get(attempts % names.size()));
        attempts++;
        held = tried.stream()
                .filter(name -> leases.hold(name, holder, LEASE))
                .findFirst()
                .orElse(null);
        return held != null;
    }

    /** The number of the slot that is held, from 0 on; -1 for none. */
    int number() {
        return held == null ? -1 : names.indexOf(held);
    }

    /** Makes the slot free at once. */
    void release() {
        if (held != null) {
            leases.release(held, holder);
            held = null;
        }
    }
}
