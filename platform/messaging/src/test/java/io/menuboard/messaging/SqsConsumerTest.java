package io.menuboard.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.messaging.DeadLetters.DeadLetter;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.querydb.coordination.TableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SqsConsumerTest {
    private static final String NAME = "changes";
    private static final LocalQueues QUEUES = LocalQueues.shared();
    private static final SqsClient SQS = QUEUES.client();
    private static final Actor GRACE = new Actor(Actor.Kind.USER, "grace", Actor.Source.PAGE);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();
    private @Nullable QueueConsumer consumer;

    @AfterEach
    void stop() {
        if (consumer != null) {
            consumer.close();
        }
    }

    @Test
    void whatWasHandledIsDeleted() {
        var queue = QUEUES.fresh();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("one"));

        start(queue, config(), this::done);

        await().untilAsserted(() -> assertThat(handled).containsExactly("one"));
        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(meters.get("menuboard.queue.received").counter().count()).isEqualTo(1);
        assertThat(meters.get("menuboard.queue.handled")
                        .tag("outcome", "done")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatFailsComesAgainUntilItSucceeds() {
        var queue = QUEUES.fresh();
        var attempts = new AtomicInteger();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("one"));

        start(queue, config(), body -> {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            return done(body);
        });

        await().untilAsserted(() -> assertThat(handled).containsExactly("one"));
        assertThat(meters.get("menuboard.queue.handled")
                        .tag("outcome", "failed")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void whatFailsWaitsLongerEachTime() {
        var queue = QUEUES.fresh();
        var attempts = new ConcurrentLinkedQueue<Long>();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("one"));

        start(queue, config(Duration.ofSeconds(1), Duration.ofSeconds(2), 16), _ -> {
            attempts.add(System.nanoTime());
            throw new IllegalStateException("never");
        });

        await().until(() -> attempts.size() == 3);
        var times = List.copyOf(attempts);
        assertThat(Duration.ofNanos(times.get(1) - times.get(0))).isGreaterThan(Duration.ofMillis(900));
        assertThat(Duration.ofNanos(times.get(2) - times.get(1))).isGreaterThan(Duration.ofMillis(1900));
    }

    @Test
    void whatFailsFiveTimesBecomesADeadLetterAndCanGoBack() {
        var queue = QUEUES.fresh();
        var broken = new AtomicInteger(1);
        var attempts = new AtomicInteger();
        send(queue, "one");
        start(queue, config(), body -> {
            attempts.incrementAndGet();
            if (broken.get() > 0) {
                throw new IllegalStateException("broken");
            }
            return done(body);
        });
        await().until(() -> !QUEUES.isEmpty(queue.deadUrl()));
        assertThat(attempts).hasValue(5);
        assertThat(QUEUES.isEmpty(queue.url())).isTrue();
        var audit = audit();
        var deadLetters = new SqsDeadLetters(SQS, queues(queue), audit);
        assertThat(deadLetters.peek(NAME, 100)).extracting(DeadLetter::body).containsExactly("one");

        broken.set(0);
        deadLetters.redrive(NAME, GRACE);

        await().untilAsserted(() -> assertThat(handled).containsExactly("one"));
        await().until(() -> QUEUES.isEmpty(queue.deadUrl()) && QUEUES.isEmpty(queue.url()));
        assertThat(audit.bySubject("QUEUE#" + NAME, PageRequest.forward(10, null))
                        .nodes())
                .singleElement()
                .satisfies(record -> {
                    assertThat(record.actor()).isEqualTo(GRACE);
                    assertThat(record.action()).isEqualTo("dead letters sent back");
                    assertThat(record.details()).isEqualTo(Map.of("messages", "about 1"));
                });
    }

    @Test
    void redrivingAnUnreadableMessageEnds() {
        var queue = QUEUES.fresh();
        SQS.sendMessage(request -> request.queueUrl(queue.deadUrl()).messageBody("nonsense"));
        start(queue, config(Duration.ofMinutes(1), Duration.ofSeconds(1), 16), this::done);

        new SqsDeadLetters(SQS, queues(queue), audit()).redrive(NAME, GRACE);

        // It waits for an instance that understands it, and is no dead letter again at once.
        await().until(() -> malformed() == 1);
        await().during(Duration.ofSeconds(2)).until(() -> QUEUES.isEmpty(queue.deadUrl()) && malformed() == 1);
    }

    @Test
    void deadLettersThatSomebodyLooksAtAreCounted() {
        var queue = QUEUES.fresh();
        SQS.sendMessage(request -> request.queueUrl(queue.deadUrl()).messageBody("one"));
        assertThat(SQS.receiveMessage(
                                request -> request.queueUrl(queue.deadUrl()).visibilityTimeout(60))
                        .messages())
                .hasSize(1);

        var deadLetters = new SqsDeadLetters(SQS, queues(queue), audit());

        assertThat(deadLetters.queues()).containsExactly(new DeadLetters.Queue(NAME, 1));
        assertThat(deadLetters.peek(NAME, 10)).isEmpty();
    }

    @Test
    void nobodyWaitsForLongForDeadLettersWhereTheServiceIsSilent() throws IOException {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                var client = SqsClient.builder()
                        .endpointOverride(URI.create("http://127.0.0.1:" + silent.getLocalPort()))
                        .region(Region.US_EAST_1)
                        .credentialsProvider(AnonymousCredentialsProvider.create())
                        .httpClientBuilder(ApacheHttpClient.builder().socketTimeout(Duration.ofMinutes(5)))
                        .build()) {
            var deadLetters =
                    new SqsDeadLetters(client, List.of(new ConsumedQueue(NAME, "http://127.0.0.1/q")), audit());

            assertThatThrownBy(deadLetters::queues).isInstanceOf(ApiCallTimeoutException.class);
        }
    }

    @Test
    void askingTwiceSendsDeadLettersBackOnce() {
        var queue = QUEUES.fresh();
        IntStream.range(0, 50)
                .forEach(i -> SQS.sendMessage(
                        request -> request.queueUrl(queue.deadUrl()).messageBody("m" + i)));
        var deadLetters = new SqsDeadLetters(SQS, queues(queue), audit());

        deadLetters.redrive(NAME, GRACE);
        deadLetters.redrive(NAME, GRACE);

        await().until(() -> QUEUES.waiting(queue.url()) == 50);
        assertThat(QUEUES.isEmpty(queue.deadUrl())).isTrue();
    }

    /** ElasticMQ moves them twice at once, as SQS does not. */
    @Test
    void askingWhileTheyAreSentBackIsNoError() {
        var queue = QUEUES.fresh();
        IntStream.range(0, 100)
                .forEach(i -> SQS.sendMessage(
                        request -> request.queueUrl(queue.deadUrl()).messageBody("m" + i)));
        var refusing = new SqsDeadLetters(refusingToMove(), queues(queue), audit());
        assertThatThrownBy(() -> refusing.redrive(NAME, GRACE)).isInstanceOf(SqsException.class);
        assertThat(audit().bySubject("QUEUE#" + NAME, PageRequest.forward(10, null))
                        .nodes())
                .extracting(AuditRecord::action)
                .containsExactly("dead letters not sent back", "dead letters sent back");
        var dead = SQS.getQueueAttributes(
                        request -> request.queueUrl(queue.deadUrl()).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        SQS.startMessageMoveTask(request -> request.sourceArn(dead).maxNumberOfMessagesPerSecond(1));

        refusing.redrive(NAME, GRACE);

        assertThat(QUEUES.isEmpty(queue.deadUrl())).isFalse();
    }

    private static SqsClient refusingToMove() {
        return failing(Map.of("startMessageMoveTask", refusal(400)));
    }

    private static SdkException refusal(int status) {
        return SqsException.builder()
                .message("There is already a task running.")
                .statusCode(status)
                .build();
    }

    /** @param failures of methods, by name */
    private static SqsClient failing(Map<String, SdkException> failures) {
        return (SqsClient) Proxy.newProxyInstance(
                SqsClient.class.getClassLoader(), new Class<?>[] {SqsClient.class}, (_, method, arguments) -> {
                    var failure = failures.get(method.getName());
                    if (failure != null) {
                        throw failure;
                    }
                    return method.invoke(SQS, arguments);
                });
    }

    @Test
    void whatMakesNoSenseBecomesADeadLetterWithoutHoldingUpOthers() {
        var queue = QUEUES.fresh();
        send(queue, "nonsense");
        send(queue, "sense");

        start(queue, config(), this::done);

        await().untilAsserted(() -> assertThat(handled).containsExactly("sense"));
        await().until(() -> malformed() == 5);
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.deadUrl())).containsExactly("nonsense"));
    }

    /** More of them than there are places. */
    @Test
    void whatFailsToBeReadInAnyOtherWayHoldsUpNobodyEither() {
        var queue = QUEUES.fresh();
        IntStream.range(0, 40).forEach(_ -> send(queue, "surprise"));
        send(queue, "sense");

        start(queue, config(), this::done);

        await().untilAsserted(() -> assertThat(handled).containsExactly("sense"));
        await().until(() -> QUEUES.waiting(queue.deadUrl()) == 40);
    }

    @Test
    void whatFailsForTheLastTimeIsADeadLetterWithoutWaiting() {
        var queue = QUEUES.fresh();
        send(queue, "broken");
        send(queue, "nonsense");
        IntStream.range(0, 4)
                .forEach(_ -> assertThat(QUEUES.peek(queue.url())).containsExactlyInAnyOrder("broken", "nonsense"));

        start(queue, config(Duration.ofMinutes(1), Duration.ofSeconds(1), 16), _ -> {
            throw new IllegalStateException("for ever");
        });

        await().until(() -> QUEUES.waiting(queue.deadUrl()) == 2);
    }

    @Test
    void sendingBackWhatMakesNoSenseEnds() {
        var queue = QUEUES.fresh();
        send(queue, "nonsense");
        start(queue, config(), this::done);
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.deadUrl())).containsExactly("nonsense"));

        new SqsDeadLetters(SQS, queues(queue), audit()).redrive(NAME, GRACE);

        await().until(() -> malformed() == 10);
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.deadUrl())).containsExactly("nonsense"));
        await().during(Duration.ofSeconds(1)).until(() -> malformed() == 10);
    }

    private long malformed() {
        var timer = meters.find("menuboard.queue.handled")
                .tag("outcome", "malformed")
                .timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void aMessageThatAlwaysFailsBlocksNoOther() {
        var queue = QUEUES.fresh();
        send(queue, "broken");
        send(queue, "behind");

        start(queue, config(), body -> {
            if (body.equals("broken")) {
                throw new IllegalStateException("for ever");
            }
            return done(body);
        });

        await().untilAsserted(() -> assertThat(handled).containsExactly("behind"));
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.deadUrl())).containsExactly("broken"));
    }

    @Test
    void messagesAreHandledAtOnce() throws InterruptedException {
        var queue = QUEUES.fresh();
        var both = new CountDownLatch(2);
        send(queue, "one");
        send(queue, "two");

        start(queue, config(), body -> {
            both.countDown();
            waitFor(both);
            return done(body);
        });

        assertThat(both.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void noMoreAreHandledAtOnceThanConfigured() {
        var queue = QUEUES.fresh();
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        IntStream.range(0, 30).forEach(i -> send(queue, "m" + i));

        start(queue, config(Duration.ZERO, Duration.ofSeconds(2), 3), body -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            sleep(Duration.ofMillis(5));
            running.decrementAndGet();
            return done(body);
        });

        await().until(() -> handled.size() == 30);
        assertThat(most).hasValue(3);
    }

    @Test
    void aMessageBelongsToItsHandlerHoweverLongThatTakes() {
        var queue = QUEUES.fresh();
        var calls = new AtomicInteger();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("long"));

        // More than twice the visibility time-out of two seconds.
        start(queue, config(), body -> {
            calls.incrementAndGet();
            sleep(Duration.ofSeconds(5));
            return done(body);
        });

        await().atMost(Duration.ofSeconds(20)).until(() -> QUEUES.isEmpty(queue.url()) && !handled.isEmpty());
        assertThat(calls).hasValue(1);
    }

    @Test
    void whatComesEarlyGoesBackAndComesAgainInTime() {
        var queue = QUEUES.fresh();
        var clock = Clock.systemUTC();
        var due = clock.instant().plus(Duration.ofSeconds(3));
        var calls = new ConcurrentLinkedQueue<Instant>();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("early"));

        start(queue, config(), body -> {
            calls.add(clock.instant());
            return clock.instant().isBefore(due) ? Optional.of(due) : done(body);
        });

        await().untilAsserted(() -> assertThat(handled).containsExactly("early"));
        assertThat(calls).hasSize(2).last().satisfies(call -> assertThat(call).isAfterOrEqualTo(due));
        assertThat(meters.get("menuboard.queue.handled")
                        .tag("outcome", "early")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatKeepsComingEarlyIsNeverADeadLetter() {
        var queue = QUEUES.fresh();
        var calls = new AtomicInteger();
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("early"));

        start(
                queue,
                config(),
                body -> calls.incrementAndGet() < 12
                        ? Optional.of(Clock.systemUTC().instant())
                        : done(body));

        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(handled).containsExactly("early"));
        await().until(() -> QUEUES.isEmpty(queue.url()));
        assertThat(QUEUES.isEmpty(queue.deadUrl())).isTrue();
    }

    @Test
    void stoppingWaitsForHandlersAndTakesNothingNew() throws InterruptedException {
        var queue = QUEUES.fresh();
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("one"));
        var running = start(queue, config(), body -> {
            begun.countDown();
            waitFor(goOn);
            return done(body);
        });
        begun.await();

        var stopping = Thread.ofVirtual().start(running::close);
        await().during(Duration.ofMillis(200)).until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("two"));
        goOn.countDown();
        stopping.join();

        assertThat(handled).containsExactly("one");
        // A poll that was broken off may have got it; then it comes again once its visibility time-out has passed.
        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.url())).containsExactly("two"));
    }

    @Test
    void stoppingDoesNotWaitForALongPoll() {
        var polls = new AtomicInteger();
        var brokenOff = new AtomicInteger();
        var running = consumers(watchingPolls(polls, brokenOff), config(Duration.ZERO, Duration.ofSeconds(20), 16))
                .oneByOne(new ConsumedQueue("test", QUEUES.fresh().url()), _ -> Optional::empty);
        running.start();
        await().until(() -> polls.get() > 0);

        running.close();

        assertThat(brokenOff).hasPositiveValue();
    }

    private static SqsClient watchingPolls(AtomicInteger begun, AtomicInteger brokenOff) {
        return (SqsClient) Proxy.newProxyInstance(
                SqsClient.class.getClassLoader(), new Class<?>[] {SqsClient.class}, (_, method, arguments) -> {
                    var isPoll = method.getName().equals("receiveMessage");
                    if (isPoll) {
                        begun.incrementAndGet();
                    }
                    try {
                        return method.invoke(SQS, arguments);
                    } catch (InvocationTargetException e) {
                        if (isPoll) {
                            brokenOff.incrementAndGet();
                        }
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aHandlerThatDoesNotFinishIsInterruptedAndItsMessageComesAgain() throws InterruptedException {
        var queue = QUEUES.fresh();
        var begun = new CountDownLatch(1);
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody("stuck"));
        var running = start(queue, config(), _ -> {
            begun.countDown();
            waitFor(new CountDownLatch(1));
            return Optional.empty();
        });
        begun.await();

        running.close();

        await().untilAsserted(() -> assertThat(QUEUES.peek(queue.url())).containsExactly("stuck"));
    }

    private Optional<Instant> done(String body) {
        handled.add(body);
        return Optional.empty();
    }

    private QueueConsumer start(
            LocalQueues.Queue queue, QueuesConfig config, Function<String, Optional<Instant>> handler) {
        var started = consumers(SQS, config).oneByOne(new ConsumedQueue("test", queue.url()), body -> {
            if (body.equals("nonsense")) {
                throw new IllegalArgumentException(body);
            }
            if (body.equals("surprise")) {
                throw new DateTimeException(body);
            }
            return () -> handler.apply(body);
        });
        started.start();
        consumer = started;
        return started;
    }

    private SqsConsumers consumers(SqsClient sqs, QueuesConfig config) {
        var clock = new TableClock(Clock.systemUTC());
        return new SqsConsumers(
                sqs,
                new InstanceLeases(table.queryDb(clock), clock),
                config,
                new BatchesConfig(1_000, Duration.ZERO, 5_000, 4, 1),
                clock,
                meters);
    }

    private AuditTrail audit() {
        var clock = Clock.systemUTC();
        return new AuditTrail(
                table.queryDb(clock), clock, new Random(7), new AuditTrail.Settings(1, Duration.ofDays(1)));
    }

    private static QueuesConfig config() {
        return config(Duration.ZERO, Duration.ofSeconds(1), 16);
    }

    private static QueuesConfig config(Duration backoff, Duration longPoll, int concurrency) {
        return new QueuesConfig(
                concurrency,
                2,
                longPoll,
                Duration.ofSeconds(2),
                backoff,
                Duration.ofMinutes(15),
                5,
                Duration.ofSeconds(1));
    }

    private static List<ConsumedQueue> queues(LocalQueues.Queue queue) {
        return List.of(new ConsumedQueue(NAME, queue.url()));
    }

    private static void send(LocalQueues.Queue queue, String body) {
        SQS.sendMessage(request -> request.queueUrl(queue.url()).messageBody(body));
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void sleep(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void deadLettersMayHaveBeenSentBackWhereTheAnswerIsLostWhateverIsRefusedThen() {
        var queue = QUEUES.fresh();
        for (var lost : List.of(SdkClientException.create("no answer"), refusal(503))) {
            var refused = refusal(403);
            var failing = new SqsDeadLetters(
                    failing(Map.of("startMessageMoveTask", lost, "listMessageMoveTasks", refused)),
                    queues(queue),
                    audit());

            assertThatThrownBy(() -> failing.redrive(NAME, GRACE))
                    .isSameAs(lost)
                    .hasSuppressedException(refused);
        }

        var sent = "dead letters sent back";
        var lost = "dead letters may not have been sent back";
        assertThat(audit().bySubject("QUEUE#" + NAME, PageRequest.forward(10, null))
                        .nodes())
                .extracting(AuditRecord::action)
                .containsExactlyInAnyOrder(lost, lost, sent, sent);
    }

    @Test
    void whatFailsForTheLastTimeWhileItStopsIsLoggedAsADeadLetter() throws InterruptedException {
        var queue = QUEUES.fresh();
        var begun = new CountDownLatch(1);
        send(queue, "stuck");
        var lastAtOnce = new QueuesConfig(
                16,
                2,
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Duration.ZERO,
                Duration.ofMinutes(15),
                1,
                Duration.ZERO);
        var running = consumers(SQS, lastAtOnce).oneByOne(new ConsumedQueue(queue.name(), queue.url()), _ -> () -> {
            begun.countDown();
            waitFor(new CountDownLatch(1));
            return Optional.empty();
        });
        running.start();
        begun.await();

        assertThat(logged(SqsQueue.class, running::close))
                .anyMatch(line -> line.startsWith("message will be a dead letter: queue=" + queue.name() + " "));
    }

    private static List<String> logged(Class<?> by, Runnable work) {
        var logger = (Logger) LoggerFactory.getLogger(by);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        try {
            work.run();
        } finally {
            logger.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
