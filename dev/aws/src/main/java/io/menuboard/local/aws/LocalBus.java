package io.menuboard.local.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** EventBridge's PutEvents in this process: keeps what was put, for tests to read. */
public final class LocalBus implements AutoCloseable {
    private static final int MOST_ENTRIES = 10;

    private final LocalHttp http = new LocalHttp(this::serve);
    private final List<Event> events = new ArrayList<>();
    private int refusing;

    /** An event as it was put. */
    public record Event(String bus, String source, String detailType, JsonNode detail) {}

    public URI endpoint() {
        return http.endpoint();
    }

    /** Everything that was put, in order. */
    public synchronized List<Event> events() {
        return List.copyOf(events);
    }

    /** The next entries are refused, in an answer that says 200. */
    public synchronized void refuseNext(int entries) {
        refusing = entries;
    }

    @Override
    public void close() {
        http.close();
    }

    private synchronized JsonNode serve(LocalHttp.Request request) {
        if (!"AWSEvents.PutEvents".equals(request.target())) {
            throw new LocalHttp.Refusal(400, "UnknownOperationException", "no operation " + request.target());
        }
        var entries = request.body().path("Entries");
        if (entries.isEmpty() || entries.size() > MOST_ENTRIES) {
            throw new LocalHttp.Refusal(400, "ValidationException", "1 to 10 entries, not " + entries.size());
        }
        var answer = LocalHttp.object();
        var results = answer.putArray("Entries");
        var failed = 0;
        for (var entry : entries) {
            var fault = fault(entry);
            if (fault == null) {
                results.addObject().put("EventId", UUID.randomUUID().toString());
            } else {
                failed++;
                results.addObject().put("ErrorCode", fault).put("ErrorMessage", "refused");
            }
        }
        return answer.put("FailedEntryCount", failed);
    }

    private @Nullable String fault(JsonNode entry) {
        if (refusing > 0) {
            refusing--;
            return "InternalFailure";
        }
        JsonNode detail;
        try {
            detail = LocalHttp.JSON.readTree(entry.path("Detail").asText());
        } catch (JsonProcessingException _) {
            return "MalformedDetail";
        }
        if (!entry.hasNonNull("Source") || !entry.hasNonNull("DetailType") || !detail.isObject()) {
            return "InvalidArgument";
        }
        events.add(new Event(
                entry.path("EventBusName").asText("default"),
                entry.path("Source").asText(),
                entry.path("DetailType").asText(),
                detail));
        return null;
    }
}
