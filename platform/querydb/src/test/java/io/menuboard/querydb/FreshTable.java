package io.menuboard.querydb;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.requests.Bulkhead;
import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.RetryPolicy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Gives every test an empty table of its own in {@link LocalDynamoDb#shared()}, and a meter that remembers:
 * {@code @RegisterExtension final FreshTable table = new FreshTable();} Its client calls the server without HTTP in between,
 * which takes half the time, but {@link #withFaults}, where it sends requests that can be made to fail.
 */
public final class FreshTable implements BeforeEachCallback, AfterEachCallback {

    /** Signs the cursors of {@link #queryDb}. */
    public static final SecretKey CURSOR_KEY = new SecretKeySpec(new byte[32], "HmacSHA256");

    /** As many attempts as in production, but no time lost between them. */
    public static final RetryPolicy RETRIES = new RetryPolicy(8, Duration.ZERO, Duration.ZERO);

    private static final SdkHttpClient HTTP = ApacheHttpClient.create();
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final Function<String, TableDefinition> definitions;
    private final boolean hasStream;
    private final @Nullable FaultInjectingHttpClient faults;
    private final RecordingMeter meter = new RecordingMeter();
    private @Nullable LocalDynamoDb server;
    private @Nullable TableDefinition definition;
    private @Nullable DynamoDbClient client;

    /** Of the table that production has, without its stream. */
    public FreshTable() {
        this(TableDefinition::menuboard);
    }

    /** Of another table, defined from its name, without its stream. */
    public FreshTable(Function<String, TableDefinition> definitions) {
        this(definitions, false, null);
    }

    private FreshTable(
            Function<String, TableDefinition> definitions,
            boolean hasStream,
            @Nullable FaultInjectingHttpClient faults) {
        this.definitions = definitions;
        this.hasStream = hasStream;
        this.faults = faults;
    }

    /** Of the table that production has, with {@link #changes}. */
    public static FreshTable withStream() {
        return new FreshTable(TableDefinition::menuboard, true, null);
    }

    /** Of the table that production has, without its stream, with {@link #faults}. */
    public static FreshTable withFaults() {
        return new FreshTable(TableDefinition::menuboard, false, new FaultInjectingHttpClient(HTTP));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        server = LocalDynamoDb.shared();
        definition = definitions.apply("test-" + TABLES.incrementAndGet());
        client = faults == null
                ? server.directClient()
                : server.client(faults, QueryDb.clientOverrides().build());
        if (hasStream) {
            LocalTables.createWithStream(server, definition);
        } else {
            LocalTables.create(server, definition);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        present(server)
                .client()
                .deleteTable(request -> request.tableName(definition().name()));
        client().close();
    }

    public TableDefinition definition() {
        return present(definition);
    }

    /** Sends through {@link #faults()}, where there are any. */
    public DynamoDbClient client() {
        return present(client);
    }

    /** Of the requests of {@link #client()}; only {@link #withFaults}. */
    public FaultInjectingHttpClient faults() {
        if (faults == null) {
            throw new IllegalStateException("faults are injected into a table withFaults() only");
        }
        return faults;
    }

    /** Of every {@link #queryDb}. */
    public RecordingMeter meter() {
        return meter;
    }

    /** On this table, through {@link #client()}. */
    public QueryDb queryDb(Clock clock) {
        return queryDb(client(), clock);
    }

    /** On this table, past {@link #faults()}. */
    public QueryDb directQueryDb(Clock clock) {
        return queryDb(present(server).directClient(), clock);
    }

    /** On this table, through another client. */
    public QueryDb queryDb(DynamoDbClient through, Clock clock) {
        return new QueryDb(definition(), clock, new Requests(new Bulkhead(through, RETRIES, 8), meter), CURSOR_KEY);
    }

    /** Every item, past client and faults. */
    public Set<Item> contents() {
        return present(server)
                .client()
                .scanPaginator(scan -> scan.tableName(definition().name()).consistentRead(true))
                .items()
                .stream()
                .map(Item::new)
                .collect(Collectors.toSet());
    }

    /** What the stream of a table {@link #withStream} has told so far, as instances are told it. */
    public List<ChangeRecord> changes() {
        return RecordedStream.of(present(server), definition().name());
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("there is a table during a test only");
        }
        return value;
    }
}
