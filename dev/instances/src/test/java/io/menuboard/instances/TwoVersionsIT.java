package io.menuboard.instances;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static java.util.Comparator.naturalOrder;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.local.aws.LocalBus;
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
import io.micronaut.context.ApplicationContext;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * This version of Menuboard and the one before it, side by side on one table, as during an upgrade: whoever asks meets now
 * the one and now the other, and what one begins the other may end. It takes five minutes at least, and lasts until a
 * quarter hour of billing has ended on the way. {@code -Dmenuboard.previous.jar} names the jar of the version before.
 */
@EnabledIfSystemProperty(named = "menuboard.previous.jar", matches = ".+")
class TwoVersionsIT {
    private static final Duration AT_LEAST = Duration.ofMinutes(5);
    private static final Duration AFTER_THE_QUARTER = Duration.ofMinutes(1);
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final List<String> STORES =
            IntStream.range(0, 12).mapToObj("DE-%04d"::formatted).toList();
    private static final List<String> PRODUCTS =
            IntStream.range(0, 12).mapToObj("P%03d"::formatted).toList();
    private static final List<String> TYPES = List.of("labels.print", "menus.push");
    private static final List<String> AGENCIES = List.of("acme", "globex", "initech");
    private static final List<String> WINDOWS = List.of("ALL_TIME", "LAST_24_HOURS", "LAST_30_DAYS");
    private static final List<String> RESTAURANTS =
            IntStream.range(0, 12).mapToObj("restaurant-%d"::formatted).toList();

    private final Clock clock = Clock.systemUTC();
    private final Map<String, Integer> did = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private final Set<String> submitted = ConcurrentHashMap.newKeySet();
    private final Set<String> completed = ConcurrentHashMap.newKeySet();
    private final Map<String, String> inFlight = new ConcurrentHashMap<>();
    private final Map<String, String> prices = new ConcurrentHashMap<>();
    private final Set<String> changeSets = ConcurrentHashMap.newKeySet();
    private final Map<String, String> recorded = new ConcurrentHashMap<>();
    private final Set<Mark> marks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger numbers = new AtomicInteger();

    private record Mark(String user, String restaurant) {}

    /** Something that somebody does again and again. */
    private interface Work {
        void once() throws Exception;
    }

    @Test
    @Timeout(1800)
    void doTheWorkOfAllContextsOnOneTable() throws Exception {
        var settings = Map.of(
                "MENUBOARD_TASKS_ACCEPT_FENCING_TOKENS", "true",
                "MENUBOARD_CURSOR_SECRET", "the same on both, at least 32 characters",
                "MENUBOARD_BILLING_LAG", "5s",
                "MENUBOARD_BILLING_INTERVAL", "15m",
                "MENUBOARD_BILLING_CHECK_EVERY", "2s",
                // The version before changes prices without another revision.
                "MENUBOARD_PRICING_SNAPSHOTS_ENABLED", "false",
                // Two instances, their table and their clients share what processors there are: this is no test of
                // deadlines.
                "MENUBOARD_GRAPHQL_DEADLINE", "60s",
                "MENUBOARD_ADMIN_DEADLINE", "60s");
        try (var aws = LocalAws.start(null, "two-versions")) {
            save(aws);
            try (var previous = JarInstance.start(jar("menuboard.previous.jar"), aws, settings);
                    var current = JarInstance.start(jar("menuboard.jar"), aws, settings)) {
                var instances = List.of(previous, current);
                instances.forEach(JarInstance::address);

                var begin = clock.instant();
                work(instances, ending(begin));

                System.out.printf(
                        "%d s side by side: %s%n",
                        begin.until(clock.instant(), ChronoUnit.SECONDS), new TreeMap<>(did));
                assertThat(failures).isEmpty();
                for (var instance : instances) {
                    everyTaskWasCompletedOnce(instance);
                    everyPriceIsTheLastThatWasSet(instance);
                    everyTransactionOfAClosedQuarterIsInOneReport(instance);
                    everyMarkIsCounted(instance);
                }
                assertThat(announced(aws)).containsAll(changeSets);
                assertThat(List.of(aws.changes(), aws.due(), aws.favorites()))
                        .allSatisfy(queue -> assertThat(aws.queues().isEmpty(queue.deadUrl()))
                                .isTrue());
                assertThat(current.complaints()).isEmpty();
                assertThat(previous.complaints()).noneMatch(line -> line.contains("\"level\":\"ERROR\""));
            }
        }
    }

    private static Path jar(String property) {
        return Path.of(Objects.requireNonNull(System.getProperty(property), property));
    }

    private static Instant ending(Instant begin) {
        var quarter = begin.minusSeconds(begin.getEpochSecond() % QUARTER.toSeconds())
                .plus(QUARTER)
                .plus(AFTER_THE_QUARTER);
        var least = begin.plus(AT_LEAST);
        return quarter.isAfter(least) ? quarter : least;
    }

    private void work(List<JarInstance> instances, Instant ending) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List.<Work>of(
                            () -> submit(instances),
                            () -> perform(instances, "worker-1"),
                            () -> perform(instances, "worker-2"),
                            () -> perform(instances, "worker-3"),
                            () -> cancelInBulk(instances),
                            () -> changeAtOnce(instances),
                            () -> schedule(instances),
                            () -> importPrices(instances),
                            () -> record(instances),
                            () -> mark(instances, "ada"),
                            () -> mark(instances, "grace"),
                            () -> read(instances))
                    .forEach(work -> threads.execute(() -> repeat(work, ending)));
        }
    }

    private void repeat(Work work, Instant ending) {
        while (clock.instant().isBefore(ending) && failures.isEmpty()) {
            try {
                work.once();
            } catch (Exception | AssertionError e) {
                failures.add(e);
            }
        }
    }

    private static JarInstance any(List<JarInstance> instances) {
        return instances.get(ThreadLocalRandom.current().nextInt(instances.size()));
    }

    private void did(String what, int times) {
        did.merge(what, times, Integer::sum);
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
    }

    /** Has one of the instances do it, and takes no error for an answer. */
    private static JsonNode mutate(List<JarInstance> instances, String document, Map<String, ?> variables) {
        var payload = any(instances).ask(document, variables).path("payload");
        assertThat(payload.path("errors")).as("%s of %s", document, variables).isEmpty();
        return payload;
    }

    private void submit(List<JarInstance> instances) {
        var inputs = IntStream.range(0, 10)
                .mapToObj(i -> Map.of(
                        "type", TYPES.get(i % TYPES.size()),
                        "payload", Map.of("number", i),
                        "idempotencyKey", "key-" + numbers.incrementAndGet()))
                .toList();
        // The same twice, as by somebody who did not hear the first answer.
        for (var time = 0; time < 2; time++) {
            var payload = mutate(instances, """
                    mutation($inputs: [SubmitTaskInput!]!) {
                      payload: submitTasks(input: {tasks: $inputs}) { outcomes { task { id } } errors { code message } }
                    }
                    """, Map.of("inputs", inputs));
            var fresh = 0;
            for (var outcome : payload.path("outcomes")) {
                fresh += submitted.add(outcome.path("task").path("id").asText()) ? 1 : 0;
            }
            assertThat(fresh).isEqualTo(time == 0 ? inputs.size() : 0);
        }
        did("tasks", inputs.size());
        pause(500);
    }

    private void perform(List<JarInstance> instances, String worker) {
        var claimed = mutate(instances, """
                mutation($worker: ID!, $types: [String!]!) {
                  payload: claimTasks(input: {worker: $worker, types: $types, max: 5, waitSeconds: 2}) {
                    tasks { id lease { fencingToken } }
                    errors { code message }
                  }
                }
                """, Map.of("worker", worker, "types", TYPES));
        for (var task : claimed.path("tasks")) {
            var id = task.path("id").asText();
            assertThat(inFlight.put(id, worker)).as("%s is given out once", id).isNull();
        }
        for (var task : claimed.path("tasks")) {
            var id = task.path("id").asText();
            var held = Map.of(
                    "id", id, "token", task.path("lease").path("fencingToken").asInt());
            mutate(instances, """
                    mutation($id: ID!, $token: Int!) {
                      payload: extendLease(input: {id: $id, fencingToken: $token, progress: {done: 1, total: 2}}) {
                        errors { code message }
                      }
                    }
                    """, held);
            inFlight.remove(id);
            if (ThreadLocalRandom.current().nextInt(10) == 0) {
                mutate(instances, """
                        mutation($id: ID!, $token: Int!) {
                          payload: failTask(input: {id: $id, fencingToken: $token, reason: "out of paper"}) { errors { code message } }
                        }
                        """, held);
                did("failures of tasks", 1);
            } else {
                assertThat(completed.add(id)).as("%s is completed once", id).isTrue();
                mutate(instances, """
                        mutation($id: ID!, $token: Int!) {
                          payload: completeTask(input: {id: $id, fencingToken: $token, result: "done"}) { errors { code message } }
                        }
                        """, held);
            }
        }
    }

    private void cancelInBulk(List<JarInstance> instances) {
        var type = "bulk." + numbers.incrementAndGet() % 5;
        mutate(instances, """
                mutation($type: String!) {
                  payload: submitTasks(input: {tasks: [{type: $type}, {type: $type}, {type: $type}]}) { errors { code message } }
                }
                """, Map.of("type", type));
        var bulk = mutate(instances, """
                        mutation($type: String!) {
                          payload: startBulkOperation(input: {action: CANCEL, filter: {type: $type}, reason: "not needed"}) {
                            task { id }
                            errors { code message }
                          }
                        }
                        """, Map.of("type", type))
                .path("task")
                .path("id")
                .asText();
        await().atMost(PATIENCE).until(() -> any(instances)
                .ask("query($id: ID!) { task(id: $id) { status } }", Map.of("id", bulk))
                .path("task")
                .path("status")
                .asText()
                .equals("COMPLETED"));
        var left = any(instances)
                .ask(
                        "query($type: String!) { tasks(filter: {type: $type}, first: 1) { nodes { id } } }",
                        Map.of("type", type));
        assertThat(left.path("tasks").path("nodes")).isEmpty();
        did("bulk operations", 1);
        pause(3000);
    }

    private void everyTaskWasCompletedOnce(JarInstance instance) {
        // What was out of paper at the end is done by this one.
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (var i = 0; i < 4; i++) {
                perform(List.of(instance), "worker-at-the-end");
            }
            assertThat(completed).isEqualTo(submitted);
        });
        var dead = instance.ask("{ tasks(filter: {statuses: DEAD}) { nodes { id } } }", Map.of());
        assertThat(dead.path("tasks").path("nodes")).isEmpty();
        var ended = all(after -> instance.ask("""
                        query($after: String) {
                          tasks(filter: {statuses: COMPLETED}, first: 1000, after: $after) {
                            nodes { id type }
                            pageInfo { hasNextPage endCursor }
                          }
                        }
                        """, variables(after, Map.of())).path("tasks"));
        assertThat(ended)
                .filteredOn(task -> TYPES.contains(task.path("type").asText()))
                .extracting(task -> task.path("id").asText())
                .containsExactlyInAnyOrderElementsOf(submitted);
    }

    /** Never the same twice, so that every change changes something. */
    private String amount() {
        return BigDecimal.valueOf(500 + numbers.incrementAndGet() % 90_000, 2).toPlainString();
    }

    private void changeAtOnce(List<JarInstance> instances) {
        change(instances, PRODUCTS.subList(0, 4), null);
        did("changes at once", 1);
        pause(1000);
    }

    private void schedule(List<JarInstance> instances) {
        var at = LocalDateTime.now(clock.withZone(ZONE))
                .truncatedTo(ChronoUnit.SECONDS)
                .plusSeconds(20);
        change(instances, PRODUCTS.subList(4, 8), at);
        did("scheduled changes", 1);
        pause(1000);
    }

    /** Previews, applies, waits for it to take effect, and reads the price, each at any of the instances. */
    private void change(List<JarInstance> instances, List<String> products, @Nullable LocalDateTime at) {
        var amount = amount();
        var product = products.get(ThreadLocalRandom.current().nextInt(products.size()));
        var input = new HashMap<String, Object>(Map.of(
                "name", "Change",
                "reason", "costs rose",
                "rules", List.of(Map.of("stores", STORES, "products", List.of(product), "setTo", amount))));
        if (at != null) {
            input.put("effectiveDate", at.toString());
        }
        var draft = mutate(instances, """
                        mutation($input: CreateChangeSetInput!) {
                          payload: createChangeSet(input: $input) { changeSet { key } errors { code message } }
                        }
                        """, Map.of("input", input))
                .path("changeSet")
                .path("key")
                .asText();
        apply(instances, draft);
        for (var store : STORES) {
            prices.put(store + " " + product, amount);
        }
        theyCostWhatTheyShould(any(instances), STORES.getFirst(), products);
    }

    private void apply(List<JarInstance> instances, String draft) {
        var token = await().atMost(PATIENCE)
                .until(() -> changeSet(any(instances), draft).path("token"), JsonNode::isTextual);
        mutate(instances, """
                mutation($id: ID!, $token: String!) {
                  payload: applyChangeSet(input: {id: $id, token: $token, acceptSuspicious: true}) { errors { code message } }
                }
                """, Map.of("id", draft, "token", token.asText()));
        changeSets.add(draft);
        await().atMost(PATIENCE)
                .until(() ->
                        changeSet(any(instances), draft).path("status").asText().equals("APPLIED"));
        assertThat(changeSet(any(instances), draft).path("failedLines").asInt()).isZero();
    }

    private static JsonNode changeSet(JarInstance instance, String id) {
        return instance.ask("query($id: ID!) { changeSet(id: $id) { status token failedLines } }", Map.of("id", id))
                .path("changeSet");
    }

    private void importPrices(List<JarInstance> instances) {
        var amount = amount();
        var products = PRODUCTS.subList(8, 12);
        var product = products.get(ThreadLocalRandom.current().nextInt(products.size()));
        var csv = new StringBuilder("store,product,effectiveDate,amount\n");
        var today = LocalDate.now(clock.withZone(ZONE));
        STORES.forEach(store -> csv.append("%s,%s,%s,%s\n".formatted(store, product, today, amount)));
        var imported = mutate(instances, """
                        mutation($csv: String!) {
                          payload: importPrices(input: {csv: $csv}) { import { key } errors { code message } }
                        }
                        """, Map.of("csv", csv.toString()))
                .path("import")
                .path("key")
                .asText();
        var draft = await().atMost(PATIENCE)
                .until(
                        () -> any(instances)
                                .ask(
                                        "query($id: ID!) { import(id: $id) { state rejected changeSet { key } } }",
                                        Map.of("id", imported))
                                .path("import"),
                        found -> found.path("state").asText().equals("FINISHED"));
        assertThat(draft.path("rejected").asInt()).isZero();
        apply(instances, draft.path("changeSet").path("key").asText());
        STORES.forEach(store -> prices.put(store + " " + product, amount));
        theyCostWhatTheyShould(any(instances), STORES.getLast(), products);
        did("imports of prices", 1);
        pause(2000);
    }

    private void everyPriceIsTheLastThatWasSet(JarInstance instance) {
        STORES.forEach(store -> theyCostWhatTheyShould(instance, store, PRODUCTS));
    }

    private void theyCostWhatTheyShould(JarInstance instance, String store, List<String> products) {
        var found = instance.ask(
                        "query($store: ID!) { basePrices(store: $store) { nodes { product { key } price { amount } } } }",
                        Map.of("store", store))
                .path("basePrices")
                .path("nodes");
        assertThat(found).hasSize(PRODUCTS.size());
        for (var price : found) {
            var product = price.at("/product/key").asText();
            if (products.contains(product)) {
                assertThat(new BigDecimal(price.path("price").path("amount").asText()))
                        .as("%s in %s", product, store)
                        .isEqualByComparingTo(prices.get(store + " " + product));
            }
        }
    }

    private static Set<String> announced(LocalAws aws) {
        return aws.bus().events().stream()
                .map(LocalBus.Event::detail)
                .map(detail -> detail.path("changeSet").asText())
                .collect(toSet());
    }

    private void record(List<JarInstance> instances) {
        var first = numbers.getAndAdd(20);
        var inputs = IntStream.range(first, first + 20)
                .mapToObj(number -> Map.of(
                        "key",
                        "transaction-" + number,
                        "agency",
                        AGENCIES.get(number % AGENCIES.size()),
                        "product",
                        "P000",
                        "customer",
                        "customer-" + number % 7,
                        "amount",
                        "10.50",
                        "currency",
                        "EUR",
                        "occurredAt",
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(),
                        "commissionRate",
                        "0.125"))
                .toList();
        // The same twice, as by somebody who did not hear the first answer.
        for (var isNew : List.of(true, false)) {
            var outcomes = mutate(instances, """
                            mutation($inputs: [RecordTransactionInput!]!) {
                              payload: recordTransactions(input: {transactions: $inputs}) {
                                outcomes { isNew transaction { key quarterHourStartsAt } errors { code message } }
                                errors { code message }
                              }
                            }
                            """, Map.of("inputs", inputs)).path("outcomes");
            assertThat(outcomes).hasSize(inputs.size());
            for (var outcome : outcomes) {
                assertThat(outcome.path("isNew").asBoolean()).as("%s", outcome).isEqualTo(isNew);
                var transaction = outcome.path("transaction");
                recorded.put(
                        transaction.path("key").asText(),
                        transaction.path("quarterHourStartsAt").asText());
            }
        }
        did("transactions", inputs.size());
        pause(300);
    }

    private void everyTransactionOfAClosedQuarterIsInOneReport(JarInstance instance) {
        var closed = new TreeSet<>(recorded.values())
                .headSet(recorded.values().stream().max(naturalOrder()).orElseThrow());
        assertThat(closed).as("a quarter hour has ended").isNotEmpty();
        var expected = recorded.entrySet().stream()
                .filter(transaction -> closed.contains(transaction.getValue()))
                .map(Map.Entry::getKey)
                .collect(toSet());
        await().atMost(PATIENCE).untilAsserted(() -> {
            var reported = reported(instance);
            assertThat(reported).doesNotHaveDuplicates();
            assertThat(Set.copyOf(reported)).isEqualTo(expected);
        });
        did("transactions in a report", expected.size());
    }

    private static List<String> reported(JarInstance instance) {
        var reported = new ArrayList<String>();
        var runs = instance.ask("{ reportRuns { nodes { id status } } }", Map.of());
        for (var run : runs.path("reportRuns").path("nodes")) {
            assertThat(run.path("status").asText()).isEqualTo("COMMITTED");
            for (var agency : AGENCIES) {
                var lines = all(after -> instance.ask(
                                """
                                        query($run: ID!, $agency: ID!, $after: String) {
                                          reportRun(id: $run) {
                                            agencyLines(agency: $agency, first: 1000, after: $after) {
                                              nodes { transactionKey }
                                              pageInfo { hasNextPage endCursor }
                                            }
                                          }
                                        }
                                        """,
                                variables(after, Map.of("run", run.path("id").asText(), "agency", agency)))
                        .path("reportRun")
                        .path("agencyLines"));
                lines.forEach(line -> reported.add(line.path("transactionKey").asText()));
            }
        }
        return reported;
    }

    private void mark(List<JarInstance> instances, String user) {
        var mark = new Mark(
                user + numbers.incrementAndGet() % 20,
                RESTAURANTS.get(ThreadLocalRandom.current().nextInt(RESTAURANTS.size())));
        var isMarked = marks.contains(mark);
        mutate(
                instances,
                "mutation($user: ID!, $restaurant: ID!) { payload: %s(input: {user: $user, restaurant: $restaurant}) { errors { code } } }"
                        .formatted(isMarked ? "unfavorite" : "favorite"),
                Map.of("user", mark.user(), "restaurant", mark.restaurant()));
        if (isMarked) {
            marks.remove(mark);
        } else {
            marks.add(mark);
        }
        did("marks", 1);
        pause(100);
    }

    private void everyMarkIsCounted(JarInstance instance) {
        var expected = marks.stream().collect(groupingBy(Mark::restaurant, TreeMap::new, counting()));
        await().atMost(PATIENCE).untilAsserted(() -> {
            for (var window : WINDOWS) {
                assertThat(ranked(instance, window)).as(window).isEqualTo(expected);
            }
        });
    }

    private static Map<String, Long> ranked(JarInstance instance, String window) {
        var ranked = new TreeMap<String, Long>();
        instance.ask(
                        "query($window: FavoriteWindow!) { topRestaurants(window: $window) { nodes { restaurant { key } count } } }",
                        Map.of("window", window))
                .path("topRestaurants")
                .path("nodes")
                .forEach(one -> ranked.put(
                        one.at("/restaurant/key").asText(), one.path("count").asLong()));
        return ranked;
    }

    private void read(List<JarInstance> instances) {
        for (var page : List.of("/", "/tasks", "/changes", "/billing", "/favorites", "/stores/" + STORES.getFirst())) {
            assertThat(any(instances).status(page)).as(page).isEqualTo(200);
            did("pages", 1);
        }
        // Which rankings are looked at is what the new version goes by, and the one before knows nothing of.
        for (var window : WINDOWS) {
            ranked(any(instances), window);
            did("rankings", 1);
        }
        pause(2000);
    }

    private static List<JsonNode> all(Function<@Nullable String, JsonNode> page) {
        var nodes = new ArrayList<JsonNode>();
        String after = null;
        do {
            var connection = page.apply(after);
            connection.path("nodes").forEach(nodes::add);
            var info = connection.path("pageInfo");
            after = info.path("hasNextPage").asBoolean()
                    ? info.path("endCursor").asText()
                    : null;
        } while (after != null);
        return nodes;
    }

    private static Map<String, String> variables(@Nullable String after, Map<String, String> others) {
        var variables = new HashMap<>(others);
        if (after != null) {
            variables.put("after", after);
        }
        return variables;
    }

    private void save(LocalAws aws) {
        // The use cases alone: what an instance does by itself begins with its server.
        try (var context =
                ApplicationContext.builder().properties(aws.properties()).start()) {
            var stores = STORES.stream()
                    .map(id -> new Store(
                            new StoreId(id),
                            "Store " + id,
                            Address.UNKNOWN,
                            ZONE,
                            Money.currencyOf("EUR"),
                            StoreStatus.OPEN))
                    .toList();
            context.getBean(Stores.class).save(EVERYTHING, stores);
            SamplePrices.save(
                    context.getBean(Imports.class),
                    context.getBean(ChangeSets.class),
                    stores.stream()
                            .flatMap(store -> PRODUCTS.stream()
                                    .map(product -> new BasePrice(
                                            store,
                                            Channel.ALL,
                                            new ProductId(product),
                                            EffectiveDate.parse("2020-01-01"),
                                            new Money(new BigDecimal("4.99"), store.currency()))))
                            .toList());
        }
        STORES.forEach(store -> PRODUCTS.forEach(product -> prices.put(store + " " + product, "4.99")));
    }
}
