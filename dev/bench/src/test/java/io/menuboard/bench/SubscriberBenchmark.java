package io.menuboard.bench;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Subscribers of prices in the local environment, all of it in this process: one instance changes a price, the feed tells another
 * one, and that tells its subscribers over server-sent events, who are one thread with a socket each.
 */
final class SubscriberBenchmark implements AutoCloseable {
    private static final int SUBSCRIBERS = 2_000;
    private static final int WARM_UP = 20;

    /** Those who are there when the heap is looked at first, after as many changes as when it is looked at again. */
    private static final int FIRST = 500;

    private static final int CHANGES = 40;
    private static final int PRODUCTS = 100;
    private static final double MILLI = 1e6;
    private static final byte[] EVENT = "event: next".getBytes(US_ASCII);
    private static final String BODY = """
            {"query":"subscription { priceChanges(store: \\"BENCH-0001\\") { position changes { subject { product { key } } before { amount } after { amount } reason } } }"}""";

    private final LocalAws aws = LocalAws.start(null, "subscribers-bench");
    private final EmbeddedServer writer = start();
    private final EmbeddedServer server = start();
    private final Subscribers subscribers = new Subscribers();

    private EmbeddedServer start() {
        var properties = new HashMap<String, Object>(aws.properties());
        properties.put("micronaut.server.port", -1);
        properties.put("menuboard.sign-in", false);
        properties.put("menuboard.limits.connections-per-address", 10_000);
        properties.put("menuboard.limits.address-rate", 100_000);
        properties.put("menuboard.limits.address-burst", 100_000);
        return ApplicationContext.run(EmbeddedServer.class, properties);
    }

    private <T> T bean(Class<T> type) {
        return writer.getApplicationContext().getBean(type);
    }

    String report() throws IOException, InterruptedException {
        save();
        subscribers.connect(FIRST, server.getPort());
        for (var i = 0; i < WARM_UP; i++) {
            tell(i);
        }
        var before = heap();
        subscribers.connect(SUBSCRIBERS - FIRST, server.getPort());
        for (var i = 0; i < WARM_UP; i++) {
            tell(i);
        }
        var bytes = (heap() - before) / (SUBSCRIBERS - FIRST);
        var first = new ArrayList<Double>();
        var all = new ArrayList<Double>();
        for (var i = 0; i < CHANGES; i++) {
            var nanos = tell(i + 2);
            first.add(nanos.getFirst());
            all.addAll(nanos);
        }
        return """
                ## Subscribers
                Measured by `SubscriberBenchmark`, which is part of `mvn -Pbench`: the local environment, an instance that changes prices
                and one with %,d subscribers of one store over server-sent events, all in one process with what reads them.

                From the answer that a change was applied at once to its event, %d changes one after the other, each to all
                subscribers:

                | | p50 | p99 |
                | --- | ---: | ---: |
                | the first of the subscribers | %.0f ms | %.0f ms |
                | every subscriber | %.0f ms | %.0f ms |

                Heap for each subscriber, after a collection, with the connection's and that of its reader: %.1f KB.

                """.formatted(
                        SUBSCRIBERS, CHANGES, at(first, 50), at(first, 99), at(all, 50), at(all, 99), bytes / 1024.0);
    }

    private static double at(List<Double> nanos, int percent) {
        var sorted = nanos.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)) / MILLI;
    }

    private static long heap() throws InterruptedException {
        for (var i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(500);
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void save() {
        var store = new Store(
                new StoreId("BENCH-0001"),
                "Benchmark Street",
                new Address("Benchmark Street 1", "Berlin", "Berlin", "10178", "DE"),
                Store.timeZoneOf("Europe/Berlin"),
                Money.currencyOf("EUR"),
                StoreStatus.OPEN);
        bean(Stores.class).save(EVERYTHING, List.of(store));
        SamplePrices.save(
                bean(Imports.class),
                bean(ChangeSets.class),
                IntStream.range(0, PRODUCTS)
                        .mapToObj(i -> new BasePrice(
                                store,
                                Channel.ALL,
                                product(i),
                                EffectiveDate.parse("2026-01-01"),
                                new Money(BigDecimal.valueOf(199 + i, 2), store.currency())))
                        .toList());
    }

    private static ProductId product(int i) {
        return new ProductId("PRODUCT-%03d".formatted(i));
    }

    /** Changes a price, and waits until every subscriber was told; nanoseconds from the answer, in the order of their events. */
    private List<Double> tell(int i) throws InterruptedException {
        var rule = new ChangeRule(
                new StoreSelection.Listed(List.of(new StoreId("BENCH-0001"))),
                List.of(new PriceSubject.Product(product(i % PRODUCTS))),
                List.of(Channel.ALL),
                new PriceOperation.Add(new BigDecimal("0.10")),
                null);
        var draft = new DraftChangeSet("Benchmark", "to tell of it", null, List.of(rule));
        var drafted = ((ChangeSetResult.Done) bean(ChangeSetDrafts.class).draft(EVERYTHING, draft, null)).set();
        var applied = bean(ChangeSets.class).applyAccepted(EVERYTHING, drafted.id(), String.valueOf(drafted.token()));
        var begin = System.nanoTime();
        if (!(applied instanceof ChangeSetResult.Done)) {
            throw new IllegalStateException("not applied: " + applied);
        }
        return subscribers.take().stream()
                .map(nanos -> (double) Math.max(0, nanos - begin))
                .toList();
    }

    @Override
    public void close() {
        subscribers.close();
        server.getApplicationContext().close();
        writer.getApplicationContext().close();
        aws.close();
    }

    /** Sockets that are all read by one thread, which takes the time of each event. */
    private static final class Subscribers implements AutoCloseable {
        private final Selector selector;
        private final BlockingQueue<Long> events = new LinkedBlockingQueue<>();
        private int count;

        Subscribers() {
            try {
                selector = Selector.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Thread.ofPlatform().daemon().start(this::read);
        }

        /** Number of characters of {@link #EVENT} that have been read last. */
        private static final class Progress {
            int matched;
        }

        /** Subscribes so many more, and waits until each knows where it is. */
        void connect(int more, int port) throws IOException, InterruptedException {
            var request = ("POST /graphql/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Accept: text/event-stream\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY)
                    .getBytes(US_ASCII);
            for (var i = 0; i < more; i++) {
                var socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                socket.write(ByteBuffer.wrap(request));
                socket.configureBlocking(false);
                socket.register(selector, SelectionKey.OP_READ, new Progress());
                selector.wakeup();
                take(1);
            }
            count += more;
        }

        /** Times of the next event of each. */
        List<Long> take() throws InterruptedException {
            return take(count);
        }

        private List<Long> take(int number) throws InterruptedException {
            var taken = new ArrayList<Long>();
            while (taken.size() < number) {
                var event = events.poll(60, TimeUnit.SECONDS);
                if (event == null) {
                    throw new IllegalStateException("only " + taken.size() + " of " + number + " were told");
                }
                taken.add(event);
            }
            return taken;
        }

        private void read() {
            var buffer = ByteBuffer.allocateDirect(64 * 1024);
            try {
                while (selector.isOpen()) {
                    selector.select(key -> read(key, buffer), 100);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void read(SelectionKey key, ByteBuffer buffer) {
            var progress = (Progress) key.attachment();
            buffer.clear();
            try {
                if (((SocketChannel) key.channel()).read(buffer) < 0) {
                    key.cancel();
                    return;
                }
            } catch (IOException _) {
                key.cancel();
                return;
            }
            buffer.flip();
            while (buffer.hasRemaining()) {
                var next = buffer.get();
                progress.matched = next == EVENT[progress.matched] ? progress.matched + 1 : next == EVENT[0] ? 1 : 0;
                if (progress.matched == EVENT.length) {
                    progress.matched = 0;
                    events.add(System.nanoTime());
                }
            }
        }

        @Override
        public void close() {
            try {
                for (var key : selector.keys()) {
                    key.channel().close();
                }
                selector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
