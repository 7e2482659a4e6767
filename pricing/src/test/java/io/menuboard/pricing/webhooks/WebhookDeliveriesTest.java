package io.menuboard.pricing.webhooks;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static io.menuboard.pricing.webhooks.WebhooksFixture.GRACE;
import static io.menuboard.pricing.webhooks.WebhooksFixture.history;
import static io.menuboard.pricing.webhooks.WebhooksFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.changes.PartitionFeed;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.pricing.webhooks.WebhookAnswer.Answered;
import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhookDeliveriesTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final Receiver receiver = new Receiver();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ChangesFixture changes;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private WebhooksFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private PartitionFeed feed;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        changes.stores.save(EVERYTHING, List.of(BERLIN, aStore("DE-0002").build()));
        changes.load(List.of(
                price(BERLIN, "ALL", "COFFEE", "2030-01-01", "3.00"),
                price(BERLIN, "ALL", "TEA", "2030-01-01", "2.00")));
        feed = new PartitionFeed(changes.db, "STORE#DE-0001");
        feed.next();
        fixture = new WebhooksFixture(changes);
    }

    @AfterEach
    void close() {
        changes.close();
        receiver.close();
    }

    @Test
    void aChangedPriceIsPostedSignedWithTheFieldsOfItsEvent() throws Exception {
        var created = fixture.created(receiver.url("/prices"));
        var records = changed("COFFEE", "3.10");
        fixture.announce(records);

        var result = fixture.attempt(onlyTask(created.webhook().id()));

        var message = receiver.messages.getFirst();
        var event = history(records)
                .flatMap(record -> DynamoPriceHistory.created(record).stream())
                .flatMap(entry -> PriceUpdated.of(entry).stream())
                .findFirst()
                .orElseThrow();
        assertThat(Verification.isSigned(message, created.secret())).isTrue();
        assertThat(message.id()).matches("msg_[0-9a-f]{32}");
        assertThat(message.timestamp()).isEqualTo(Long.toString(clock.instant().getEpochSecond()));
        assertThat(Json.parse("body", message.body()))
                .isEqualTo(Json.of(Map.of(
                        "type",
                        "price.updated",
                        "timestamp",
                        event.effectiveAt().toString(),
                        "data",
                        Map.of(
                                "id", event.id(),
                                "store", "DE-0001",
                                "channel", "ALL",
                                "type", "Base",
                                "product", "COFFEE",
                                "effectiveAt", event.effectiveAt().toString(),
                                "sequence", event.sequence(),
                                "before", Map.of("amount", "3.00", "currency", "EUR"),
                                "after", Map.of("amount", "3.10", "currency", "EUR"),
                                "changeSet", event.changeSet()))));
        assertThat(result.findNumber("status")).hasValue(200);
    }

    @Test
    void aMessageThatCameTwiceIsOneTask() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        var records = changed("COFFEE", "3.10");

        fixture.announce(records);
        fixture.announce(records);

        var task = onlyTask(id);
        assertThat(task.type().value()).isEqualTo("menuboard.webhooks.deliver");
        assertThat(task.maxAttempts()).isEqualTo(SubmitTask.MOST_ATTEMPTS);
        assertThat(changes.tasks.count(TaskStatus.PENDING, WebhookDeliveries.TYPE))
                .isEqualTo(1);
    }

    @Test
    void onlyThoseThatWantTheStoreAndAreOnAreTold() {
        var berlin = fixture.created(receiver.url("/"), "DE-0001").webhook().id();
        var hamburg = fixture.created(receiver.url("/"), "DE-0002").webhook().id();
        var all = fixture.created(receiver.url("/")).webhook().id();
        var off = fixture.created(receiver.url("/")).webhook().id();
        fixture.webhooks.activate(GRACE, off, false);

        fixture.announce(changed("COFFEE", "3.10"));

        assertThat(fixture.tasks(berlin)).hasSize(1);
        assertThat(fixture.tasks(all)).hasSize(1);
        assertThat(fixture.tasks(hamburg)).isEmpty();
        assertThat(fixture.tasks(off)).isEmpty();
    }

    @Test
    void webhooksAreReadOnceInTwoSecondsForAllEvents() {
        for (var i = 0; i < 3; i++) {
            fixture.created(receiver.url("/"), "DE-0002");
        }
        var records = changed("COFFEE", "3.10");
        fixture.announce(records);

        assertThat(table.meter().during(() -> fixture.announce(records)).requests())
                .isZero();
        clock.advance(Duration.ofSeconds(2));
        assertThat(table.meter().during(() -> fixture.announce(records)).requests())
                .isEqualTo(1);
    }

    @Test
    void anEventCostsWhatTheCapacityModelSays() {
        var told = 3;
        for (var i = 0; i < told; i++) {
            fixture.created(receiver.url("/"));
        }
        fixture.created(receiver.url("/"), "DE-0002");
        fixture.announce(changed("TEA", "2.10"));
        var records = changed("COFFEE", "3.10");

        var units = table.meter().during(() -> fixture.announce(records));

        // The key, the task, its payload, and its place in the list of the webhook.
        assertThat(units.requests()).isEqualTo(4 * told);
        assertThat(units.read()).isZero();
        assertThat(units.write()).isEqualTo(5 * told);
        var task = fixture.webhooks.list(GRACE, PAGE).nodes().stream()
                .flatMap(webhook -> fixture.tasks(webhook.id()).stream())
                .findFirst()
                .orElseThrow();
        assertThat(table.meter().during(() -> sent(task)).read()).isLessThanOrEqualTo(2);
    }

    private void sent(Task task) {
        try {
            fixture.attempt(task);
        } catch (TaskFailed | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void isTriedAgainUntilItIsTaken() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        receiver.answerNext(500, 302, 429);
        fixture.announce(changed("COFFEE", "3.10"));

        try (var workers = WorkersFixture.workers(changes.tasks, fixture.work())) {
            workers.start();
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                clock.advance(Duration.ofSeconds(1));
                return onlyTask(id).status() == TaskStatus.COMPLETED;
            });
        }

        assertThat(receiver.messages)
                .hasSize(4)
                .extracting(Receiver.Message::id)
                .containsOnly(receiver.messages.getFirst().id());
        assertThat(onlyTask(id).failures()).isEqualTo(3);
        assertThat(fixture.webhook(id).failingSince()).isNull();
    }

    @Test
    void whoAnswers410IsSwitchedOffAndNotTriedAgain() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        receiver.answerNext(410);
        fixture.announce(changed("COFFEE", "3.10"));

        assertThatThrownBy(() -> fixture.attempt(onlyTask(id)))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                        .isFalse());

        var off = Objects.requireNonNull(fixture.webhook(id).off());
        assertThat(off.reason()).isEqualTo(Webhook.Reason.GONE);
        assertThat(off.details()).contains("410");
        assertThatThrownBy(() -> fixture.attempt(onlyTask(id)))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                        .isFalse());
        assertThat(receiver.messages).hasSize(1);
        assertThat(actions(id)).contains("webhook switched off");
    }

    @Test
    void isNotSwitchedOffWhereAnotherDeliveryHasSucceededMeanwhile() throws Exception {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        failsFor(id, Duration.ofDays(3));
        receiver.answerNext(exchange -> {
            fixture.stored.succeeded(fixture.webhook(id));
            exchange.sendResponseHeaders(500, -1);
        });

        assertThatThrownBy(() -> fixture.attempt(onlyTask(id))).isInstanceOf(TaskFailed.class);

        assertThat(fixture.webhook(id).isActive()).isTrue();
    }

    @Test
    void isSwitchedOffWhenAllDeliveriesOfThreeDaysHaveFailed() throws Exception {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        var begun = clock.instant();
        fails(id);
        assertThat(fixture.webhook(id).failingSince()).isEqualTo(begun);
        clock.advance(Duration.ofDays(2));
        fixture.attempt(onlyTask(id));
        assertThat(fixture.webhook(id).failingSince()).isNull();
        var again = clock.instant();
        failsFor(id, Duration.ofDays(3).minusMillis(1));
        fails(id);
        assertThat(fixture.webhook(id).failingSince()).isEqualTo(again);
        assertThat(fixture.webhook(id).isActive()).isTrue();
        clock.advance(Duration.ofMillis(1));

        fails(id);

        var off = Objects.requireNonNull(fixture.webhook(id).off());
        assertThat(off.reason()).isEqualTo(Webhook.Reason.FAILING);
        assertThat(off.details())
                .isEqualTo("all deliveries of 3 days failed, the last one because the receiver answered 500");
        assertThat(actions(id)).containsOnlyOnce("webhook switched off");
        fixture.webhooks.activate(GRACE, id, true);
        assertThat(fixture.webhook(id).failingSince()).isNull();
        assertThat(fixture.webhook(id).isActive()).isTrue();
    }

    @Test
    void whatFailedBeforeADayWithoutFailuresDoesNotCount() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        fails(id);

        for (var pause : List.of(Duration.ofDays(1), Duration.ofDays(5))) {
            clock.advance(pause);
            fails(id);
            assertThat(fixture.webhook(id).failingSince()).isEqualTo(clock.instant());
        }

        failsFor(id, Duration.ofDays(3));
        assertThat(fixture.webhook(id).isActive()).isTrue();
        fails(id);
        assertThat(fixture.webhook(id).isActive()).isFalse();
    }

    @Test
    void theLastFailureIsRememberedToTheHour() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        var begun = clock.instant();
        fails(id);
        clock.advance(Duration.ofMinutes(59));
        fails(id);
        assertThat(fixture.webhook(id).failedAt()).isEqualTo(begun);

        clock.advance(Duration.ofMinutes(1));
        fails(id);

        assertThat(fixture.webhook(id).failedAt()).isEqualTo(clock.instant());
        assertThat(fixture.webhook(id).failingSince()).isEqualTo(begun);
    }

    @Test
    void isNotSwitchedOffForWhatAnotherAddressDid() throws Exception {
        var id = fixture.created(receiver.url("/old")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        failsFor(id, Duration.ofDays(3));

        fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/new")));
        assertThat(fixture.webhook(id).failingSince()).isNull();
        fails(id);
        assertThat(fixture.webhook(id).isActive()).isTrue();

        // While a message is on its way to the address of before.
        receiver.answerNext(exchange -> {
            fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/newer")));
            exchange.sendResponseHeaders(410, -1);
        });
        assertThatThrownBy(() -> fixture.attempt(onlyTask(id))).isInstanceOf(TaskFailed.class);
        assertThat(fixture.webhook(id).isActive()).isTrue();
    }

    @Test
    void whatAnotherAddressDidCountsForNothingAtTheNewOne() throws Exception {
        var id = fixture.created(receiver.url("/old")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));

        receiver.answerNext(exchange -> {
            fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/new")));
            exchange.sendResponseHeaders(500, -1);
        });
        assertThatThrownBy(() -> fixture.attempt(onlyTask(id))).isInstanceOf(TaskFailed.class);
        assertThat(fixture.webhook(id).failingSince()).as("no failure").isNull();

        fails(id);
        clock.advance(Duration.ofHours(1));
        receiver.answerNext(exchange -> {
            fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/newer")));
            fixture.stored.failing(fixture.webhook(id), clock.instant());
            exchange.sendResponseHeaders(200, -1);
        });
        fixture.attempt(onlyTask(id));
        assertThat(fixture.webhook(id).failingSince()).as("and no success").isEqualTo(clock.instant());
    }

    @Test
    void isSentAsTheWebhookIsByThen() throws Exception {
        var id = fixture.created(receiver.url("/old")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        var task = onlyTask(id);

        fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/new")));
        fixture.attempt(task);
        fixture.webhooks.update(GRACE, id, _ -> settings(receiver.url("/new"), "DE-0002"));
        assertThat(fixture.attempt(task))
                .isEqualTo(Json.of(Map.of("notSent", "the webhook does not want it any more")));
        fixture.webhooks.delete(GRACE, id);
        assertThat(fixture.attempt(task)).isEqualTo(Json.of(Map.of("notSent", "the webhook was deleted")));

        assertThat(receiver.messages).extracting(Receiver.Message::path).containsExactly("/new");
    }

    @Test
    void isSignedWithBothSecretsWhileOneIsRotated() throws Exception {
        var created = fixture.created(receiver.url("/"));
        var id = created.webhook().id();
        var rotated = fixture.webhooks.rotate(GRACE, id).orElseThrow();
        fixture.announce(changed("COFFEE", "3.10"));
        fixture.attempt(onlyTask(id));
        clock.advance(Webhook.ROTATION);
        fixture.attempt(onlyTask(id));

        assertThat(receiver.messages)
                .extracting(message -> Verification.isSigned(message, created.secret()))
                .containsExactly(true, false);
        assertThat(receiver.messages)
                .extracting(message -> Verification.isSigned(message, rotated.secret()))
                .containsExactly(true, true);
        assertThat(receiver.messages.getFirst().signature()).matches("v1,\\S+ v1,\\S+");
    }

    @Test
    void aServerWithoutTheKeySendsNothingAndBlamesNobody() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        for (var cipher : Arrays.asList(null, new SecretCipher("AQ" + WebhooksFixture.KEY.substring(2)))) {
            assertThatThrownBy(() -> new WebhooksFixture(changes, cipher).attempt(onlyTask(id)))
                    .isInstanceOfSatisfying(TaskFailed.class, failed -> {
                        assertThat(failed.retryable()).isTrue();
                        assertThat(failed.reason()).contains("menuboard.webhooks.key");
                    });
        }

        assertThat(receiver.messages).isEmpty();
        assertThat(fixture.webhook(id).failingSince()).isNull();
    }

    @Test
    void whatIsDeadIsSentAgainForWhoAsks() {
        var id = fixture.created(receiver.url("/")).webhook().id();
        receiver.answerNext(410, 410);
        fixture.announce(changed("COFFEE", "3.10"));
        fixture.announce(changed("TEA", "2.10"));
        try (var workers = WorkersFixture.workers(changes.tasks, fixture.work())) {
            workers.start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> fixture.tasks(id).stream().allMatch(task -> task.status() == TaskStatus.DEAD));
            assertThatThrownBy(() -> fixture.deliveries.redeliver(GRACE, id))
                    .isInstanceOfSatisfying(
                            InvalidInput.class, refused -> assertThat(refused.code() + " " + refused.field())
                                    .isEqualTo("WEBHOOK_OFF id"));
            assertThat(actions(id)).doesNotContain("webhook deliveries sent again");
            fixture.webhooks.activate(GRACE, id, true);
            receiver.answerNext();

            assertThat(fixture.deliveries.redeliver(GRACE, id)).hasValue(2);

            await().atMost(Duration.ofMinutes(1)).until(() -> fixture.tasks(id).stream()
                    .noneMatch(task -> task.status() == TaskStatus.PENDING || task.status() == TaskStatus.RUNNING));
        }
        assertThat(fixture.deliveries.redeliver(GRACE, id)).isPresent();
        assertThat(actions(id)).contains("webhook deliveries sent again");
        assertThat(changes.tasks
                        .reads()
                        .history(
                                TasksFixture.STAFF, fixture.tasks(id).getFirst().id(), PAGE)
                        .nodes())
                .anySatisfy(event -> assertThat(String.valueOf(event.reason())).isEqualTo("asked for by grace"));
    }

    @Test
    void aTestIsSentAtOnceAndSaysWhatCameOfIt() throws Exception {
        var created = fixture.created(receiver.url("/"));
        var id = created.webhook().id();
        fixture.webhooks.activate(GRACE, id, false);
        receiver.answerNext(503);

        var answer = fixture.deliveries.test(GRACE, id).orElseThrow();

        assertThat(answer).isInstanceOfSatisfying(Answered.class, answered -> {
            assertThat(answered.status()).isEqualTo(503);
            assertThat(answered.time()).isPositive();
        });
        var message = receiver.messages.getFirst();
        assertThat(Verification.isSigned(message, created.secret())).isTrue();
        assertThat(Json.parse("body", message.body()))
                .isEqualTo(Json.of(Map.of(
                        "type", "webhook.test",
                        "timestamp", clock.instant().toString(),
                        "data", Map.of("webhook", "Partner"))));
        assertThat(fixture.webhook(id).failingSince()).isNull();
        assertThat(actions(id)).contains("webhook tested");
        fixture.webhooks.delete(GRACE, id);
        assertThat(fixture.deliveries.test(GRACE, id)).isEmpty();
        assertThat(fixture.deliveries.redeliver(GRACE, id)).isEmpty();
    }

    @Test
    void soManyAreTestedAtOnceAndNoMore() throws Exception {
        var id = fixture.created(receiver.url("/")).webhook().id();
        var answer = new CountDownLatch(1);
        receiver.answerNextAfter(answer, 16);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tests = IntStream.range(0, 16)
                    .mapToObj(_ -> threads.submit(() -> fixture.deliveries.test(GRACE, id)))
                    .toList();
            await().until(() -> receiver.messages.size() == 16);

            assertThatThrownBy(() -> fixture.deliveries.test(GRACE, id))
                    .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                            .isEqualTo("TOO_MANY_TESTS"));

            answer.countDown();
            for (var test : tests) {
                assertThat(test.get()).isPresent();
            }
        }
        assertThat(fixture.deliveries.test(GRACE, id)).isPresent();
    }

    private List<ChangeRecord> changed(String product, String amount) {
        changes.applied(draft(null, rule(setTo(amount), List.of("DE-0001"), product)));
        return feed.next();
    }

    private void fails(WebhookId id) {
        receiver.answerNext(500);
        assertThatThrownBy(() -> fixture.attempt(onlyTask(id)))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                        .isTrue());
    }

    /** Fails now and twice a day, until so long from now, when it has not failed yet. */
    private void failsFor(WebhookId id, Duration time) {
        var end = clock.instant().plus(time);
        while (clock.instant().isBefore(end)) {
            fails(id);
            var next = clock.instant().plus(Duration.ofHours(12));
            clock.advance(Duration.between(clock.instant(), next.isBefore(end) ? next : end));
        }
    }

    @Test
    void aReceiverThatFailsIsSentFewMessagesAtOnce() throws Exception {
        var id = fixture.created(receiver.url("/")).webhook().id();
        fixture.announce(changed("COFFEE", "3.10"));
        var task = onlyTask(id);
        receiver.answerNext(500);
        assertThatThrownBy(() -> fixture.attempt(task)).hasMessage("the receiver answered 500");
        var later = new CountDownLatch(1);
        receiver.answerNextAfter(later, 2);

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tried =
                    List.of(threads.submit(() -> fixture.attempt(task)), threads.submit(() -> fixture.attempt(task)));
            await().until(() -> receiver.messages.size() == 3);

            assertThatThrownBy(() -> fixture.attempt(task))
                    .isInstanceOf(TaskFailed.class)
                    .hasMessage("not sent: the receiver fails, and other messages to it are being tried");

            later.countDown();
            for (var attempt : tried) {
                assertThat(attempt.get().findNumber("status")).hasValue(200);
            }
        }
        assertThat(receiver.messages).hasSize(3);
        assertThat(fixture.attempt(task).findNumber("status")).hasValue(200);
    }

    private Task onlyTask(WebhookId id) {
        var tasks = fixture.tasks(id);
        assertThat(tasks).hasSize(1);
        return tasks.getFirst();
    }

    private List<String> actions(WebhookId id) {
        return changes.audit.bySubject("WEBHOOK#" + id, PAGE).nodes().stream()
                .map(AuditRecord::action)
                .toList();
    }
}
