package io.menuboard.app;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.menuboard.graphql.GraphQlServer;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalAws;
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
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The programs in {@code examples} compile against the schema and do what their tests say, and the tools that clients are made with
 * take the schema, asking the application itself. Needs Node and what {@code npm ci} installs in each folder; where that is missing it
 * is skipped, or fails if the system property {@code menuboard.examples.required} is true, which continuous integration sets.
 */
class ExamplesTest {
    private static final Path EXAMPLES = ProjectFiles.ROOT.resolve("examples");
    private static final Path COMPATIBILITY = EXAMPLES.resolve("compatibility");

    @Test
    void compileAndPassTheirTests() throws IOException, InterruptedException {
        requireInstalled(EXAMPLES);
        try (var server = ApplicationServer.start(Map.of("menuboard.tasks.backoff", "100ms"))) {
            save(server);

            npm(server, EXAMPLES, "run", "build");
            npm(server, EXAMPLES, "test");
        }
    }

    @Test
    void theToolsOfClientsTakeTheSchema() throws IOException, InterruptedException {
        requireInstalled(COMPATIBILITY);
        // Reports are fields of the schema, too, and need a bucket.
        try (var aws = LocalAws.start(null, "compatibility");
                var server = ApplicationServer.start(aws)) {
            save(server);

            npm(server, COMPATIBILITY, "test");
        }
    }

    private static void requireInstalled(Path folder) {
        if (!Boolean.getBoolean("menuboard.examples.required")) {
            assumeThat(folder.resolve("node_modules"))
                    .as("npm ci in %s", folder)
                    .exists();
        }
    }

    private static void npm(GraphQlServer server, Path folder, String... arguments)
            throws IOException, InterruptedException {
        var output = Files.createTempFile("npm", ".txt");
        try {
            var command = new ProcessBuilder("npm");
            command.command().addAll(List.of(arguments));
            command.environment().put("MENUBOARD", server.graphQl().toString());
            var process = command.directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(process.waitFor())
                    .as(() -> "npm %s:%n%s".formatted(String.join(" ", arguments), read(output)))
                    .isZero();
        } finally {
            Files.delete(output);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void save(GraphQlServer server) {
        var euro = Money.currencyOf("EUR");
        var store = new Store(
                new StoreId("DE-0001"), "Berlin", Address.UNKNOWN, ZoneId.of("Europe/Berlin"), euro, StoreStatus.OPEN);
        server.bean(Stores.class).save(EVERYTHING, List.of(store));
        SamplePrices.save(
                server.bean(Imports.class),
                server.bean(ChangeSets.class),
                List.of(
                        price(store, "ALL", "HAMBURGER", "4.99"),
                        price(store, "KIOSK", "HAMBURGER", "5.49"),
                        price(store, "ALL", "COLA", "1.99")));
    }

    private static BasePrice price(Store store, String channel, String product, String amount) {
        return new BasePrice(
                store,
                new Channel(channel),
                new ProductId(product),
                EffectiveDate.parse("2020-01-01"),
                new Money(new BigDecimal(amount), store.currency()));
    }
}
