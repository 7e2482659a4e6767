package io.menuboard.querydb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * Stands below an SDK client for DynamoDB, remembers what it sends, and makes chosen requests fail. Of several faults
 * that fit a request the one injected first happens. Closing it leaves the client below open. Thread-safe.
 */
public final class FaultInjectingHttpClient implements SdkHttpClient {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final SdkHttpClient delegate;
    private final List<Rule> rules = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private @Nullable Outage outage;
    private int forwarding;

    public FaultInjectingHttpClient(SdkHttpClient delegate) {
        this.delegate = delegate;
    }

    /**
     * Makes the next requests of an operation fail.
     *
     * @param operation as DynamoDB's API names it, {@code PutItem}
     */
    public void inject(Fault fault, String operation, int times) {
        var left = new int[] {times};
        add(new Rule(fault, operation, () -> left[0]-- > 0));
    }

    /** Makes requests of an operation fail at random, the same ones for the same seed and order of requests. */
    public void inject(Fault fault, String operation, double probability, long seed) {
        var random = new SplittableRandom(seed);
        add(new Rule(fault, operation, () -> random.nextDouble() < probability));
    }

    /**
     * Lets so many requests pass, and makes every later one fail until {@link #reset}, each as the seed has it. The first
     * eight of them were under way: some of those lose their replies only.
     */
    public synchronized void breakDown(long seed, int after) {
        outage = new Outage(after, new SplittableRandom(seed));
    }

    /** Whether every request fails, and whatever was under way when that began has come to its end. */
    public synchronized boolean isDown() {
        return outage != null && outage.isTotal() && forwarding == 0;
    }

    /** Forgets faults, an outage, and requests. */
    public synchronized void reset() {
        outage = null;
        rules.clear();
        sent.clear();
    }

    /** Every request that the SDK made since the start or the last reset, failed ones too. */
    public synchronized List<Sent> sent() {
        return List.copyOf(sent);
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        var operation = request.httpRequest()
                .firstMatchingHeader("X-Amz-Target")
                .map(target -> target.substring(target.indexOf('.') + 1))
                .orElse("");
        var body = body(request);
        var fault = next(operation, body);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                return fault.isPresent() ? fail(fault.get(), request, body) : forward(request);
            }

            @Override
            public void abort() {}
        };
    }

    @Override
    public String clientName() {
        return "FaultInjecting" + delegate.clientName();
    }

    @Override
    public void close() {
        // Tests share the client below, one after another.
    }

    private synchronized void add(Rule rule) {
        rules.add(rule);
    }

    private synchronized Optional<Fault> next(String operation, ObjectNode body) {
        sent.add(new Sent(operation, body));
        if (outage != null) {
            var fault = outage.next();
            if (fault.isPresent()) {
                return fault;
            }
        }
        return rules.stream()
                .filter(rule ->
                        rule.operation().equals(operation) && rule.applies().getAsBoolean())
                .map(Rule::fault)
                .findFirst();
    }

    private HttpExecuteResponse fail(Fault fault, HttpExecuteRequest request, ObjectNode body) throws IOException {
        return switch (fault) {
            case TABLE_THROTTLED -> error(400, "ProvisionedThroughputExceededException", JSON.createObjectNode());
            case ACCOUNT_THROTTLED -> error(400, "ThrottlingException", JSON.createObjectNode());
            case SERVER_ERROR -> error(500, "InternalServerError", JSON.createObjectNode());
            case SERVER_ERROR_AFTERWARDS -> {
                drop(forward(request));
                yield error(500, "InternalServerError", JSON.createObjectNode());
            }
            case NOT_CONNECTED -> throw new ConnectException("connection refused");
            case NO_CONNECTION_FREE ->
                throw new ConnectionPoolTimeoutException("timeout waiting for connection from pool");
            case REQUEST_LOST -> throw new IOException("the request was lost");
            case REPLY_LOST -> {
                drop(forward(request));
                throw new IOException("the reply was lost");
            }
            case TRANSACTION_CONFLICT -> error(400, "TransactionCanceledException", conflicts(body));
            case TOKEN_MISMATCH -> error(400, "IdempotentParameterMismatchException", JSON.createObjectNode());
            case HALF_PROCESSED -> partly(request, body, 2);
            case UNPROCESSED -> partly(request, body, Integer.MAX_VALUE);
        };
    }

    private HttpExecuteResponse forward(HttpExecuteRequest request) throws IOException {
        forwarding(1);
        try {
            return delegate.prepareRequest(request).call();
        } finally {
            forwarding(-1);
        }
    }

    private synchronized void forwarding(int more) {
        forwarding += more;
    }

    private static void drop(HttpExecuteResponse response) throws IOException {
        if (response.responseBody().isPresent()) {
            try (var unread = response.responseBody().get()) {
                unread.readAllBytes();
            }
        }
    }

    private static ObjectNode conflicts(ObjectNode transaction) {
        var error = JSON.createObjectNode();
        var reasons = error.putArray("CancellationReasons");
        transaction.get("TransactItems").forEach(_ -> reasons.addObject()
                .put("Code", "TransactionConflict")
                .put("Message", "Transaction is ongoing for the item"));
        return error;
    }

    /** Forwards one {@code divisor}th of a batch to one table; nothing if that is less than one. */
    private HttpExecuteResponse partly(HttpExecuteRequest request, ObjectNode body, int divisor) throws IOException {
        var write = body.get("RequestItems").elements().next().isArray();
        var rest = body.deepCopy();
        var writes = items(body, write);
        var left = items(rest, write);
        var forwarded = divisor == Integer.MAX_VALUE ? 0 : Math.ceilDiv(writes.size(), divisor);
        while (writes.size() > forwarded) {
            writes.remove(writes.size() - 1);
        }
        for (var i = 0; i < forwarded; i++) {
            left.remove(0);
        }
        var answer = forwarded == 0 ? JSON.createObjectNode() : answer(request, body);
        if (forwarded == 0) {
            answer.putObject(write ? "ItemCollectionMetrics" : "Responses");
        }
        if (!left.isEmpty()) {
            answer.set(write ? "UnprocessedItems" : "UnprocessedKeys", rest.get("RequestItems"));
        }
        return response(200, answer);
    }

    private ObjectNode answer(HttpExecuteRequest request, ObjectNode body) throws IOException {
        var bytes = JSON.writeValueAsBytes(body);
        var smaller = HttpExecuteRequest.builder()
                .request(request.httpRequest().toBuilder()
                        .putHeader("Content-Length", Integer.toString(bytes.length))
                        .build())
                .contentStreamProvider(ContentStreamProvider.fromByteArray(bytes))
                .build();
        try (var stream = forward(smaller).responseBody().orElseThrow()) {
            return (ObjectNode) JSON.readTree(stream);
        }
    }

    private static ArrayNode items(ObjectNode batch, boolean write) {
        Iterator<JsonNode> tables = batch.get("RequestItems").elements();
        var table = tables.next();
        return (ArrayNode) (write ? table : table.get("Keys"));
    }

    private static HttpExecuteResponse error(int status, String code, ObjectNode body) throws IOException {
        body.put("__type", "com.amazonaws.dynamodb.v20120810#" + code);
        body.put("message", "injected " + code);
        return response(status, body);
    }

    private static HttpExecuteResponse response(int status, ObjectNode body) throws IOException {
        var bytes = JSON.writeValueAsBytes(body);
        SdkHttpResponse head = SdkHttpFullResponse.builder()
                .statusCode(status)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(bytes.length))
                .build();
        return HttpExecuteResponse.builder()
                .response(head)
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(bytes)))
                .build();
    }

    private static ObjectNode body(HttpExecuteRequest request) {
        try (var stream = request.contentStreamProvider().orElseThrow().newStream()) {
            return (ObjectNode) JSON.readTree(stream);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Nothing comes back from some request on. Guarded by the client. */
    private static final class Outage {
        private static final List<Fault> TOTAL = List.of(
                Fault.TABLE_THROTTLED,
                Fault.ACCOUNT_THROTTLED,
                Fault.SERVER_ERROR,
                Fault.NOT_CONNECTED,
                Fault.NO_CONNECTION_FREE,
                Fault.REQUEST_LOST);
        private static final List<Fault> OF_WHAT_WAS_UNDER_WAY =
                List.of(Fault.REPLY_LOST, Fault.SERVER_ERROR_AFTERWARDS, Fault.REQUEST_LOST, Fault.NOT_CONNECTED);

        private final SplittableRandom random;
        private int passing;
        private int underWay = 8;

        Outage(int passing, SplittableRandom random) {
            this.passing = passing;
            this.random = random;
        }

        Optional<Fault> next() {
            if (passing > 0) {
                passing--;
                return Optional.empty();
            }
            var faults = underWay > 0 ? OF_WHAT_WAS_UNDER_WAY : TOTAL;
            underWay--;
            return Optional.of(faults.get(random.nextInt(faults.size())));
        }

        boolean isTotal() {
            return passing == 0 && underWay <= 0;
        }
    }

    private record Rule(Fault fault, String operation, BooleanSupplier applies) {}

    /** A request: operation as DynamoDB's API names it, and JSON body. */
    public record Sent(String operation, JsonNode body) {}
}
