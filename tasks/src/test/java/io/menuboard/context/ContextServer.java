package io.menuboard.context;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.menuboard.querydb.requests.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The contexts of the class path, with their background work, on a free port and the clock of the machine. */
public final class ContextServer {
    /** Has {@link ContextFactory}. */
    public static final String ENVIRONMENT = "context";

    /** Has {@link ContextFactory}, and nothing that contexts add to {@link #ENVIRONMENT}. */
    public static final String BASE = "context-base";

    /** Setting that names the table. */
    public static final String TABLE = "menuboard.table-name";

    private static final AtomicInteger TABLES = new AtomicInteger();

    private ContextServer() {}

    /**
     * Starts one on an empty table of its own.
     *
     * @param environments beside {@link #ENVIRONMENT}
     */
    public static GraphQlServer start(Map<String, Object> properties, String... environments) {
        var table = "context-" + TABLES.incrementAndGet();
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        var all = new HashMap<>(properties);
        all.put(TABLE, table);
        var chosen = new ArrayList<>(List.of(environments));
        chosen.add(ENVIRONMENT);
        return started(GraphQlServer.start(all, chosen, LocalDynamoDb.shared().directClient()));
    }

    /** Starts one with the table and the queues of these servers. */
    public static GraphQlServer start(LocalAws aws) {
        var all = new HashMap<>(aws.properties());
        all.put("menuboard.queues.long-poll", "1s");
        return started(GraphQlServer.start(
                all, List.of(ENVIRONMENT), aws.dynamoDb().client(), aws.queues().client()));
    }

    /** The same with another client for the table, where nothing runs by itself. */
    public static GraphQlServer startIdle(LocalAws aws, DynamoDbClient client) {
        return GraphQlServer.start(
                aws.properties(), List.of(ENVIRONMENT), client, aws.queues().client());
    }

    private static GraphQlServer started(GraphQlServer server) {
        Workload.BACKGROUND.run(() -> server.beans(BackgroundService.class).forEach(BackgroundService::start));
        return server;
    }
}
