package io.menuboard.messaging;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.Actor;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.messaging.DeadLetters.DeadLetter;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.TableClock;
import io.menuboard.querydb.requests.Workload;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.SqsClient;

@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SlottedConsumerTest {
    private static final String NAME = "favorites";
    private static final LocalQueues QUEUES = LocalQueues.shared();
    private static final SqsClient SQS = QUEUES.client();
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Soon enough for what a request got that was broken off, which has no consumer until then. */
    private static final QueuesConfig FORGETFUL = config(Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(1));

    private static final QueuesConfig PATIENT = config(MINUTE, MINUTE, Duration.ofSeconds(1));

    /** Longer than an instance without a slot waits between attempts. */
    private static final Duration LONG = ConsumerSlot.RETRY_INTERVAL.plusSeconds(1);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final LocalQueues.Queue queue = QUEUES.fresh();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<QueueConsumer> consumers = new ArrayList<>();

    @AfterEach
    void stop() {
        consumers.forEach(QueueConsumer::close);
    }

    @Test
    void everythingIsHandledAndDeleted() {
        var sent = send(55);
        var handler = new Handler();

        start(handler, batches(1_000, SOON));

        await().untilAsserted(() -> assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent));
        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(meters.get("menuboard.queue.received").counter().count()).isEqualTo(55);
        assertThat(handledAs("done")).isEqualTo(55);
        assertThat(meters.get("menuboard.queue.age").timer().count()).isEqualTo(55);
    }

    @Test
    void aBatchHasWhatManyRequestsBrought() {
        var handler = new Handler();
        send(60);

        // Nothing would be handled within this test if batches did not fill.
        start(handler, batches(30, MINUTE));

        await().untilAsserted(
                        () -> assertThat(handler.ended).extracting(List::size).containsExactly(30, 30));
    }

    @Test
    void batchesAreHandledAtOnce() {
        var both = new CountDownLatch(2);
        var handler = new Handler();
        handler.doing = () -> {
            both.countDown();
            waitFor(both);
        };
        send(20);

        start(handler, batches(10, MINUTE));

        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(handler.ended).hasSize(2);
    }

    @Test
    void whatFailsComesAgainAndTheRestOfItsBatchDoesNot() {
        var sent = new ArrayList<>(send(30));
        var handler = new Handler();
        handler.broken.add(sent.get(7));

        start(handler, batches(30, MINUTE));
        await().until(() -> handledAs("failed") == 1);
        handler.broken.clear();
        // Together with the one that comes again.
        sent.addAll(send(29));

        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(handledAs("done")).isEqualTo(59);
    }

    @Test
    void whereTheHandlerThrowsAllOfItsBatchComeAgain() {
        var sent = send(25);
        var first = new CountDownLatch(1);
        var handler = new Handler();
        handler.doing = () -> {
            if (first.getCount() > 0) {
                first.countDown();
                throw new IllegalStateException("not yet");
            }
        };

        start(handler, batches(25, MINUTE));

        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(handledAs("failed")).isEqualTo(25);
    }

    @Test
    void whatFailsFiveTimesBecomesADeadLetterAndCanGoBack() {
        var sent = send(3);
        var handler = new Handler();
        handler.broken.add(sent.getFirst());
        start(handler, batches(1_000, SOON));
        await().until(() -> !QUEUES.isEmpty(queue.deadUrl()));
        assertThat(handledAs("failed")).isEqualTo(5);
        assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent.subList(1, 3));
        var deadLetters = new SqsDeadLetters(SQS, List.of(new ConsumedQueue(NAME, queue.url())), audit());
        assertThat(deadLetters.peek(NAME, 10))
                .extracting(DeadLetter::body)
                .containsExactly(body(sent.getFirst(), "favorite"));

        handler.broken.clear();
        deadLetters.redrive(NAME, new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE));

        await().untilAsserted(() -> assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent));
        await().until(() -> QUEUES.isEmpty(queue.deadUrl()) && QUEUES.isEmpty(queue.url()));
    }

    @Test
    void whatMakesNoSenseBecomesADeadLetterWithoutWaiting() {
        var handler = new Handler();
        sendBody("nonsense");
        var sent = send(3);

        start(handler, config(MINUTE, MINUTE, Duration.ofSeconds(1)), batches(1_000, SOON));

        await().untilAsserted(() -> assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent));
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.deadUrl())).containsExactly("nonsense"));
        assertThat(handledAs("malformed")).isEqualTo(5);
    }

    @Test
    void unwantedMessagesAreDeleted() {
        var handler = new Handler();
        sendBody(body("other", "store"));
        var sent = send(1);

        start(handler, batches(2, MINUTE));

        await().until(() -> QUEUES.isEmpty(queue.url()) && handledAs("done") == 2);
        assertThat(handler.handled()).isEqualTo(sent);
        assertThat(QUEUES.isEmpty(queue.deadUrl())).isTrue();
    }

    @Test
    void noMoreMessagesAreInFlightThanConfigured() {
        var goOn = new CountDownLatch(1);
        var handler = new Handler();
        handler.doing = () -> waitFor(goOn);
        var sent = send(60);

        start(handler, new BatchesConfig(10, SOON, 20, 4, 1));
        await().until(() -> !handler.begun.isEmpty());
        await().during(Duration.ofSeconds(1)).until(() -> received() <= 20);
        goOn.countDown();

        await().untilAsserted(() -> assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent));
    }

    @Test
    void messagesBelongToTheirHandlerHoweverLongThatTakes() {
        var handler = new Handler();
        // More than twice the visibility time-out.
        handler.doing = () -> await().during(Duration.ofSeconds(5)).until(() -> true);
        var sent = send(15);

        start(handler, FORGETFUL, batches(15, MINUTE));

        await().atMost(Duration.ofSeconds(30)).until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(handler.ended).hasSize(1);
        assertThat(handler.handled()).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void onlyAsManyInstancesReceiveAsThereAreSlots() {
        var handlers = Stream.generate(Handler::new).limit(3).toList();
        var two = new BatchesConfig(1_000, SOON, 5_000, 2, 2);
        for (var handler : handlers.subList(0, 2)) {
            start(handler, FORGETFUL, two);
            await().until(() -> {
                send(1);
                return !handler.ended.isEmpty();
            });
        }

        assertThat(handlers).extracting(handler -> handler.slot).containsExactly(0, 1, -1);
        start(handlers.getLast(), FORGETFUL, two);
        await().during(LONG).until(() -> {
            send(1);
            return handlers.getLast().begun.isEmpty();
        });
        consumers.subList(0, 2).forEach(QueueConsumer::close);

        await().until(() -> {
            send(1);
            return !handlers.getLast().ended.isEmpty();
        });
        await().until(() -> QUEUES.isEmpty(queue.url()));
    }

    @Test
    void anotherInstanceAcquiresTheSlotOfOneThatIsGone() {
        leases(Duration.ZERO).hold("test-0", "gone", Duration.ofSeconds(3));
        var handler = new Handler();
        var sent = send(1);

        start(handler, batches(1_000, SOON));

        await().untilAsserted(() -> assertThat(handler.handled()).isEqualTo(sent));
    }

    @Test
    void anInstanceThatLosesItsSlotReceivesNothingUntilItHasOneAgain() {
        var handler = new Handler();
        send(1);
        start(handler, FORGETFUL, batches(1_000, SOON));
        await().until(() -> handler.ended.size() == 1);

        // As if it had not asked for longer than its lease, and no longer than any lease can be.
        assertThat(leases(Duration.ofSeconds(15)).hold("test-0", "other", Duration.ofSeconds(10)))
                .isTrue();

        await().during(LONG).atMost(Duration.ofSeconds(20)).until(this::isMessageLeft);
        leases(Duration.ZERO).hold("test-0", "other", Duration.ZERO);
        await().until(() -> QUEUES.isEmpty(queue.url()));
    }

    @Test
    void stoppingReleasesWhatNoHandlerHasYet() {
        var handler = new Handler();
        send(30);
        start(handler, PATIENT, full(1_000, 30));
        await().until(() -> received() == 30);

        stop();

        assertThat(QUEUES.waiting(queue.url())).isEqualTo(30);
        assertThat(handler.begun).isEmpty();
    }

    @Test
    void stoppingWaitsForHandlersAndTakesNothingNew() throws InterruptedException {
        var goOn = new CountDownLatch(1);
        var handler = new Handler();
        handler.doing = () -> waitFor(goOn);
        var sent = send(1);
        start(handler, FORGETFUL, batches(1_000, SOON));
        await().until(() -> !handler.begun.isEmpty());

        var stopping = Thread.ofVirtual().start(this::stop);
        await().during(Duration.ofMillis(200)).until(stopping::isAlive);
        goOn.countDown();
        stopping.join();
        send(1);

        await().during(Duration.ofMillis(500)).until(() -> QUEUES.waiting(queue.url()) == 1);
        assertThat(handler.handled()).isEqualTo(sent);
    }

    @Test
    void stoppingReceivesNothingMoreAndInterruptsAHeartbeatThatHangs() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        var handler = new Handler();
        handler.beating = () -> {
            begun.countDown();
            waitFor(never);
        };
        start(handler, FORGETFUL, batches(1_000, SOON));
        begun.await();
        try {
            var stopping = Thread.ofVirtual().start(this::stop);

            await().during(Duration.ofSeconds(1)).until(this::isMessageLeft);
            assertThat(stopping.join(Duration.ofSeconds(20))).isTrue();
        } finally {
            never.countDown();
        }
    }

    @Test
    void aHandlerThatDoesNotFinishIsInterruptedAndItsMessagesComeAgain() {
        var handler = new Handler();
        handler.doing = () -> waitFor(new CountDownLatch(1));
        send(10);
        start(handler, PATIENT, full(10, 10));
        await().until(() -> !handler.begun.isEmpty());

        stop();

        assertThat(QUEUES.waiting(queue.url())).isEqualTo(10);
    }

    @Test
    void whatNeverBeganCanBeStopped() {
        var consumer = consumer(new Handler(), FORGETFUL, batches(1, SOON));

        assertThatCode(consumer::close).doesNotThrowAnyException();
    }

    @Test
    void handlersWorkInTheBackgroundWhereTheyAreStartedSo() {
        var workloads = new ConcurrentLinkedQueue<Workload>();
        var handler = new Handler();
        handler.doing = () -> workloads.add(Workload.current());
        var consumer = consumer(handler, FORGETFUL, batches(1_000, SOON));
        consumers.add(consumer);
        send(1);

        Workload.BACKGROUND.run(consumer::start);

        await().untilAsserted(() -> assertThat(workloads).containsExactly(Workload.BACKGROUND));
    }

    private List<String> send(int count) {
        var ids = IntStream.range(0, count)
                .mapToObj(_ -> UUID.randomUUID().toString())
                .toList();
        ids.forEach(id -> sendBody(body(id, "favorite")));
        return ids;
    }

    private void sendBody(String body) {
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody(body));
    }

    private static String body(String id, String type) {
        return """
                {"eventID": "%s", "eventName": "INSERT", "eventSource": "aws:dynamodb", "dynamodb": {
                  "ApproximateCreationDateTime": 2087942400,
                  "Keys": {"pk": {"S": "%s"}, "sk": {"S": "META"}},
                  "NewImage": {"pk": {"S": "%s"}, "sk": {"S": "META"}, "type": {"S": "%s"}}}}
                """.formatted(id, id, id, type);
    }

    /** Whether a message waits that nobody receives; sends one where there is none. */
    private boolean isMessageLeft() {
        var isLeft = QUEUES.waiting(queue.url()) > 0;
        if (!isLeft) {
            send(1);
        }
        return isLeft;
    }

    private double received() {
        return meters.get("menuboard.queue.received").counter().count();
    }

    private long handledAs(String outcome) {
        var timer =
                meters.find("menuboard.queue.handled").tag("outcome", outcome).timer();
        return timer == null ? 0 : timer.count();
    }

    private void start(Handler handler, BatchesConfig batches) {
        start(handler, config(Duration.ZERO, MINUTE, Duration.ofSeconds(1)), batches);
    }

    private void start(Handler handler, QueuesConfig config, BatchesConfig batches) {
        var consumer = consumer(handler, config, batches);
        consumers.add(consumer);
        consumer.start();
    }

    private QueueConsumer consumer(Handler handler, QueuesConfig config, BatchesConfig batches) {
        return new SqsConsumers(SQS, leases(Duration.ZERO), config, batches, new TableClock(Clock.systemUTC()), meters)
                .inBatches(new ConsumedQueue("test", queue.url()), handler);
    }

    /** Of somebody whose clock is ahead. */
    private InstanceLeases leases(Duration ahead) {
        return new InstanceLeases(table.queryDb(Clock.systemUTC()), Clock.offset(Clock.systemUTC(), ahead));
    }

    private static QueuesConfig config(Duration backoff, Duration visibility, Duration longPoll) {
        return new QueuesConfig(16, 2, longPoll, visibility, backoff, Duration.ofMinutes(15), 5, Duration.ofSeconds(2));
    }

    private static BatchesConfig batches(int size, Duration wait) {
        return new BatchesConfig(size, wait, 5_000, 4, 1);
    }

    /** Has so many in flight and then asks for no more: a request that is broken off could get what comes back. */
    private static BatchesConfig full(int size, int messages) {
        return new BatchesConfig(size, MINUTE, messages, 4, 1);
    }

    private AuditTrail audit() {
        var clock = Clock.systemUTC();
        return new AuditTrail(
                table.queryDb(clock), clock, new Random(7), new AuditTrail.Settings(1, Duration.ofDays(1)));
    }

    /** Remembers what it was given; does first what it is told, and fails where it is told. */
    private static final class Handler implements ChangeBatchHandler {
        private final Queue<List<String>> begun = new ConcurrentLinkedQueue<>();
        private final Queue<List<String>> ended = new ConcurrentLinkedQueue<>();
        private final Set<String> broken = ConcurrentHashMap.newKeySet();
        private volatile Runnable doing = () -> {};
        private volatile Runnable beating = () -> {};
        private volatile int slot = -1;

        /** As often as that was. */
        List<String> handled() {
            return ended.stream().flatMap(List::stream).toList();
        }

        @Override
        public Set<String> types() {
            return Set.of("favorite");
        }

        @Override
        public void slotAssigned(int assigned) {
            slot = assigned;
        }

        @Override
        public void heartbeat() {
            beating.run();
        }

        @Override
        public Map<ChangeRecord, RuntimeException> handle(List<ChangeRecord> records) {
            begun.add(records.stream().map(ChangeRecord::eventId).toList());
            doing.run();
            var failed = records.stream()
                    .filter(record -> broken.contains(record.eventId()))
                    .collect(toMap(
                            Function.identity(), _ -> new IllegalStateException("told to fail"), (one, _) -> one));
            ended.add(records.stream()
                    .filter(record -> !failed.containsKey(record))
                    .map(ChangeRecord::eventId)
                    .toList());
            return Map.copyOf(failed);
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
