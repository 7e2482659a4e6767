package io.menuboard.app;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** The application on a free port, with an empty table and the clock of the machine, as DynamoDB Local has it. */
public final class ApplicationServer {
    /** Has {@link ApplicationServerFactory}. */
    static final String ENVIRONMENT = "application";

    /** What is late on a busy machine is no fault; tests of deadlines have their own. */
    private static final Map<String, Object> PATIENCE = Map.of(
            "menuboard.dynamodb.acquisition-timeout", "30s",
            "menuboard.dynamodb.response-timeout", "30s",
            "menuboard.graphql.deadline", "60s",
            "menuboard.admin.deadline", "60s");

    private static final AtomicInteger TABLES = new AtomicInteger();

    private ApplicationServer() {}

    /**
     * The one for tests that change nothing, which also serves under the name {@code prices.example.com}. Started at the
     * first call, never stopped.
     */
    static GraphQlServer shared() {
        return Shared.INSTANCE;
    }

    /**
     * Starts one on a table of its own.
     *
     * @param properties beside the port and the table
     */
    static GraphQlServer start(Map<String, Object> properties) {
        return startOn(newTable(), properties, Map.of());
    }

    /** The same with variables of the environment, as of a process that has them. */
    static GraphQlServer startWith(Map<String, Object> variables) {
        return startOn(newTable(), Map.of(), variables);
    }

    private static String newTable() {
        var table = "application-" + TABLES.incrementAndGet();
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(table));
        return table;
    }

    /** Starts one on the table of another one. */
    static GraphQlServer startOn(GraphQlServer other, Map<String, Object> properties) {
        return startOn(other.bean(MenuboardConfig.class).tableName(), properties, Map.of());
    }

    private static GraphQlServer startOn(String table, Map<String, Object> properties, Map<String, Object> variables) {
        var all = new HashMap<>(PATIENCE);
        all.putAll(properties);
        all.put("menuboard.table-name", table);
        return GraphQlServer.start(all, variables, List.of(ENVIRONMENT));
    }

    /** Starts one with everything that it has on AWS. */
    public static GraphQlServer start(LocalAws aws) {
        var all = new HashMap<>(PATIENCE);
        all.putAll(aws.properties());
        all.put("menuboard.queues.long-poll", "1s");
        return GraphQlServer.start(all, List.of());
    }

    private static final class Shared {
        static final GraphQlServer INSTANCE =
                start(Map.of("menuboard.hosts", "localhost,127.0.0.1,prices.example.com"));
    }
}
