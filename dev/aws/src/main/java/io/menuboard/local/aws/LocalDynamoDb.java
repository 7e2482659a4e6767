package io.menuboard.local.aws;

import com.almworks.sqlite4java.SQLite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;

/**
 * DynamoDB Local in this process. Reachable from this machine only: its own server would bind every interface, so its
 * handler runs in a server of ours. That way telemetry is never switched on either. Every region and account sees the
 * same tables.
 */
public final class LocalDynamoDb implements AutoCloseable {

    /** The region of {@link #client()}. */
    public static final Region REGION = Region.EU_CENTRAL_1;

    private static final String ACCESS_KEY = "local";
    private static final String SECRET_KEY = "local";

    /** Any credentials do; these are the ones of {@link #client()}. */
    public static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, SECRET_KEY));

    /** Tells of each database that it opens; kept here, because a logger that nobody holds forgets its level. */
    private static final Logger SQLITE = Logger.getLogger("com.almworks.sqlite4java");

    static {
        SQLITE.setLevel(Level.WARNING);
    }

    private final DynamoDbRequests requests;
    private final Server server;
    private final URI endpoint;
    private final DynamoDbClient client;

    private LocalDynamoDb(int port, @Nullable Path folder) {
        findSqlite();
        requests = DynamoDbRequests.of(folder);
        server = new Server(new QueuedThreadPool(64, 4));
        var connector = new ServerConnector(server, 1, 1);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(DynamoDbHandler.of(requests));
        LifeCycle.start(server);
        endpoint = URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort());
        client = client(
                ApacheHttpClient.create(),
                ClientOverrideConfiguration.builder()
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        .build());
    }

    /** Starts one whose data is gone when it is closed, on a free port. */
    public static LocalDynamoDb inMemory() {
        return inMemory(0);
    }

    /** Starts one whose data is gone when it is closed; port 0 for a free one. */
    public static LocalDynamoDb inMemory(int port) {
        return new LocalDynamoDb(port, null);
    }

    /** Starts one on the data of that folder, which is created if need be; port 0 for a free one. */
    public static LocalDynamoDb inFolder(Path folder, int port) {
        return new LocalDynamoDb(port, folder);
    }

    /** The one that all tests of this process share; started at the first call, never stopped. */
    public static LocalDynamoDb shared() {
        return Shared.INSTANCE;
    }

    /** Endpoint for SDK clients, streams included. */
    public URI endpoint() {
        return endpoint;
    }

    /** Settings with which the application finds the tables at that address, with {@link #CREDENTIALS}. */
    public static Map<String, Object> properties(URI endpoint) {
        return Map.of(
                "aws.region",
                REGION.id(),
                "aws.access-key-id",
                ACCESS_KEY,
                "aws.secret-access-key",
                SECRET_KEY,
                endpointOf("dynamodb"),
                endpoint.toString());
    }

    /** Setting of the address of a service, by the name that the SDK has for it. */
    static String endpointOf(String service) {
        return "aws.services." + service + ".endpoint-override";
    }

    /** A client that sends every request once, closed with this. */
    public DynamoDbClient client() {
        return client;
    }

    /** A client of the caller's own. */
    public DynamoDbClient client(SdkHttpClient http, ClientOverrideConfiguration overrides) {
        return DynamoDbClient.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .credentialsProvider(CREDENTIALS)
                .httpClient(http)
                .overrideConfiguration(overrides)
                .build();
    }

    /**
     * The same tables without HTTP in between, for tests that make thousands of requests. It knows the requests that read
     * and write items, each for one page.
     */
    public DynamoDbClient directClient() {
        return new DirectDynamoDb(requests, ACCESS_KEY, REGION.id());
    }

    /**
     * Creates a table, unless one of that name exists. This server looks for the oldest record of a stream at every
     * request for its table, which takes longer with each write: ask for a stream only where somebody reads it.
     *
     * @param ttl attribute that holds the second at which an item expires; null for a table whose items stay
     */
    public void createTable(CreateTableRequest table, @Nullable String ttl) {
        try {
            client.createTable(table);
        } catch (ResourceInUseException _) {
            return;
        }
        if (ttl != null) {
            client.updateTimeToLive(request -> request.tableName(table.tableName())
                    .timeToLiveSpecification(expiry -> expiry.attributeName(ttl).enabled(true)));
        }
    }

    @Override
    public void close() {
        client.close();
        LifeCycle.stop(server);
        requests.shutdown();
    }

    /** Maven has put the native library into its repository, beside the jar that loads it. */
    private static void findSqlite() {
        if (System.getProperty("sqlite4java.library.path") != null) {
            return;
        }
        var jar = jar();
        var version = jar.getName(jar.getNameCount() - 2);
        var library =
                jar.resolve("../../..").resolve(artifact()).resolve(version).normalize();
        try (var files = Files.exists(library) ? Files.list(library) : Stream.<Path>empty()) {
            if (files.noneMatch(file -> file.getFileName().toString().matches(".*\\.(so|dylib|dll)"))) {
                throw new IllegalStateException("DynamoDB Local needs the native library in " + library);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        SQLite.setLibraryPath(library.toString());
    }

    private static String artifact() {
        var system = System.getProperty("os.name");
        return system.startsWith("Mac")
                ? "libsqlite4java-osx"
                : system.startsWith("Windows") ? "sqlite4java-win32-x64" : "libsqlite4java-linux-amd64";
    }

    private static Path jar() {
        try {
            return Path.of(SQLite.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Shared {
        static final LocalDynamoDb INSTANCE = inMemory();
    }
}
