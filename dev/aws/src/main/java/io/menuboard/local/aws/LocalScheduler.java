package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.menuboard.local.aws.LocalHttp.Refusal;
import io.menuboard.local.aws.LocalHttp.Request;
import java.net.URI;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * EventBridge Scheduler in this process, as its REST API is documented (EventBridge Scheduler API reference, 2021-06-30):
 * schedules and groups, without tags, and of schedules those that the application makes, which is {@code at()} with a
 * queue as target. A schedule whose time has passed when it is made fires at once.
 */
public final class LocalScheduler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalScheduler.class);

    private static final String NAMES = "^[0-9a-zA-Z-_.]{1,64}$";
    private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z\\-_.]{1,64}");
    private static final Pattern TOKEN = Pattern.compile("[a-zA-Z0-9\\-_]{1,64}");
    private static final Pattern AT = Pattern.compile("at\\((\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2})\\)");
    private static final Pattern QUEUE = Pattern.compile("arn:aws:sqs:[a-z0-9-]+:\\d{12}:([\\w.-]+)");
    private static final Pattern ROLE = Pattern.compile("arn:aws:iam::\\d{12}:role/.+");
    private static final String PREFIX = "arn:aws:scheduler:eu-central-1:000000000000:";
    private static final String DEFAULT_GROUP = "default";

    private static final int MAX_RESULTS = 100;
    private static final int MAX_EVENT_AGE_SECONDS = 86_400;
    private static final int MIN_EVENT_AGE_SECONDS = 60;
    private static final int MAX_RETRIES = 185;
    private static final int MAX_WINDOW_MINUTES = 1440;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 6;

    private final Clock clock;
    private final Duration precision;
    private final SqsClient sqs;
    private final LocalHttp http = new LocalHttp(this::serve);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;

    // Everything below is guarded by this.
    private final Map<String, Group> groups = new TreeMap<>();
    private final Map<String, Answered> tokens = new HashMap<>();
    private Misfire misfire = new Misfire.None();
    private int failingDeliveries;

    private LocalScheduler(Clock clock, Duration precision, SqsClient sqs) {
        this.clock = clock;
        this.precision = precision;
        this.sqs = sqs;
        groups.put(DEFAULT_GROUP, new Group(clock.instant()));
        thread = Thread.ofPlatform().name("local-scheduler").daemon().unstarted(this::run);
    }

    /**
     * Starts one with the default group.
     *
     * @param clock whose time schedules mean
     * @param precision how long after its time a schedule fires at the latest; the real one promises a minute
     * @param sqs through which it delivers
     */
    public static LocalScheduler start(Clock clock, Duration precision, SqsClient sqs) {
        var scheduler = new LocalScheduler(clock, precision, sqs);
        scheduler.thread.start();
        return scheduler;
    }

    /** What goes wrong with schedules that fire from now on. */
    public sealed interface Misfire {

        /** Nothing. */
        record None() implements Misfire {}

        /** They fire so much later. */
        record Late(Duration by) implements Misfire {}

        /** Each sends its message twice. */
        record Twice() implements Misfire {}

        /** They are gone without having sent anything. */
        record Never() implements Misfire {}
    }

    public URI endpoint() {
        return http.endpoint();
    }

    /** Creates a group, as CreateScheduleGroup does. */
    public synchronized void createGroup(String name) {
        groups.put(name, new Group(clock.instant()));
    }

    public synchronized void misfire(Misfire kind) {
        misfire = kind;
    }

    /** The next requests get an internal error, and do nothing; the SDK repeats a request three times. */
    public void failNext(int requests) {
        http.failNext(requests);
    }

    /** The next deliveries to a target fail, and are repeated as the schedule's retry policy says. */
    public synchronized void failNextDeliveries(int deliveries) {
        failingDeliveries = deliveries;
    }

    @Override
    public void close() {
        stopping.countDown();
        http.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Group {
        final Instant created;
        final Map<String, Schedule> schedules = new TreeMap<>();

        Group(Instant created) {
            this.created = created;
        }
    }

    private static final class Schedule {
        final String group;
        final String name;
        final Instant created;
        ObjectNode definition;
        Instant modified;
        Instant at;
        boolean completed;
        int failures;
        Instant nextAttempt;

        Schedule(String group, String name, ObjectNode definition, Instant at, Instant now) {
            this.group = group;
            this.name = name;
            this.created = now;
            this.definition = definition;
            this.modified = now;
            this.at = at;
            this.nextAttempt = at;
        }

        void replace(ObjectNode newDefinition, Instant newAt, Instant now) {
            definition = newDefinition;
            modified = now;
            at = newAt;
            nextAttempt = newAt;
            completed = false;
            failures = 0;
        }

        String arn() {
            return PREFIX + "schedule/" + group + "/" + name;
        }

        boolean isEnabled() {
            return text("State").equals("ENABLED");
        }

        String text(String field) {
            return definition.path(field).asText();
        }
    }

    /** What a client token was used for. */
    private record Answered(String request, JsonNode answer) {}

    // The API.

    private synchronized JsonNode serve(Request request) {
        var path = request.path().split("/", -1);
        var operation = request.method() + " " + path[1];
        if (path.length == 2) {
            return switch (operation) {
                case "GET schedules" -> listSchedules(request);
                case "GET schedule-groups" -> listGroups(request);
                default -> throw unknown(request);
            };
        }
        if (path.length != 3) {
            throw unknown(request);
        }
        var name = path[2];
        requirePattern("name", name, NAME, NAMES);
        return switch (operation) {
            case "POST schedules" -> once(request, request.body(), () -> createSchedule(name, request.body()));
            case "GET schedules" -> describe(schedule(group(request), name));
            case "PUT schedules" -> once(request, request.body(), () -> updateSchedule(name, request.body()));
            case "DELETE schedules" -> once(request, LocalHttp.object(), () -> deleteSchedule(group(request), name));
            case "POST schedule-groups" -> once(request, request.body(), () -> newGroup(name));
            case "GET schedule-groups" -> describe(name, group(name));
            case "DELETE schedule-groups" -> once(request, LocalHttp.object(), () -> deleteGroup(name));
            default -> throw unknown(request);
        };
    }

    /** The same answer for the same request with the same token; the same token for something else is a conflict. */
    private JsonNode once(Request request, JsonNode body, Supplier<JsonNode> operation) {
        var token = body.path("ClientToken").asText(request.query().get("clientToken"));
        if (token == null) {
            return operation.get();
        }
        requirePattern("clientToken", token, TOKEN, "^[a-zA-Z0-9-_]{1,64}$");
        var asked = request.method() + " " + request.path() + " " + request.query() + " " + body;
        var before = tokens.get(token);
        if (before == null) {
            var answer = operation.get();
            tokens.put(token, new Answered(asked, answer));
            return answer;
        }
        if (!before.request.equals(asked)) {
            throw new Refusal(409, "ConflictException", "The client token was used for another request.");
        }
        return before.answer;
    }

    private JsonNode createSchedule(String name, JsonNode body) {
        var groupName = body.path("GroupName").asText(DEFAULT_GROUP);
        var group = group(groupName);
        var definition = definition(body);
        var schedule = new Schedule(groupName, name, definition, at(definition), clock.instant());
        if (group.schedules.putIfAbsent(name, schedule) != null) {
            throw new Refusal(409, "ConflictException", "Schedule " + name + " already exists.");
        }
        return LocalHttp.object().put("ScheduleArn", schedule.arn());
    }

    private JsonNode updateSchedule(String name, JsonNode body) {
        var schedule = schedule(body.path("GroupName").asText(DEFAULT_GROUP), name);
        var definition = definition(body);
        schedule.replace(definition, at(definition), clock.instant());
        return LocalHttp.object().put("ScheduleArn", schedule.arn());
    }

    private JsonNode deleteSchedule(String groupName, String name) {
        group(groupName).schedules.remove(schedule(groupName, name).name);
        return LocalHttp.object();
    }

    private JsonNode newGroup(String name) {
        if (groups.putIfAbsent(name, new Group(clock.instant())) != null) {
            throw new Refusal(409, "ConflictException", "Schedule group " + name + " already exists.");
        }
        return LocalHttp.object().put("ScheduleGroupArn", PREFIX + "schedule-group/" + name);
    }

    private JsonNode deleteGroup(String name) {
        group(name);
        if (name.equals(DEFAULT_GROUP)) {
            throw new Refusal(400, "ValidationException", "The default schedule group cannot be deleted.");
        }
        groups.remove(name);
        return LocalHttp.object();
    }

    private JsonNode listSchedules(Request request) {
        var query = request.query();
        var only = query.get("ScheduleGroup");
        if (only != null) {
            group(only);
        }
        var state = query.get("State");
        var prefix = query.getOrDefault("NamePrefix", "");
        var all = new TreeMap<String, Schedule>();
        groups.forEach((groupName, group) -> group.schedules.forEach((name, schedule) -> {
            if ((only == null || only.equals(groupName))
                    && name.startsWith(prefix)
                    && (state == null || state.equals(schedule.text("State")))) {
                all.put(groupName + "/" + name, schedule);
            }
        }));
        return page(query, all, "Schedules", (_, schedule) -> {
            var summary = LocalHttp.object()
                    .put("Arn", schedule.arn())
                    .put("Name", schedule.name)
                    .put("GroupName", schedule.group)
                    .put("State", schedule.text("State"))
                    .put("CreationDate", LocalHttp.seconds(schedule.created))
                    .put("LastModificationDate", LocalHttp.seconds(schedule.modified));
            summary.putObject("Target")
                    .put("Arn", schedule.definition.path("Target").path("Arn").asText());
            return summary;
        });
    }

    private JsonNode listGroups(Request request) {
        var prefix = request.query().getOrDefault("NamePrefix", "");
        var all = new TreeMap<>(groups);
        all.keySet().removeIf(Predicate.not(name -> name.startsWith(prefix)));
        return page(request.query(), all, "ScheduleGroups", LocalScheduler::describe);
    }

    private static <T> JsonNode page(
            Map<String, String> query,
            NavigableMap<String, T> all,
            String field,
            BiFunction<String, T, ObjectNode> summary) {
        var most = maxResults(query);
        var token = query.get("NextToken");
        var rest = token == null ? all : all.tailMap(decoded(token), false);
        var answer = LocalHttp.object();
        var list = answer.putArray(field);
        String last = "";
        for (var entry : rest.entrySet()) {
            if (list.size() == most) {
                answer.put("NextToken", Base64.getUrlEncoder().encodeToString(last.getBytes(UTF_8)));
                break;
            }
            list.add(summary.apply(entry.getKey(), entry.getValue()));
            last = entry.getKey();
        }
        return answer;
    }

    private static int maxResults(Map<String, String> query) {
        var text = query.getOrDefault("MaxResults", "" + MAX_RESULTS);
        var number = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > MAX_RESULTS) {
            throw invalid("maxResults", text, "Member must be between 1 and 100");
        }
        return number;
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), UTF_8);
        } catch (IllegalArgumentException _) {
            throw invalid("nextToken", token, "Member must be a token of this service");
        }
    }

    private static ObjectNode describe(String name, Group group) {
        return LocalHttp.object()
                .put("Arn", PREFIX + "schedule-group/" + name)
                .put("Name", name)
                .put("State", "ACTIVE")
                .put("CreationDate", LocalHttp.seconds(group.created))
                .put("LastModificationDate", LocalHttp.seconds(group.created));
    }

    private static JsonNode describe(Schedule schedule) {
        return schedule.definition
                .deepCopy()
                .put("Arn", schedule.arn())
                .put("GroupName", schedule.group)
                .put("Name", schedule.name)
                .put("CreationDate", LocalHttp.seconds(schedule.created))
                .put("LastModificationDate", LocalHttp.seconds(schedule.modified));
    }

    private static String group(Request request) {
        return request.query().getOrDefault("groupName", DEFAULT_GROUP);
    }

    private Group group(String name) {
        var group = groups.get(name);
        if (group == null) {
            throw new Refusal(404, "ResourceNotFoundException", "Schedule group " + name + " does not exist.");
        }
        return group;
    }

    private Schedule schedule(String groupName, String name) {
        var schedule = group(groupName).schedules.get(name);
        if (schedule == null) {
            throw new Refusal(404, "ResourceNotFoundException", "Schedule " + name + " does not exist.");
        }
        return schedule;
    }

    /** What a request defines, with the defaults of what it leaves out. */
    private static ObjectNode definition(JsonNode body) {
        var definition = LocalHttp.object();
        definition.put("ScheduleExpression", required(body, "ScheduleExpression"));
        definition.put(
                "ScheduleExpressionTimezone",
                body.path("ScheduleExpressionTimezone").asText("UTC"));
        definition.put("State", oneOf(body, "State", List.of("ENABLED", "DISABLED")));
        definition.put("ActionAfterCompletion", oneOf(body, "ActionAfterCompletion", List.of("NONE", "DELETE")));
        for (var optional : List.of("Description", "StartDate", "EndDate", "KmsKeyArn")) {
            if (body.hasNonNull(optional)) {
                definition.set(optional, body.get(optional));
            }
        }
        definition.set("FlexibleTimeWindow", window(body.path("FlexibleTimeWindow")));
        definition.set("Target", target(body.path("Target")));
        return definition;
    }

    private static JsonNode window(JsonNode window) {
        var mode = required(window, "Mode");
        var minutes = window.path("MaximumWindowInMinutes").asInt(0);
        if (!List.of("OFF", "FLEXIBLE").contains(mode)
                || mode.equals("FLEXIBLE") != (minutes >= 1 && minutes <= MAX_WINDOW_MINUTES)) {
            throw invalid("flexibleTimeWindow", window.toString(), "Member must be OFF, or FLEXIBLE with its minutes");
        }
        return window;
    }

    private static JsonNode target(JsonNode target) {
        requirePattern("target.arn", required(target, "Arn"), QUEUE, "an SQS queue");
        requirePattern("target.roleArn", required(target, "RoleArn"), ROLE, "an IAM role");
        if (target.path("DeadLetterConfig").hasNonNull("Arn")) {
            requirePattern(
                    "target.deadLetterConfig.arn",
                    target.path("DeadLetterConfig").path("Arn").asText(),
                    QUEUE,
                    "an SQS queue");
        }
        var checked = ((ObjectNode) target).deepCopy();
        var policy = LocalHttp.object();
        policy.put(
                "MaximumEventAgeInSeconds",
                number(
                        target.path("RetryPolicy"),
                        "MaximumEventAgeInSeconds",
                        MIN_EVENT_AGE_SECONDS,
                        MAX_EVENT_AGE_SECONDS));
        policy.put("MaximumRetryAttempts", number(target.path("RetryPolicy"), "MaximumRetryAttempts", 0, MAX_RETRIES));
        checked.set("RetryPolicy", policy);
        return checked;
    }

    private static int number(JsonNode parent, String field, int min, int max) {
        var number = parent.path(field).asInt(max);
        if (number < min || number > max) {
            throw invalid(field, "" + number, "Member must be between " + min + " and " + max);
        }
        return number;
    }

    private static String required(JsonNode parent, String field) {
        if (!parent.path(field).isTextual()) {
            throw invalid(field, "null", "Member must not be null");
        }
        return parent.path(field).textValue();
    }

    private static String oneOf(JsonNode body, String field, List<String> values) {
        var value = body.path(field).asText(values.getFirst());
        if (!values.contains(value)) {
            throw invalid(field, value, "Member must satisfy enum value set: " + values);
        }
        return value;
    }

    private static Instant at(JsonNode definition) {
        var expression = definition.path("ScheduleExpression").asText();
        var matcher = AT.matcher(expression);
        try {
            if (matcher.matches()) {
                return LocalDateTime.parse(matcher.group(1))
                        .atZone(ZoneId.of(
                                definition.path("ScheduleExpressionTimezone").asText()))
                        .toInstant();
            }
        } catch (DateTimeException _) {
            // A date or a zone that does not exist.
        }
        throw new Refusal(400, "ValidationException", "Invalid Schedule Expression " + expression + ".");
    }

    private static void requirePattern(String field, String value, Pattern pattern, String rule) {
        if (!pattern.matcher(value).matches()) {
            throw invalid(field, value, "Member must satisfy regular expression pattern: " + rule);
        }
    }

    private static Refusal invalid(String field, String value, String rule) {
        return new Refusal(
                400,
                "ValidationException",
                "1 validation error detected: Value '" + value + "' at '" + field + "' failed to satisfy constraint: "
                        + rule);
    }

    private static Refusal unknown(Request request) {
        return new Refusal(404, "UnknownOperationException", "no operation " + request.method() + " " + request.path());
    }

    // Firing.

    private void run() {
        try {
            do {
                try {
                    fireWhatIsDue();
                } catch (RuntimeException e) {
                    log.error("firing failed", e);
                }
            } while (!stopping.await(precision.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void fireWhatIsDue() {
        var now = clock.instant();
        var late = misfire instanceof Misfire.Late(var by) ? by : Duration.ZERO;
        for (var group : groups.values()) {
            group.schedules.values().stream()
                    .filter(schedule -> schedule.isEnabled()
                            && !schedule.completed
                            && !schedule.nextAttempt.plus(late).isAfter(now))
                    .forEach(schedule -> fire(schedule, now));
            group.schedules
                    .values()
                    .removeIf(schedule -> schedule.completed
                            && schedule.text("ActionAfterCompletion").equals("DELETE"));
        }
    }

    private void fire(Schedule schedule, Instant now) {
        var target = schedule.definition.path("Target");
        try {
            if (!(misfire instanceof Misfire.Never)) {
                deliver(target);
            }
            if (misfire instanceof Misfire.Twice) {
                deliver(target);
            }
            schedule.completed = true;
        } catch (SdkException | IllegalStateException e) {
            schedule.failures++;
            var policy = target.path("RetryPolicy");
            var age = Duration.between(schedule.at, now);
            if (schedule.failures > policy.path("MaximumRetryAttempts").asInt()) {
                giveUp(schedule, target, "MaximumRetryAttempts", e);
            } else if (age.toSeconds() > policy.path("MaximumEventAgeInSeconds").asInt()) {
                giveUp(schedule, target, "MaximumEventAgeInSeconds", e);
            } else {
                schedule.nextAttempt =
                        now.plus(FIRST_RETRY.multipliedBy(1L << Math.min(schedule.failures - 1, MAX_DOUBLINGS)));
            }
        }
    }

    private void deliver(JsonNode target) {
        if (failingDeliveries > 0) {
            failingDeliveries--;
            throw new IllegalStateException("told to fail");
        }
        var group = target.path("SqsParameters").path("MessageGroupId");
        var url = url(target.path("Arn").asText());
        sqs.sendMessage(request -> request.queueUrl(url)
                .messageBody(target.path("Input").asText())
                .messageGroupId(group.isTextual() ? group.textValue() : null));
    }

    private void giveUp(Schedule schedule, JsonNode target, String exhausted, RuntimeException cause) {
        schedule.completed = true;
        var dead = target.path("DeadLetterConfig").path("Arn").textValue();
        if (dead == null) {
            log.error("a schedule was dropped: {}", schedule.name, cause);
            return;
        }
        var url = url(dead);
        sqs.sendMessage(request -> request.queueUrl(url)
                .messageBody(target.path("Input").asText())
                .messageAttributes(Map.of(
                        "ERROR_CODE", attribute("AWS.Scheduler.InternalServerError"),
                        "ERROR_MESSAGE", attribute(String.valueOf(cause.getMessage())),
                        "EXHAUSTED_RETRY_CONDITION", attribute(exhausted),
                        "RETRY_ATTEMPTS", attribute("" + (schedule.failures - 1)),
                        "SCHEDULE_ARN", attribute(schedule.arn()),
                        "TARGET_ARN", attribute(target.path("Arn").asText()))));
    }

    private String url(String arn) {
        var matcher = QUEUE.matcher(arn);
        if (!matcher.matches()) {
            throw new IllegalStateException("no queue: " + arn);
        }
        return sqs.getQueueUrl(request -> request.queueName(matcher.group(1))).queueUrl();
    }

    private static MessageAttributeValue attribute(@Nullable String value) {
        return MessageAttributeValue.builder()
                .dataType("String")
                .stringValue(value)
                .build();
    }
}
