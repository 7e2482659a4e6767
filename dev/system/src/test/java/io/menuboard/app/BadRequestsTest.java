package io.menuboard.app;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.bad.BadRequests;
import io.menuboard.graphql.bad.Connection;
import io.menuboard.graphql.bad.Fault;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.imports.ImportTasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Generated requests that are wrong in some way. Benchmarks have a program that sends a million; this sends some, one after
 * the other, and reads the whole table after every few that were refused.
 */
final class BadRequestsTest {
    private static final int REQUESTS = "full".equals(System.getProperty("soak")) ? 600 : 250;
    private static final int REFUSED_AT_ONCE = 10;
    private static final long SEED = 7;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Until when and up to when leaderboards are kept up to date: written by queries that read them. */
    private static final Set<AttributeValue> OF_RANKINGS =
            Set.of(AttributeValue.fromS("FAVWATCH"), AttributeValue.fromS("FAVSWEEP"));

    @Test
    void areAnsweredAsMistakesOfTheClientAndChangeNothing() throws IOException {
        try (var server = ApplicationServer.start(Map.of());
                var connection = new Connection("127.0.0.1", server.graphQl().getPort())) {
            // What was accepted is carried out later, and would be taken for something half done.
            server.bean(BackgroundWork.class).close();
            load(server);
            var requests = new BadRequests(BadRequests.crawl(connection), Set.of("waitSeconds"));
            assertThat(requests.forms()).as("forms found").isGreaterThanOrEqualTo(8);

            var table = server.bean(MenuboardConfig.class).tableName();
            var before = items(table);
            var refused = new ArrayList<String>();
            var checked = 0;
            for (var number = 0; number < REQUESTS; number++) {
                var request = requests.request(SEED, number);
                var answer = connection.send(request);
                var told = "request %s: %s%n=> %s".formatted(number, request.text(), answer.text());
                assertThat(answer.status()).as(told).isPositive();
                assertThat(Fault.of(answer)).as(told).isEmpty();
                if (!request.changes()) {
                    continue;
                }
                if (!isRefused(answer)) {
                    // What was refused just before is not checked: this one may have changed something.
                    refused.clear();
                    before = items(table);
                    continue;
                }
                refused.add(told);
                if (refused.size() == REFUSED_AT_ONCE) {
                    assertThat(differences(before, items(table)))
                            .as(String.join("\n", refused))
                            .isEmpty();
                    checked += refused.size();
                    refused.clear();
                }
            }
            assertThat(checked).as("refused changes, checked").isGreaterThan(REQUESTS / 10);
        }
    }

    private static void load(GraphQlServer server) {
        var store = new Store(
                new StoreId("IS-0001"),
                "Reykjavik",
                Address.UNKNOWN,
                Store.timeZoneOf("UTC"),
                Money.currencyOf("ISK"),
                StoreStatus.OPEN);
        server.bean(Stores.class).save(EVERYTHING, List.of(store));
        server.data("mutation { createChangeSet(input: {name: \"Spring\", reason: \"costs\","
                + " rules: [{stores: [\"IS-0001\"], products: [\"SOUP\"], setTo: \"5\"}]}) { errors { code } } }");
        server.data("mutation { submitTask(input: {type: \"labels.print\"}) { errors { code } } }");
    }

    /** All changes that a request asks for, and none where it could not be read. */
    private static boolean isRefused(Connection.Answer answer) throws IOException {
        if (answer.status() >= 400) {
            return true;
        }
        if (!answer.text().startsWith("{")) {
            return false;
        }
        var data = JSON.readTree(answer.text()).path("data");
        return data.valueStream().allMatch(BadRequestsTest::isRefused);
    }

    private static boolean isRefused(JsonNode payload) {
        return payload.isNull() || !payload.path("errors").isEmpty();
    }

    /** The import itself, its task and its entry in the audit log: kept where a file is refused, so that people learn why. */
    private static boolean isOfImport(Map<String, AttributeValue> item) {
        return Stream.of("pk", "subject", "sk", "taskType")
                .map(item::get)
                .filter(Objects::nonNull)
                .map(AttributeValue::s)
                .anyMatch(value -> value.startsWith("IMPORT#")
                        || value.startsWith("IDEM#imports#")
                        || value.equals(ImportTasks.TYPE.value()));
    }

    private static Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items(String table) {
        var items = new HashMap<Map<String, AttributeValue>, Map<String, AttributeValue>>();
        LocalDynamoDb.shared()
                .client()
                .scanPaginator(scan -> scan.tableName(table).consistentRead(true))
                .items()
                .stream()
                .filter(item -> !OF_RANKINGS.contains(item.get("pk")) && !isOfImport(item) && !isOfDownload(item))
                .forEach(item -> items.put(Map.of("pk", item.get("pk"), "sk", item.get("sk")), item));
        return items;
    }

    /** What asks for a file changes nothing, and is recorded. */
    private static boolean isOfDownload(Map<String, AttributeValue> item) {
        return item.containsKey("subject") && item.get("subject").s().startsWith("DOWNLOAD#");
    }

    private static Set<String> differences(
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> before,
            Map<Map<String, AttributeValue>, Map<String, AttributeValue>> after) {
        var differences = new TreeSet<String>();
        after.forEach((key, item) -> {
            if (!item.equals(before.get(key))) {
                differences.add(item.toString());
            }
        });
        before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(key -> differences.add("gone: " + key));
        return differences;
    }
}
