package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.local.aws.LocalScheduler;
import io.menuboard.local.aws.LocalScheduler.Misfire;
import io.menuboard.messaging.SqsSender;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.scheduler.model.ActionAfterCompletion;
import software.amazon.awssdk.services.scheduler.model.FlexibleTimeWindowMode;

@Timeout(60)
class EventBridgeSchedulesTest {
    private static final Instant NOW = Instant.parse("2026-02-28T22:00:00Z");
    private static final Instant DUE = Instant.parse("2026-03-01T06:00:00Z");
    private static final PriceBatch BATCH = new PriceBatch(
            new StoreId("DE-0001"), Channel.ALL, new EffectiveDate(LocalDateTime.parse("2026-03-01T07:00:00")));
    private static final String BODY =
            "{\"store\":\"DE-0001\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01T07:00:00\"}";

    private final MovingClock clock = new MovingClock(NOW);
    private final LocalQueues queues = LocalQueues.shared();
    private final LocalQueues.Queue due = queues.fresh();
    private final LocalScheduler server = LocalScheduler.start(clock, Duration.ofMillis(10), queues.client());
    private final SchedulerClient client = SchedulerClient.builder()
            .endpointOverride(server.endpoint())
            .region(LocalDynamoDb.REGION)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .httpClientBuilder(ApacheHttpClient.builder())
            .build();
    private final EventBridgeSchedules schedules = new EventBridgeSchedules(
            client,
            new SqsSender(queues.client(), due.url()),
            new SchedulerConfig(
                    "prices",
                    due.arn(),
                    "arn:aws:iam::000000000000:role/scheduler",
                    due.deadArn(),
                    Duration.ofSeconds(90)),
            clock);

    EventBridgeSchedulesTest() {
        server.createGroup("prices");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void aBatchIsDueAtItsTimeAndNotBefore() {
        schedules.schedule(BATCH, DUE);
        assertThat(schedules.isScheduled(BATCH)).isTrue();

        clock.set(DUE.minusMillis(1));
        await().during(Duration.ofMillis(200)).until(() -> received(due.url()).isEmpty());
        clock.set(DUE);

        await().untilAsserted(() -> assertThat(received(due.url())).containsExactly(BODY));
        await().until(() -> !schedules.isScheduled(BATCH));
    }

    @Test
    void theScheduleIsWhatTheServiceNeeds() {
        schedules.schedule(BATCH, DUE.minusNanos(1));

        var schedule =
                client.getSchedule(request -> request.groupName("prices").name(EventBridgeSchedules.name(BATCH)));
        assertThat(schedule.scheduleExpression()).isEqualTo("at(2026-03-01T06:00:00)");
        assertThat(schedule.scheduleExpressionTimezone()).isEqualTo("UTC");
        assertThat(schedule.flexibleTimeWindow().mode()).isEqualTo(FlexibleTimeWindowMode.OFF);
        assertThat(schedule.actionAfterCompletion()).isEqualTo(ActionAfterCompletion.DELETE);
        assertThat(schedule.target().arn()).isEqualTo(due.arn());
        assertThat(schedule.target().input()).isEqualTo(BODY);
        assertThat(schedule.target().retryPolicy().maximumRetryAttempts()).isEqualTo(185);
        assertThat(schedule.target().deadLetterConfig().arn()).isEqualTo(due.deadArn());
    }

    @Test
    void schedulingAndCancellingTwiceDoesNoHarm() {
        schedules.schedule(BATCH, DUE);
        schedules.schedule(BATCH, DUE);
        assertThat(client.listSchedules(request -> request.groupName("prices")).schedules())
                .hasSize(1);

        schedules.cancel(BATCH);
        schedules.cancel(BATCH);

        assertThat(schedules.isScheduled(BATCH)).isFalse();
    }

    @Test
    void whatIsDueSoonOrPastGoesToTheQueueAtOnce() {
        schedules.schedule(BATCH, NOW.minusSeconds(3600));

        assertThat(schedules.isScheduled(BATCH)).isFalse();
        await().untilAsserted(() -> assertThat(received(due.url())).containsExactly(BODY));
    }

    @Test
    void whatIsDueInASecondComesInASecond() {
        schedules.schedule(BATCH, NOW.plusSeconds(2));

        assertThat(received(due.url())).isEmpty();
        await().untilAsserted(() -> assertThat(received(due.url())).containsExactly(BODY));
    }

    @Test
    void onlyWhatIsDueLaterThanSoonGetsASchedule() {
        schedules.schedule(BATCH, NOW.plusSeconds(90));
        assertThat(schedules.isScheduled(BATCH)).isFalse();

        schedules.schedule(BATCH, NOW.plusSeconds(91));
        assertThat(schedules.isScheduled(BATCH)).isTrue();
    }

    @Test
    void aFaultOfTheSchedulerIsRepeatedAndThenSeen() {
        server.failNext(1);
        schedules.schedule(BATCH, DUE);
        assertThat(schedules.isScheduled(BATCH)).isTrue();

        server.failNext(10);

        assertThatThrownBy(() -> schedules.isScheduled(BATCH)).isInstanceOf(SdkServiceException.class);
    }

    @Test
    void aSchedulerThatIsLateSendsTwiceOrNeverCanBeShown() {
        schedules.schedule(BATCH, DUE);
        server.misfire(new Misfire.Late(Duration.ofMinutes(10)));
        clock.set(DUE.plus(Duration.ofMinutes(9)));
        await().during(Duration.ofMillis(100)).until(() -> received(due.url()).isEmpty());
        server.misfire(new Misfire.Twice());
        await().untilAsserted(() -> assertThat(received(due.url())).containsExactly(BODY, BODY));

        clock.set(NOW);
        server.misfire(new Misfire.Never());
        schedules.schedule(BATCH, DUE);
        clock.set(DUE);

        await().until(() -> !schedules.isScheduled(BATCH));
    }

    @Test
    void whatCannotBeDeliveredIsRepeatedAndThenADeadLetter() {
        schedules.schedule(BATCH, DUE);
        server.failNextDeliveries(1);
        clock.set(DUE);
        await().during(Duration.ofMillis(100)).until(() -> received(due.url()).isEmpty());
        assertThat(schedules.isScheduled(BATCH)).isTrue();
        server.failNextDeliveries(1);
        clock.set(DUE.plus(Duration.ofDays(2)));

        await().untilAsserted(() -> assertThat(received(due.deadUrl())).containsExactly(BODY));
    }

    private List<String> received(String url) {
        return queues
                .client()
                .receiveMessage(
                        request -> request.queueUrl(url).maxNumberOfMessages(10).visibilityTimeout(0))
                .messages()
                .stream()
                .map(message -> message.body())
                .toList();
    }
}
