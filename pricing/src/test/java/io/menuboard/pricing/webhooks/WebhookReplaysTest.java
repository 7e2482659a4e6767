package io.menuboard.pricing.webhooks;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static io.menuboard.pricing.webhooks.WebhooksFixture.GRACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.DynamoPriceHistory;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.changes.PartitionFeed;
import io.menuboard.pricing.events.EventsFixture;
import io.menuboard.pricing.events.PriceEventReplay;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.pricing.events.ReplayPriceEvents;
import io.menuboard.pricing.events.ReplayPriceEventsResult;
import io.menuboard.pricing.events.ReplayReceivers;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Events that are sent to one webhook again. */
class WebhookReplaysTest {
    private static final Store HAMBURG = aStore("DE-0002").build();
    private static final String URL = "https://partner.example/";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ChangesFixture changes;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private WebhooksFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private PriceEventReplay replay;

    /** What does replays, once it is started. */
    @SuppressWarnings("NullAway.Init") // by JUnit
    private TaskWorkers workers;

    private volatile CurrentAccess current = CurrentAccess.EVERYTHING;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        fixture = new WebhooksFixture(changes);
        replay = EventsFixture.replay(changes, fixture.replays);
        workers = WorkersFixture.workers(
                changes.tasks, EventsFixture.workForWebhooks(changes, fixture.replays, actor -> current.of(actor)));
        changes.stores.save(EVERYTHING, List.of(BERLIN, HAMBURG));
        changes.load(List.of(
                price(BERLIN, "ALL", "COFFEE", "2030-01-01", "3.00"),
                price(HAMBURG, "ALL", "COFFEE", "2030-01-01", "3.00")));
    }

    @AfterEach
    void close() {
        workers.close();
        changes.close();
    }

    private void change(String amount) {
        changes.applied(draft(null, rule(setTo(amount), List.of("DE-0001", "DE-0002"), "COFFEE")));
    }

    private ReplayPriceEvents to(@Nullable WebhookId webhook) {
        return from(clock.instant().minus(Duration.ofDays(1)), webhook);
    }

    private ReplayPriceEvents from(Instant from, @Nullable WebhookId webhook) {
        return new ReplayPriceEvents(
                new StoreSelection.All(),
                from,
                clock.instant().plus(Duration.ofDays(1)),
                webhook == null ? null : webhook.value());
    }

    private TaskId started(Access access, ReplayPriceEvents command) {
        if (replay.start(access, command, null) instanceof ReplayPriceEventsResult.Started(var task, var _)) {
            return task;
        }
        throw new AssertionError(command);
    }

    /** The task, when it is over. */
    private Task over(TaskId id) {
        return await().atMost(Duration.ofMinutes(1))
                .until(() -> changes.tasks.reads().find(TasksFixture.STAFF, id).orElseThrow(), task -> task.status()
                        .isFinished());
    }

    private void replayed(WebhookId webhook) {
        assertThat(over(started(GRACE, to(webhook))).status()).isEqualTo(TaskStatus.COMPLETED);
    }

    private List<WebhookMessage> messages(WebhookId webhook) {
        return fixture.tasks(webhook).stream()
                .map(task -> Delivery.of(changes.tasks.reads().payload(TasksFixture.STAFF, task))
                        .message())
                .toList();
    }

    @Test
    void areSentToThatWebhookAloneAsTheFirstTime() {
        var berlin = fixture.created(URL, "DE-0001").webhook().id();
        var other = fixture.created(URL).webhook().id();
        var feed = new PartitionFeed(changes.db, "STORE#DE-0001");
        feed.next();
        change("3.10");
        fixture.announce(feed.next());
        var first = messages(berlin);
        assertThat(first).hasSize(1);
        workers.start();

        replayed(berlin);
        replayed(berlin);

        assertThat(messages(berlin))
                .as("once for each replay, and no store that it is not told of")
                .containsExactly(first.getFirst(), first.getFirst(), first.getFirst());
        assertThat(messages(other)).hasSize(1);
    }

    @Test
    void beginBeforeItWasSwitchedOffWhereARecordCameAfterThat() {
        var webhook = fixture.created(URL, "DE-0001").webhook().id();
        var feed = new PartitionFeed(changes.db, "STORE#DE-0001");
        feed.next();
        change("3.10");
        clock.advance(Duration.ofSeconds(2));
        fixture.webhooks.activate(GRACE, webhook, false);
        var off = clock.instant();
        fixture.announce(feed.next());
        clock.advance(Duration.ofMinutes(1));
        fixture.webhooks.activate(GRACE, webhook, true);
        workers.start();

        over(started(GRACE, from(off, webhook)));
        assertThat(messages(webhook)).isEmpty();
        over(started(GRACE, from(off.minus(Duration.ofHours(1)), webhook)));

        assertThat(messages(webhook)).hasSize(1);
    }

    @Test
    void haveNoBusAndAnotherTaskThanThoseOfTheBus() {
        var webhook = fixture.created(URL).webhook().id();

        var task = changes.tasks
                .reads()
                .find(TasksFixture.STAFF, started(GRACE, to(webhook)))
                .orElseThrow();

        assertThat(task.type()).isEqualTo(PriceEventReplay.TO_WEBHOOK);
        assertThat(replay.start(GRACE, to(null), null)).isEqualTo(new ReplayPriceEventsResult.NoEventBus());
    }

    @Test
    void areSentOnceWhereTheTaskGoesOn() {
        var webhook = fixture.created(URL).webhook().id();
        change("3.10");
        var task = started(GRACE, to(webhook));
        // As if its instance had died before it said so.
        fixture.replays
                .to(webhook.value(), task)
                .publish(events("DE-0001").findFirst().orElseThrow());

        workers.start();
        over(task);

        assertThat(messages(webhook)).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void costWhatTheWebhookCostsAndEachEventWhatAnAnnouncedOneDoes() {
        var webhook = fixture.created(URL, "DE-0001").webhook().id();
        change("3.10");
        change("3.20");
        var task = started(GRACE, to(webhook));
        // The first task of its type makes that known.
        fixture.replays
                .to(webhook.value(), started(GRACE, to(webhook)))
                .publish(events("DE-0001").findFirst().orElseThrow());

        var published = Stream.of("DE-0001", "DE-0002").flatMap(this::events).toList();

        var units = table.meter().during(() -> {
            var events = fixture.replays.to(webhook.value(), task);
            published.forEach(events::publish);
        });

        assertThat(units).isEqualTo(new Units(1 + 2 * 4, 1, 2 * 5));
    }

    private Stream<PriceUpdated> events(String store) {
        return WebhooksFixture.history(new PartitionFeed(changes.db, "STORE#" + store).next())
                .flatMap(record -> DynamoPriceHistory.created(record).stream())
                .flatMap(entry -> PriceUpdated.of(entry).stream());
    }

    @Test
    void areForWebhooksThatWhoeverAsksMayManage() {
        var webhook = fixture.created(URL).webhook().id();
        var operator = new Access(
                new Principal("u3", Actor.Kind.USER, "olga", Set.of(Grant.of(Role.OPERATOR))), Actor.Source.PAGE);

        for (var asks : List.of(
                new Refusal(operator, webhook.value(), "WEBHOOK_NOT_FOUND"),
                new Refusal(GRACE, "01JD8X00000000000000000000", "WEBHOOK_NOT_FOUND"),
                new Refusal(GRACE, "none", "WEBHOOK_NOT_FOUND"))) {
            refused(asks);
        }
        fixture.webhooks.activate(GRACE, webhook, false);
        refused(new Refusal(GRACE, webhook.value(), "WEBHOOK_OFF"));
    }

    @Test
    void areToldAgainUnderTheirKeyAlsoWhenTheWebhookIsOffByThen() {
        var webhook = fixture.created(URL).webhook().id();
        var command = to(webhook);
        var started = (ReplayPriceEventsResult.Started) replay.start(GRACE, command, "key");
        fixture.webhooks.activate(GRACE, webhook, false);

        assertThat(replay.start(GRACE, command, "key"))
                .isEqualTo(new ReplayPriceEventsResult.Started(started.task(), false));
        assertThatThrownBy(() -> replay.start(GRACE, command, "another"))
                .isInstanceOfSatisfying(
                        InvalidInput.class, e -> assertThat(e.code()).isEqualTo("WEBHOOK_OFF"));
    }

    private record Refusal(Access access, String webhook, String code) {}

    private void refused(Refusal expected) {
        var now = clock.instant();
        var command = new ReplayPriceEvents(
                new StoreSelection.All(), now.minusSeconds(1), now.plusSeconds(1), expected.webhook());
        assertThatThrownBy(() -> replay.start(expected.access(), command, null))
                .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.code() + " " + e.field())
                        .isEqualTo(expected.code() + " webhook"));
    }

    @Test
    void areNotSentWhereNobodyMayHaveThatDoneAnyMore() {
        var webhook = fixture.created(URL).webhook().id();
        change("3.10");
        var task = started(GRACE, to(webhook));
        current = actor -> new Access(
                new Principal(actor.id(), actor.kind(), actor.name(), Set.of(Grant.of(Role.OPERATOR))), actor.source());

        workers.start();

        assertThat(over(task).status()).isEqualTo(TaskStatus.DEAD);
        assertThat(messages(webhook)).isEmpty();
    }

    @Test
    void endWhereTheWebhookIsSwitchedOffMeanwhile() {
        var webhook = fixture.created(URL, "DE-0001").webhook().id();

        assertThatThrownBy(() -> attempted(webhook, () -> fixture.webhooks.activate(GRACE, webhook, false)))
                .isInstanceOf(TaskFailed.class)
                .hasMessage("webhook must be switched on before anything is sent to it");

        assertThat(messages(webhook)).hasSize(1);
    }

    @Test
    void endWhereTheWebhookIsDeletedMeanwhile() {
        var webhook = fixture.created(URL, "DE-0001").webhook().id();

        assertThatThrownBy(() -> attempted(webhook, () -> fixture.webhooks.delete(GRACE, webhook)))
                .isInstanceOf(TaskFailed.class)
                .hasMessage("webhook must exist: there is no " + webhook);
    }

    @Test
    void areOfTheStoresThatTheWebhookIsToldOfByThen() throws Exception {
        var webhook = fixture.created(URL, "DE-0001").webhook().id();

        attempted(
                webhook, () -> fixture.webhooks.update(GRACE, webhook, _ -> WebhooksFixture.settings(URL, "DE-0002")));

        assertThat(messages(webhook)).hasSize(1);
    }

    /** Replays two events of one store to it, and does something else two seconds before the second one. */
    private void attempted(WebhookId webhook, Runnable meanwhile) throws TaskFailed, InterruptedException {
        change("3.10");
        change("3.20");
        var receivers = new ReplayReceivers() {
            @Override
            public void check(Access access, String id) {
                fixture.replays.check(access, id);
            }

            @Override
            public PriceEvents to(String id, TaskId task) {
                var events = fixture.replays.to(id, task);
                return new PriceEvents() {
                    @Override
                    public boolean wants(StoreId store) {
                        return events.wants(store);
                    }

                    @Override
                    public void publish(PriceUpdated event) {
                        events.publish(event);
                        meanwhile.run();
                        clock.advance(Duration.ofSeconds(2));
                    }
                };
            }
        };
        var reads = changes.tasks.reads();
        var task =
                reads.find(TasksFixture.STAFF, started(GRACE, toOne(webhook))).orElseThrow();
        EventsFixture.workForWebhooks(changes, receivers, actor -> current.of(actor))
                .handler()
                .handle(WorkersFixture.run(task.withPayload(reads.payload(TasksFixture.STAFF, task))));
    }

    /** Of one store, so that its events come one after the other. */
    private ReplayPriceEvents toOne(WebhookId webhook) {
        var now = clock.instant();
        return new ReplayPriceEvents(
                new StoreSelection.Listed(List.of(BERLIN.id())),
                now.minus(Duration.ofDays(1)),
                now.plus(Duration.ofDays(1)),
                webhook.value());
    }
}
