package io.menuboard.local;

import io.menuboard.access.Access;
import io.menuboard.billing.transactions.CommissionRules;
import io.menuboard.favorites.Rankings;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetApprovals;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFileStatus;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Menuboard and what stands in for AWS in one process, reachable from this machine only: what {@code mvn -Prun} starts.
 * The application is the one of production; only endpoints, credentials and names are different.
 */
final class LocalMenuboard implements AutoCloseable {
    private static final String TABLE = "menuboard";
    private static final long SEED = 20_000_401;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    /** So many stores make one import: few enough to be seen soon, and to find duplicates in little memory. */
    private static final int STORES_AT_ONCE = 100;

    /** Prefix of the ids of stores that have the change sets that are not for all. */
    private static final String SOME_STORES = "DE-";

    /** GraphiQL, and the WebJars that it is made of; the production jar has neither. */
    private static final Map<String, Object> GRAPHIQL = Map.of(
            "micronaut.router.static-resources.graphiql.paths", "classpath:graphiql",
            "micronaut.router.static-resources.graphiql.mapping", "/graphiql/**",
            "micronaut.router.static-resources.webjars.paths", "classpath:META-INF/resources/webjars",
            "micronaut.router.static-resources.webjars.mapping", "/webjars/**");

    /** The same at each start, as the data may be kept; receivers are on this machine. */
    private static final Map<String, Object> WEBHOOKS = Map.of(
            "menuboard.webhooks.key",
            Base64.getEncoder().encodeToString("a key for demonstrations only!!!".getBytes(StandardCharsets.US_ASCII)),
            "menuboard.webhooks.allow-private",
            true);

    /** PKCS#8 of a key of Ed25519 begins with this (RFC 8410, section 7), and ends with its 32 bytes. */
    private static final byte[] PKCS8 = HexFormat.of().parseHex("302e020100300506032b657004220420");

    private static final Map<String, Object> PRICE_PACKS = Map.of(
            "menuboard.pricing.packs.signing-key",
            Base64.getEncoder()
                    .encodeToString(ByteBuffer.allocate(PKCS8.length + 32)
                            .put(PKCS8)
                            .put("a key for demonstrations only!!!".getBytes(StandardCharsets.US_ASCII))
                            .array()));

    private static final Access ACCESS = Access.ofCommandLine("sample data");

    private final LocalAws aws;
    private final ApplicationContext context;
    private final Clock clock;
    private final EmbeddedServer server;
    private final Settings settings;
    private final Instant started;

    /** Loader of the sample; null where there is something in the table already. */
    private final @Nullable Past past;

    private final PrintStream out;

    private final DemoAccounts accounts;

    /** For clients. */
    private final String token;

    private LocalMenuboard(
            LocalAws aws,
            ApplicationContext context,
            Settings settings,
            Instant started,
            @Nullable Past past,
            PrintStream out) {
        this.aws = aws;
        this.context = context;
        this.clock = context.getBean(Clock.class);
        this.server = context.getBean(EmbeddedServer.class);
        this.settings = settings;
        this.started = started;
        this.past = past;
        this.out = out;
        accounts = new DemoAccounts(context);
        accounts.create();
        token = accounts.token(started);
    }

    /**
     * Parts to start.
     *
     * @param port of the application; 0 for a free one
     * @param data folder that keeps the table and the files; null to forget them when this stops
     */
    record Settings(int port, @Nullable Path data, int stores, int products) {

        /** @throws IllegalArgumentException with a sentence for people */
        static Settings of(String port, String data, String stores, String products) {
            return new Settings(
                    number("port", port, 65_535),
                    data.isEmpty() ? null : Path.of(data),
                    number("stores", stores, SampleData.MAX_STORES),
                    number("products", products, SampleMenu.MAX_PRODUCTS));
        }

        private static int number(String name, String text, int max) {
            var number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
            if (number < 1 || number > max) {
                throw new IllegalArgumentException(
                        "-D" + name + " must be between 1 and " + max + ", not " + text + ".");
            }
            return number;
        }
    }

    /** Takes its {@link Settings} from the system properties of their names, which Maven sets. */
    public static void main(String[] args) throws InterruptedException {
        System.setProperty("menuboard.log.format", "plain");
        try {
            var settings = Settings.of(
                    System.getProperty("port", "8080"),
                    System.getProperty("data", ""),
                    System.getProperty("stores", "30"),
                    System.getProperty("products", "200"));
            var local = start(settings, System.out);
            Runtime.getRuntime().addShutdownHook(new Thread(local::close, "stop"));
            local.loadSample();
            Thread.currentThread().join();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Starts everything.
     *
     * @throws IllegalArgumentException with a sentence for people, where the port is taken
     */
    static LocalMenuboard start(Settings settings, PrintStream out) {
        return start(settings, Map.of(), out);
    }

    /** The same with further settings of the application. */
    static LocalMenuboard start(Settings settings, Map<String, Object> further, PrintStream out) {
        requireFree(settings.port());
        var aws = LocalAws.startWithoutStream(settings.data(), TABLE);
        var properties = new HashMap<>(aws.properties());
        properties.put("micronaut.server.host", "127.0.0.1");
        properties.put("micronaut.server.port", settings.port() == 0 ? -1 : settings.port());
        properties.put("menuboard.cursor-secret", UUID.randomUUID().toString());
        properties.putAll(DemoAccounts.SETTINGS);
        properties.putAll(GRAPHIQL);
        properties.putAll(WEBHOOKS);
        properties.putAll(PRICE_PACKS);
        properties.put("menuboard.graphql.introspection", true);
        properties.putAll(further);
        var context = ApplicationContext.builder().properties(properties).start();
        var now = context.getBean(Clock.class).instant();
        Past past = null;
        if (isEmpty(context)) {
            past = Past.open(properties, now);
            SampleBilling.begin(past, now);
        } else {
            aws.openStream();
        }
        context.getBean(EmbeddedServer.class).start();
        return new LocalMenuboard(aws, context, settings, now, past, out);
    }

    private static boolean isEmpty(ApplicationContext context) {
        return context.getBean(Stores.class)
                .list(ACCESS, null, PageRequest.forward(1, null))
                .edges()
                .isEmpty();
    }

    URI address() {
        return server.getURI();
    }

    /** Lets a client do everything. */
    String token() {
        return token;
    }

    /**
     * Loads the sample into a table that was empty: stores with their prices first, a part at a time, then the rest. Prints
     * where everything is as soon as there is something to see.
     */
    void loadSample() throws InterruptedException {
        var mark = new LoadingMark(settings.data());
        if (past == null) {
            out.println(
                    mark.isThere()
                            ? "The sample in " + settings.data()
                                    + " was not loaded to its end: delete that folder and start again."
                            : "The table has stores already, so no sample is loaded.");
            printAddress();
            return;
        }
        mark.set();
        try (past) {
            var isLoaded = loadPrices();
            // Without the stream nobody was told of the prices, which takes longer than to load them. The reconciler
            // schedules what is to come of them.
            aws.openStream();
            if (isLoaded) {
                loadTheRest(past);
                mark.remove();
            }
        }
    }

    /** False where a part was not imported to its end. */
    private boolean loadPrices() throws InterruptedException {
        var begin = clock.instant();
        var sample = new SampleData(
                settings.stores(), settings.products(), SEED, LocalDate.ofInstant(begin, ZoneOffset.UTC));
        var person = accounts.administrator();
        var rows = 0L;
        for (var from = 0; from < settings.stores(); from += STORES_AT_ONCE) {
            var to = Math.min(settings.stores(), from + STORES_AT_ONCE);
            var files = sample.files(from, to);
            var begun = context.getBean(Imports.class).begin(person, files);
            var ended = context.getBean(ImportTasks.class)
                    .run(person, begun, files, ImportAbout.FILE, new Progress(to, settings.stores()));
            if (ended.state() != ImportState.FINISHED || ended.rejected() > 0) {
                out.println("The sample was not loaded to its end: see " + address() + "/imports/" + ended.id());
                return false;
            }
            var draft = ended.changeSet();
            if (draft != null) {
                SampleChanges.applyImported(
                        person, context.getBean(ChangeSets.class), context.getBean(ChangeSetApprovals.class), draft);
            }
            rows += ended.rows();
            if (from == 0) {
                printAddress();
            }
        }
        var took = Duration.between(begin, clock.instant());
        out.printf(
                Locale.ROOT,
                "Sample loaded: %,d stores, %,d rows in %.1f s (%,d rows/s).%n",
                settings.stores(),
                rows,
                took.toMillis() / 1000.0,
                1000 * rows / Math.max(1, took.toMillis()));
        return true;
    }

    private void loadTheRest(Past past) {
        out.printf(Locale.ROOT, "Sample loaded: %d tasks.%n", SampleTasks.load(context));
        var some =
                context.getBean(Stores.class).list(ACCESS, SOME_STORES, PageRequest.forward(20, null)).nodes().stream()
                        .filter(store -> store.id().value().startsWith(SOME_STORES))
                        .limit(5)
                        .toList();
        out.printf(
                Locale.ROOT,
                "Sample loaded: %d change sets.%n",
                SampleChanges.load(
                        accounts.administrator(),
                        context.getBean(ChangeSetDrafts.class),
                        context.getBean(ChangeSets.class),
                        context.getBean(ChangeSetApprovals.class),
                        some,
                        settings.products(),
                        clock.instant()));
        out.printf(
                Locale.ROOT,
                "Sample loaded: %,d billable transactions.%n",
                SampleBilling.load(
                        past, context.getBean(CommissionRules.class), settings.stores(), settings.products(), started));
        out.printf(
                Locale.ROOT,
                "Sample loaded: %,d favorites.%n",
                SampleFavorites.load(past, context.getBean(Rankings.class), clock, settings.stores()));
    }

    @Override
    public void close() {
        if (past != null) {
            past.close();
        }
        context.close();
        aws.close();
    }

    private static void requireFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assert socket.isBound();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "Port " + port + " is taken; choose another one with -Dport=" + (port + 1) + ".", e);
        }
    }

    void printAddress() {
        var pages = address();
        var data = settings.data();
        out.println();
        out.println("Menuboard is running.");
        out.println("  Pages     " + pages);
        out.println("  GraphQL   " + pages + "/graphql");
        out.println("  GraphiQL  " + pages + "/graphiql");
        out.println("  Sign in   as " + DemoAccounts.ADMINISTRATOR + " (may do everything) or " + DemoAccounts.VIEWER
                + " (may only look), with the password: " + DemoAccounts.PASSWORD);
        out.println("  DynamoDB  " + aws.dynamoDb().endpoint() + " (table " + TABLE + ", "
                + (data == null ? "in memory: its data is gone when this stops" : "kept in " + data.toAbsolutePath())
                + ")");
        out.println();
        out.println("Clients send a token; the README's examples find it with");
        out.println("  export MENUBOARD_TOKEN=" + token);
        out.println();
        out.println("The command line of the jar works on this table with");
        aws.environment().forEach((name, value) -> out.println("  export " + name + "=" + value));
        out.println();
        out.println("Ctrl-C stops everything.");
        out.println();
    }

    /** A line every few seconds for who waits for a big sample. */
    private final class Progress implements ImportListener {
        private final int to;
        private final int all;
        private int reports;

        Progress(int to, int all) {
            this.to = to;
            this.all = all;
        }

        @Override
        public void progress(ImportStatus status) {
            reports++;
            if (reports % BETWEEN_LINES.toSeconds() == 0) {
                out.printf(
                        Locale.ROOT,
                        "Loading the sample: stores up to %,d of %,d, %,d rows of this part (%,d rows/s)%n",
                        to,
                        all,
                        status.files().stream().mapToInt(ImportFileStatus::rows).sum(),
                        status.rowsPerSecond());
            }
        }

        @Override
        public void rejected(ImportRejection rejection) {
            out.println("Rejected: " + rejection);
        }
    }
}
