package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalScheduler.Misfire;
import io.menuboard.messaging.ChangeBatchHandler;
import io.menuboard.messaging.ChangeHandler;
import io.menuboard.messaging.ChangeMessages;
import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.messaging.DeadLetters;
import io.menuboard.messaging.DeadLetters.DeadLetter;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.messaging.SqsConsumers;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.batches.DueBatches;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.ChangeRecord.Kind;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.SaveMode;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** From the table to handlers that remember, and back from dead letters, on everything that stands in for AWS. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WholeWayTest {
    private final RememberingHandler changes = new RememberingHandler();
    private final RememberingBatches batches = new RememberingBatches();
    private final CountingHandler favorites = new CountingHandler();
    private final LocalAws aws = LocalAws.start(null, "whole-way");
    private final ApplicationContext context = context();
    private final QueryDb db = context.getBean(QueryDb.class);
    private final BatchSchedules schedules = context.getBean(BatchSchedules.class);

    private final List<QueueConsumer> consumers = consumers();

    private ApplicationContext context() {
        var properties = new HashMap<>(aws.properties());
        properties.put("menuboard.queues.backoff", "0s");
        properties.put("menuboard.queues.long-poll", "1s");
        properties.put("menuboard.scheduler.soon", "0s");
        // Without the server, which would begin to consume for those who handle messages in earnest.
        return ApplicationContext.builder().properties(properties).start();
    }

    private List<QueueConsumer> consumers() {
        var consumers = context.getBean(SqsConsumers.class);
        var started = List.of(
                consumers.inBatches(queue("favorites"), favorites),
                consumers.oneByOne(queue("changes"), new ChangeMessages(List.of(changes))),
                consumers.oneByOne(queue("due"), new DueMessages(batches)));
        started.forEach(QueueConsumer::start);
        return started;
    }

    private ConsumedQueue queue(String name) {
        return context.getBean(ConsumedQueue.class, Qualifiers.byName(name));
    }

    @AfterAll
    void stop() {
        consumers.forEach(QueueConsumer::close);
        context.close();
        aws.close();
    }

    @Test
    void whatIsWrittenReachesItsHandlerOnceEach() {
        var key = new Key("STORE#order", "ALL#Batch#2026-03-01");
        for (var version = 1; version <= 5; version += 2) {
            db.save(batch(key, version), SaveMode.ANY);
            // Nobody wants to know that a batch has changed.
            db.save(batch(key, version + 1), SaveMode.ANY);
            db.delete(key);
        }
        db.save(Item.at(new Key("STORE#order", "META")).type("store").build(), SaveMode.ANY);

        await().until(() -> changes.of(key.partition()).size() == 6);
        var seen = changes.of(key.partition());
        assertThat(seen)
                .extracting(ChangeRecord::kind)
                .containsExactlyInAnyOrder(
                        Kind.CREATED, Kind.REMOVED, Kind.CREATED, Kind.REMOVED, Kind.CREATED, Kind.REMOVED);
        assertThat(seen).extracting(ChangeRecord::key).containsOnly(key);
        assertThat(seen)
                .filteredOn(change -> change.kind() == Kind.CREATED)
                .extracting(ChangeRecord::after)
                .containsExactlyInAnyOrder(batch(key, 1), batch(key, 3), batch(key, 5));
        assertThat(seen)
                .filteredOn(change -> change.kind() == Kind.REMOVED)
                .extracting(ChangeRecord::before)
                .containsExactlyInAnyOrder(batch(key, 2), batch(key, 4), batch(key, 6));
        assertThat(seen).extracting(ChangeRecord::eventId).doesNotHaveDuplicates();
    }

    @Test
    void aHandlerThatKeepsFailingLeavesADeadLetterThatCanGoBack() {
        var key = new Key("STORE#broken", "ALL#Batch#2026-03-01");
        var deadLetters = context.getBean(DeadLetters.class);
        changes.broken.add(key.partition());
        db.save(batch(key, 1), SaveMode.ANY);
        await().until(() -> deadLetters.queues().contains(new DeadLetters.Queue("changes", 1)));
        assertThat(deadLetters.peek("changes", 10))
                .singleElement()
                .extracting(DeadLetter::body)
                .asString()
                .contains("STORE#broken");
        assertThat(changes.of(key.partition())).isEmpty();

        changes.broken.clear();
        deadLetters.redrive("changes", new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE));

        await().until(() -> changes.of(key.partition()).size() == 1);
        assertThat(deadLetters.queues())
                .containsExactly(
                        new DeadLetters.Queue("changes", 0),
                        new DeadLetters.Queue("due", 0),
                        new DeadLetters.Queue("favorites", 0));
    }

    @Test
    void whatIsCountedComesThroughAQueueOfItsOwn() {
        var keys = IntStream.range(0, 25)
                .mapToObj(i -> new Key("USER#Zo\u00eb " + i, "FAVORITE"))
                .toList();
        for (var key : keys) {
            db.save(Item.at(key).type("favorite").build(), SaveMode.ANY);
            db.delete(key);
        }

        await().until(() -> favorites.counted.size() == 2 * keys.size());
        assertThat(favorites.counted).extracting(ChangeRecord::key).containsAll(keys);
        assertThat(changes.seen).extracting(ChangeRecord::key).doesNotContainAnyElementsOf(keys);
    }

    @Test
    void aScheduledBatchIsAppliedWhenItIsDue() {
        var batch = batch("scheduled");

        schedules.schedule(batch, now().plusSeconds(2));
        assertThat(batches.applied).doesNotContain(batch);

        await().until(() -> batches.applied.contains(batch));
        assertThat(schedules.isScheduled(batch)).isFalse();
    }

    @Test
    void aMessageThatComesEarlyIsPutOffUntilItsTime() {
        var batch = batch("early");
        batches.notBefore.put(batch, now().plusSeconds(3));

        // As a scheduler would that is too early, or knows an old time.
        schedules.schedule(batch, now());

        await().until(() -> batches.applied.contains(batch));
        assertThat(batches.calls.stream().filter(batch::equals)).hasSize(2);
    }

    @Test
    void aScheduleThatFiresTwiceIsSeenTwice() {
        var batch = batch("twice");
        aws.scheduler().misfire(new Misfire.Twice());
        try {
            schedules.schedule(batch, now().plusSeconds(1));

            await().until(() -> batches.calls.stream().filter(batch::equals).count() == 2);
        } finally {
            aws.scheduler().misfire(new Misfire.None());
        }
    }

    @Test
    void whatIsPublishedIsOnTheBus() {
        context.getBean(PriceEvents.class)
                .publish(new PriceUpdated(
                        "h1", new StoreId("1"), Channel.ALL, "Base", "BURGER", Instant.EPOCH, "1", null, null, "c1"));

        assertThat(aws.bus().events())
                .extracting(event -> event.detail().path("id").asText())
                .contains("h1");
    }

    private static Instant now() {
        return Clock.systemUTC().instant();
    }

    private static PriceBatch batch(String store) {
        return new PriceBatch(new StoreId(store), Channel.ALL, EffectiveDate.parse("2026-03-01"));
    }

    private static Item batch(Key key, int version) {
        return Item.at(key).type("changeBatch").number("version", version).build();
    }

    private static final class RememberingHandler implements ChangeHandler {
        private final Queue<ChangeRecord> seen = new ConcurrentLinkedQueue<>();
        private final Set<String> broken = ConcurrentHashMap.newKeySet();

        List<ChangeRecord> of(String partition) {
            return seen.stream()
                    .filter(change -> change.key().partition().equals(partition))
                    .toList();
        }

        @Override
        public Set<String> types() {
            return Set.of("changeBatch");
        }

        @Override
        public void handle(ChangeRecord record) {
            if (broken.contains(record.key().partition())) {
                throw new IllegalStateException("told to fail");
            }
            seen.add(record);
        }
    }

    private static final class CountingHandler implements ChangeBatchHandler {
        private final Set<ChangeRecord> counted = ConcurrentHashMap.newKeySet();

        @Override
        public Set<String> types() {
            return Set.of("favorite");
        }

        @Override
        public Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records) {
            counted.addAll(records);
            return Map.of();
        }
    }

    private static final class RememberingBatches implements DueBatches {
        private final Set<PriceBatch> applied = ConcurrentHashMap.newKeySet();
        private final Map<PriceBatch, Instant> notBefore = new ConcurrentHashMap<>();
        private final Queue<PriceBatch> calls = new ConcurrentLinkedQueue<>();

        @Override
        public Due apply(Access access, PriceBatch batch) {
            calls.add(batch);
            var at = notBefore.get(batch);
            if (at != null && now().isBefore(at)) {
                return new Due.NotDueYet(at);
            }
            applied.add(batch);
            return new Due.Applied();
        }
    }
}
