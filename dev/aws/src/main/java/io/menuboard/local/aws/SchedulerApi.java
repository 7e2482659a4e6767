package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.menuboard.local.aws.LocalHttp.Refusal;
import io.menuboard.local.aws.LocalHttp.Request;
import java.time.Clock;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The REST API of {@link LocalScheduler}, whose lock guards it. */
final class SchedulerApi {
    private static final String NAMES = "^[0-9a-zA-Z-_.]{1,64}$";
    private static final Pattern NAME = Pattern.compile("[0-9a-zA-Z\\-_.]{1,64}");
    private static final Pattern TOKEN = Pattern.compile("[a-zA-Z0-9\\-_]{1,64}");
    private static final int MAX_RESULTS = 100;

    private final Clock clock;
    private final Schedules schedules;
    private final Map<String, Answered> tokens = new HashMap<>();

    SchedulerApi(Clock clock, Schedules schedules) {
        this.clock = clock;
        this.schedules = schedules;
    }

    /** Request that a client token was used for. */
    private record Answered(String request, JsonNode answer) {}

    /** Answers a request. */
    JsonNode serve(Request request) {
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
        ScheduleDefinition.requirePattern("name", name, NAME, NAMES);
        return switch (operation) {
            case "POST schedules" -> once(request, request.body(), () -> createSchedule(name, request.body()));
            case "GET schedules" -> describe(schedules.schedule(group(request), name));
            case "PUT schedules" -> once(request, request.body(), () -> updateSchedule(name, request.body()));
            case "DELETE schedules" -> once(request, LocalHttp.object(), () -> deleteSchedule(group(request), name));
            case "POST schedule-groups" -> once(request, request.body(), () -> newGroup(name));
            case "GET schedule-groups" -> describe(name, schedules.group(name));
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
        ScheduleDefinition.requirePattern("clientToken", token, TOKEN, "^[a-zA-Z0-9-_]{1,64}$");
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
        var groupName = body.path("GroupName").asText(Schedules.DEFAULT_GROUP);
        var group = schedules.group(groupName);
        var definition = ScheduleDefinition.of(body);
        var schedule = new Schedule(groupName, name, definition, ScheduleDefinition.at(definition), clock.instant());
        if (group.schedules().putIfAbsent(name, schedule) != null) {
            throw new Refusal(409, "ConflictException", "Schedule " + name + " already exists.");
        }
        return LocalHttp.object().put("ScheduleArn", schedule.arn());
    }

    private JsonNode updateSchedule(String name, JsonNode body) {
        var schedule = schedules.schedule(body.path("GroupName").asText(Schedules.DEFAULT_GROUP), name);
        var definition = ScheduleDefinition.of(body);
        schedule.replace(definition, ScheduleDefinition.at(definition), clock.instant());
        return LocalHttp.object().put("ScheduleArn", schedule.arn());
    }

    private JsonNode deleteSchedule(String groupName, String name) {
        schedules.group(groupName).schedules().remove(schedules.schedule(groupName, name).name);
        return LocalHttp.object();
    }

    private JsonNode newGroup(String name) {
        if (!schedules.create(name, clock.instant())) {
            throw new Refusal(409, "ConflictException", "Schedule group " + name + " already exists.");
        }
        return LocalHttp.object().put("ScheduleGroupArn", Schedules.ARN + "schedule-group/" + name);
    }

    private JsonNode deleteGroup(String name) {
        schedules.group(name);
        if (name.equals(Schedules.DEFAULT_GROUP)) {
            throw new Refusal(400, "ValidationException", "The default schedule group cannot be deleted.");
        }
        schedules.groups().remove(name);
        return LocalHttp.object();
    }

    private JsonNode listSchedules(Request request) {
        var query = request.query();
        var only = query.get("ScheduleGroup");
        if (only != null) {
            schedules.group(only);
        }
        var state = query.get("State");
        var prefix = query.getOrDefault("NamePrefix", "");
        var all = new TreeMap<String, Schedule>();
        schedules.groups().forEach((groupName, group) -> group.schedules().forEach((name, schedule) -> {
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
        var all = new TreeMap<>(schedules.groups());
        all.keySet().removeIf(Predicate.not(name -> name.startsWith(prefix)));
        return page(request.query(), all, "ScheduleGroups", SchedulerApi::describe);
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
            throw ScheduleDefinition.invalid("maxResults", text, "Member must be between 1 and 100");
        }
        return number;
    }

    private static String decoded(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), UTF_8);
        } catch (IllegalArgumentException _) {
            throw ScheduleDefinition.invalid("nextToken", token, "Member must be a token of this service");
        }
    }

    private static ObjectNode describe(String name, Schedules.Group group) {
        return LocalHttp.object()
                .put("Arn", Schedules.ARN + "schedule-group/" + name)
                .put("Name", name)
                .put("State", "ACTIVE")
                .put("CreationDate", LocalHttp.seconds(group.created()))
                .put("LastModificationDate", LocalHttp.seconds(group.created()));
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
        return request.query().getOrDefault("groupName", Schedules.DEFAULT_GROUP);
    }

    private static Refusal unknown(Request request) {
        return new Refusal(404, "UnknownOperationException", "no operation " + request.method() + " " + request.path());
    }
}
