package io.menuboard.bench;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** DynamoDB Local in a process of its own, with one store of 500 products, one version each. */
final class BenchTable {
    static final String TABLE = "menuboard";
    static final String STORE = "BENCH-0001";

    private BenchTable() {}

    /**
     * Starts one, and waits until it is filled.
     *
     * @param folder for its log
     */
    static Server start(Path folder, int port) throws IOException, InterruptedException {
        var ready = folder.resolve("table.ready");
        var log = folder.resolve("table.log");
        var table = Server.start(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BenchTable.class.getName(),
                        Integer.toString(port),
                        ready.toString()),
                environment(port),
                log);
        while (!Files.exists(ready)) {
            if (!table.process().isAlive()) {
                throw new IllegalStateException(Files.readString(log));
            }
            Thread.sleep(50);
        }
        return table;
    }

    /** Token of a client that may read prices, in clear. */
    static String token(Path folder) throws IOException {
        return Files.readString(folder.resolve("table.token"));
    }

    static URI endpoint(int port) {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** With which another process finds it. */
    static Map<String, String> environment(int port) {
        return Map.of(
                "AWS_ENDPOINT_URL_DYNAMODB", endpoint(port).toString(),
                "AWS_REGION", "eu-central-1",
                "AWS_ACCESS_KEY_ID", "local",
                "AWS_SECRET_ACCESS_KEY", "local");
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Serves until the process is ended.
     *
     * @param args the port, and a file to create once the table is filled
     */
    public static void main(String[] args) throws IOException {
        // The server's threads would keep a process alive that has failed.
        Thread.setDefaultUncaughtExceptionHandler((_, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        var dynamoDb = LocalDynamoDb.inMemory(Integer.parseInt(args[0]));
        LocalTables.create(dynamoDb, TableDefinition.menuboard(TABLE));
        try (var context = ApplicationContext.run()) {
            var store = new Store(
                    new StoreId(STORE),
                    "Benchmark Street",
                    new Address("Benchmark Street 1", "Berlin", "Berlin", "10178", "DE"),
                    Store.timeZoneOf("Europe/Berlin"),
                    Money.currencyOf("EUR"),
                    StoreStatus.OPEN);
            context.getBean(Stores.class).save(EVERYTHING, List.of(store));
            SamplePrices.save(
                    context.getBean(Imports.class),
                    context.getBean(ChangeSets.class),
                    IntStream.range(0, 500).mapToObj(i -> price(store, i)).toList());
            Files.writeString(
                    Path.of(args[1]).resolveSibling("table.token"),
                    context.getBean(Tokens.class)
                            .create(
                                    Access.ofCommandLine("bench"),
                                    "bench",
                                    Set.of(Grant.of(Role.VIEWER)),
                                    Instant.now().plus(Duration.ofDays(1)))
                            .text());
        }
        Files.createFile(Path.of(args[1]));
    }

    private static BasePrice price(Store store, int i) {
        return new BasePrice(
                store,
                Channel.ALL,
                new ProductId("PRODUCT-%03d".formatted(i)),
                EffectiveDate.parse("2026-01-01"),
                new Money(BigDecimal.valueOf(199 + i, 2), store.currency()));
    }
}
