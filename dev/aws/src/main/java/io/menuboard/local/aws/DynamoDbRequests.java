package io.menuboard.local.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.shared.access.AmazonDynamoDBLocal;
import software.amazon.dynamodb.services.local.shared.access.LocalDBClient;
import software.amazon.dynamodb.services.local.shared.access.sqlite.SQLiteDBAccess;
import software.amazon.dynamodb.services.local.shared.jobs.JobsRegister;

/**
 * What answers the requests of one DynamoDB Local, over {@link RememberedTables} and {@link RememberedSchemas}. The library makes its own access to the tables
 * at the first request, and takes none that is given, but keeps what it made in a map, where this puts another before.
 */
final class DynamoDbRequests extends LocalDynamoDBRequestHandler {
    /** What the library calls the one database of all accounts and regions, of which the name of its file is made too. */
    private static final String SHARED = "shared-local-instance";

    static {
        RememberedSchemas.remember();
    }

    private DynamoDbRequests(@Nullable String folder) throws DynamoDBLocalServiceException {
        super(0, folder == null, folder, true, false);
    }

    /** @param folder for the data, which is created if need be; null to keep it in memory */
    static DynamoDbRequests of(@Nullable Path folder) {
        try {
            var requests = new DynamoDbRequests(
                    folder == null ? null : Files.createDirectories(folder).toString());
            var tables = folder == null
                    ? new SQLiteDBAccess()
                    : new SQLiteDBAccess(
                            folder.resolve(SHARED + DB_FILE_EXTENSION).toString());
            databases(requests)
                    .put(
                            SHARED,
                            new LocalDBClient(
                                    RememberedTables.of(tables),
                                    new JobsRegister(Executors.newFixedThreadPool(10), false)));
            return requests;
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for data at " + folder, e);
        } catch (DynamoDBLocalServiceException e) {
            throw new IllegalStateException("DynamoDB Local did not start", e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, AmazonDynamoDBLocal> databases(DynamoDbRequests requests) {
        try {
            var field = LocalDynamoDBRequestHandler.class.getDeclaredField("dbRequestHandlers");
            field.setAccessible(true);
            return (Map<String, AmazonDynamoDBLocal>) field.get(requests);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another version of DynamoDB Local keeps its databases elsewhere", e);
        }
    }
}
