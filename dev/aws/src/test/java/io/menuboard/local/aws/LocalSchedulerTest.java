package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.scheduler.model.ConflictException;
import software.amazon.awssdk.services.scheduler.model.CreateScheduleRequest;
import software.amazon.awssdk.services.scheduler.model.FlexibleTimeWindowMode;
import software.amazon.awssdk.services.scheduler.model.ResourceNotFoundException;
import software.amazon.awssdk.services.scheduler.model.ScheduleState;
import software.amazon.awssdk.services.scheduler.model.ScheduleSummary;
import software.amazon.awssdk.services.scheduler.model.ValidationException;

/** The stand-in answers the real client as the API reference says. */
@Timeout(60)
class LocalSchedulerTest {
    private static final String ROLE = "arn:aws:iam::000000000000:role/scheduler";

    private final LocalQueues queues = LocalQueues.shared();
    private final LocalQueues.Queue queue = queues.fresh();
    private final LocalScheduler server =
            LocalScheduler.start(Clock.systemUTC(), Duration.ofMillis(10), queues.client());
    private final SchedulerClient client = SchedulerClient.builder()
            .endpointOverride(server.endpoint())
            .region(LocalDynamoDb.REGION)
            .credentialsProvider(LocalDynamoDb.CREDENTIALS)
            .httpClientBuilder(ApacheHttpClient.builder())
            .build();

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void aNameIsTakenOnceInEachGroup() {
        create("one", _ -> {});
        client.createScheduleGroup(request -> request.name("other"));
        create("one", request -> request.groupName("other"));

        assertThatThrownBy(() -> create("one", _ -> {}))
                .isInstanceOfSatisfying(
                        ConflictException.class, e -> assertThat(e.statusCode()).isEqualTo(409))
                .hasMessageContaining("Schedule one already exists.");
    }

    @Test
    void theSameTokenIsTheSameRequest() {
        var first = create("one", request -> request.clientToken("t1"));
        var again = create("one", request -> request.clientToken("t1"));

        assertThat(client.createSchedule(again).scheduleArn()).endsWith("schedule/default/one");
        assertThat(first).isEqualTo(again);
        assertThatThrownBy(() -> create("two", request -> request.clientToken("t1")))
                .isInstanceOf(ConflictException.class);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        for (var name : List.of("none", "n.o-n_e")) {
            assertThatThrownBy(() -> client.getSchedule(request -> request.name(name)))
                    .isInstanceOf(ResourceNotFoundException.class);
            assertThatThrownBy(() -> client.deleteSchedule(request -> request.name(name)))
                    .isInstanceOf(ResourceNotFoundException.class);
            assertThatThrownBy(() -> client.getScheduleGroup(request -> request.name(name)))
                    .isInstanceOf(ResourceNotFoundException.class);
        }
        assertThatThrownBy(() -> create("one", request -> request.groupName("none")))
                .isInstanceOf(ResourceNotFoundException.class);
    }

    @Test
    void namesAreAsTheReferenceSays() {
        create("a".repeat(64), _ -> {});

        for (var name : List.of("a".repeat(65), "a b", "ä", "a#b")) {
            assertThatThrownBy(() -> create(name, _ -> {})).isInstanceOf(ValidationException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at(2036-03-01)",
                "at(2036-03-01T06:00:00Z)",
                "at(2036-02-30T06:00:00)",
                "2036-03-01T06:00:00",
                "never"
            })
    void anExpressionThatMakesNoSenseIsRefused(String expression) {
        assertThatThrownBy(() -> create("one", request -> request.scheduleExpression(expression)))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void targetsAndTheirPoliciesAreChecked() {
        assertThatThrownBy(() -> create(
                        "one",
                        request -> request.target(target -> target.arn("queue").roleArn(ROLE))))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> create(
                        "one",
                        request -> request.target(target -> target.arn(queue.arn())
                                .roleArn(ROLE)
                                .retryPolicy(retry -> retry.maximumRetryAttempts(186)))))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(
                        () -> create("one", request -> request.flexibleTimeWindow(window -> window.mode("FLEXIBLE"))))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void anUpdateReplacesEverythingAndForgetsTheRest() {
        create("one", request -> request.description("first")
                .state(ScheduleState.DISABLED)
                .scheduleExpressionTimezone("Europe/Berlin")
                .actionAfterCompletion("DELETE"));

        client.updateSchedule(request -> request.name("one")
                .scheduleExpression("at(2036-04-01T00:00:00)")
                .flexibleTimeWindow(window -> window.mode(FlexibleTimeWindowMode.OFF))
                .target(target -> target.arn(queue.arn()).roleArn(ROLE)));

        var schedule = client.getSchedule(request -> request.name("one"));
        assertThat(schedule.description()).isNull();
        assertThat(schedule.state()).isEqualTo(ScheduleState.ENABLED);
        assertThat(schedule.scheduleExpressionTimezone()).isEqualTo("UTC");
        assertThat(schedule.actionAfterCompletionAsString()).isEqualTo("NONE");
        assertThat(schedule.scheduleExpression()).isEqualTo("at(2036-04-01T00:00:00)");
    }

    @Test
    void listsArePagedAndFiltered() {
        IntStream.range(0, 25).forEach(i -> create("a%02d".formatted(i), _ -> {}));
        create("b", request -> request.state(ScheduleState.DISABLED));
        client.createScheduleGroup(request -> request.name("other"));
        create("a99", request -> request.groupName("other"));

        assertThat(client.listSchedulesPaginator(request ->
                                request.groupName("default").namePrefix("a").maxResults(10))
                        .schedules())
                .extracting(ScheduleSummary::name)
                .isEqualTo(IntStream.range(0, 25).mapToObj("a%02d"::formatted).toList());
        assertThat(client.listSchedules(request -> request.state(ScheduleState.DISABLED))
                        .schedules())
                .extracting(ScheduleSummary::name)
                .containsExactly("b");
        assertThat(client.listScheduleGroups(request -> request.namePrefix("o")).scheduleGroups())
                .hasSize(1);
    }

    @Test
    void aGroupTakesItsSchedulesWithIt() {
        client.createScheduleGroup(request -> request.name("group"));
        assertThatThrownBy(() -> client.createScheduleGroup(request -> request.name("group")))
                .isInstanceOf(ConflictException.class);
        create("one", request -> request.groupName("group"));

        client.deleteScheduleGroup(request -> request.name("group"));

        assertThat(client.listSchedules(request -> {}).schedules()).isEmpty();
    }

    @Test
    void aDisabledScheduleFiresOnceItIsEnabled() {
        create("one", request -> request.state(ScheduleState.DISABLED).scheduleExpression("at(2020-01-01T00:00:00)"));
        await().during(Duration.ofMillis(100)).until(() -> received().isEmpty());

        client.updateSchedule(request -> request.name("one")
                .scheduleExpression("at(2020-01-01T00:00:00)")
                .flexibleTimeWindow(window -> window.mode(FlexibleTimeWindowMode.OFF))
                .target(target -> target.arn(queue.arn()).roleArn(ROLE).input("fired")));

        await().untilAsserted(() -> assertThat(received()).containsExactly("fired"));
        // It is kept, and does not fire again.
        assertThat(client.getSchedule(request -> request.name("one")).name()).isEqualTo("one");
        await().during(Duration.ofMillis(100)).until(() -> received().size() == 1);
    }

    private CreateScheduleRequest create(String name, Consumer<CreateScheduleRequest.Builder> more) {
        var request = CreateScheduleRequest.builder()
                .name(name)
                .scheduleExpression("at(2036-03-01T06:00:00)")
                .flexibleTimeWindow(window -> window.mode(FlexibleTimeWindowMode.OFF))
                .target(target -> target.arn(queue.arn()).roleArn(ROLE).input("{}"));
        more.accept(request);
        var built = request.build();
        client.createSchedule(built);
        return built;
    }

    private List<String> received() {
        return queues
                .client()
                .receiveMessage(request ->
                        request.queueUrl(queue.url()).maxNumberOfMessages(10).visibilityTimeout(0))
                .messages()
                .stream()
                .map(message -> message.body())
                .toList();
    }
}
