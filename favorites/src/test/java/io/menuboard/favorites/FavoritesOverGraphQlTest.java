package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.Readme;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.querydb.InterruptedClient;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What {@code favorites.graphqls} promises, over HTTP, with marks that are counted as the stream tells of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FavoritesOverGraphQlTest {
    private final LocalAws aws = LocalAws.start(null, "favorites");
    private final GraphQlServer server = ContextServer.start(aws);

    @AfterAll
    void stop() {
        server.close();
        aws.close();
    }

    @Test
    void everyFieldGivesWhatItIsFor() {
        var fields = new AskedFields(server);
        var before = Instant.now();
        var first = fields.mutate("favorite", "input: {user: \"ada\", restaurant: \"pizzeria\"}");
        assertThat(first.path("isNew").asBoolean()).isTrue();
        var again = fields.mutate("favorite", "input: {user: \"User#ada\", restaurant: \"Restaurant#pizzeria\"}");
        assertThat(again.path("isNew").asBoolean()).isFalse();
        assertThat(again.at("/favorite/createdAt")).isEqualTo(first.at("/favorite/createdAt"));
        for (var user : List.of("bob", "joe", "kim")) {
            mark(user, "pizzeria");
            mark(user, "diner");
        }
        fields.mutate("favorite", "input: {user: \"eve\", restaurant: \"diner\"}");
        var taken = fields.mutate("unfavorite", "input: {user: \"eve\", restaurant: \"diner\"}");
        assertThat(taken.at("/favorite/user/key").asText()).isEqualTo("eve");
        assertThat(taken.path("wasTakenBack").asBoolean()).isTrue();
        assertThat(server.data("mutation { unfavorite(input: {user: \"eve\", restaurant: \"diner\"}) "
                        + "{ favorite { id } wasTakenBack errors { code } } }"))
                .hasToString("{\"unfavorite\":{\"favorite\":null,\"wasTakenBack\":false,\"errors\":[]}}");
        assertThat(fields.query("user(id: \"bob\")").at("/favorites/nodes")).hasSize(2);
        assertThat(server.data("{ user(id: \"bob\") { favorites(first: 1) { totalCount { count precision } } } }")
                        .at("/user/favorites/totalCount"))
                .hasToString("{\"count\":2,\"precision\":\"EXACT\"}");

        await().until(() -> count("pizzeria") == 4 && count("diner") == 3);
        await().until(() -> fields.query("topRestaurants(window: ALL_TIME, first: 2)")
                .path("nodes")
                .findValuesAsText("rank")
                .equals(List.of("1", "2")));
        await().until(() -> Instant.parse(fields.query("topRestaurants(window: LAST_24_HOURS, first: 2)")
                        .path("countedUntil")
                        .asText())
                .isAfter(before));
        fields.query("topRestaurants(window: MONTH, on: \"2026-01-31\", first: 2)");
        fields.query("restaurant(id: \"Restaurant#pizzeria\")");

        var started = fields.mutate(
                "recountFavorites", "input: {mode: CORRECT, restaurant: \"pizzeria\", idempotencyKey: \"asked\"}");
        var id = started.at("/recount/id").asText();
        await().until(() -> fields.query("favoriteRecount(id: \"" + id + "\")").hasNonNull("finishedAt"));
        assertThat(fields.query("favoriteRecount(id: \""
                                + started.at("/recount/key").asText() + "\")")
                        .path("restaurantsDrifted")
                        .asInt())
                .isZero();
        fields.query("favoriteRecounts(first: 1)");
        fields.mutate("recountFavorites", "input: {restaurant: \"a b \"}");
        fields.mutate("recountFavorites", "input: {restaurant: \"pizzeria\", idempotencyKey: \"asked\"}");
        fields.mutate("favorite", "input: {user: \"\", restaurant: \"r\"}");
        fields.mutate("unfavorite", "input: {user: \"u\", restaurant: \" \"}");

        // Movement and drifts have tests of their own, with the past that they need; this one asks for nothing that
        // needs arguments.
        assertThat(fields.unanswered("favorites.graphqls"))
                .allMatch(field -> field.startsWith("FavoriteDrift")
                        || field.startsWith("FavoriteDifference")
                        || field.equals("Restaurant.isFavorite")
                        || field.equals("RankedRestaurant.previousRank")
                        || field.equals("RankedRestaurant.movement")
                        || field.equals("TopRestaurantConnection.ranksComparedAt"));
    }

    @Test
    void marksLeadToUsersAndRestaurantsAndBack() {
        mark("ann", "grill");
        mark("ben", "grill");
        mark("ben", "bistro");

        var ann = server.data("""
                { user(id: "ann") { favorites(first: 3) { nodes { restaurant { key favoritedBy(last: 2) { nodes {
                    user { key favorites(first: 3) { nodes { id } } } } } } } } } }""");

        assertThat(ann.at("/user/favorites/nodes/0/restaurant").toString())
                .isEqualTo("{\"key\":\"grill\",\"favoritedBy\":{\"nodes\":["
                        + "{\"user\":{\"key\":\"ben\",\"favorites\":{\"nodes\":["
                        + "{\"id\":\"Favorite#ben#bistro\"},{\"id\":\"Favorite#ben#grill\"}]}}},"
                        + "{\"user\":{\"key\":\"ann\",\"favorites\":{\"nodes\":["
                        + "{\"id\":\"Favorite#ann#grill\"}]}}}]}}");
    }

    @Test
    void allPagesOfAWalkAreTrueForTheSameTime() {
        mark("flo", "dairy");
        mark("flo", "deli");
        await().until(() -> count("dairy") == 1 && count("deli") == 1);
        await().until(() -> top("last: 1").at("/nodes").size() == 1);
        var first = top("first: 1");
        await().until(() -> !server.data("{ topRestaurants(window: ALL_TIME, first: 1) { countedUntil } }")
                .at("/topRestaurants/countedUntil")
                .equals(first.path("countedUntil")));

        var second = top("first: 1, after: \"" + first.at("/pageInfo/endCursor").asText() + "\"");

        assertThat(second.path("countedUntil")).isEqualTo(first.path("countedUntil"));
        assertThat(second.at("/nodes/0/position").asInt()).isEqualTo(2);
    }

    @Test
    void anEarlierRankingThatCannotBeReadIsTriedOnce() {
        mark("gus", "tavern");
        mark("gus", "canteen");
        await().until(() -> top("first: 2").at("/nodes").size() == 2);
        var reads = new AtomicInteger();
        var client = InterruptedClient.before(
                request -> request.toString().contains("FAVSNAPSHOT#"),
                Integer.MAX_VALUE,
                aws.dynamoDb().client(),
                () -> {
                    reads.incrementAndGet();
                    throw new IllegalStateException("the table is away");
                });

        try (var failing = ContextServer.startIdle(aws, client)) {
            var answer = failing.execute(
                    "{ topRestaurants(window: ALL_TIME, first: 2) { nodes { rank previousRank movement } } }");

            assertThat(answer.body().at("/data/topRestaurants/nodes").findValuesAsText("rank"))
                    .hasSize(2);
            assertThat(answer.body().path("errors")).hasSize(4);
        }
        assertThat(reads).hasValue(1);
    }

    private JsonNode top(String page) {
        return server.data("{ topRestaurants(window: ALL_TIME, " + page
                        + ") { countedUntil nodes { position } pageInfo { endCursor } } }")
                .path("topRestaurants");
    }

    @Test
    void findsEveryNodeByItsId() {
        mark("cat", "oven");
        var recount = server.data("mutation { recountFavorites(input: {restaurant: \"oven\"}) { recount { id } } }")
                .at("/recountFavorites/recount/id")
                .asText();

        var nodes = server.data("""
                { nodes(ids: ["Favorite#cat#oven", "Favorite#cat#none", "Favorite#cat", "Favorite##", "Restaurant#any",
                    "Restaurant#", "Restaurant#a#b", "User#any", "FavoriteRecount#x", "%s"]) {
                    __typename ... on Favorite { createdAt } ... on Restaurant { key isFavorite(user: "cat") } } }""".formatted(recount));

        assertThat(nodes.path("nodes").findValuesAsText("__typename"))
                .containsExactly("Favorite", "Restaurant", "User", "FavoriteRecount");
        assertThat(nodes.at("/nodes/4").toString())
                .isEqualTo("{\"__typename\":\"Restaurant\",\"key\":\"any\",\"isFavorite\":false}");
    }

    @Test
    void saysOfManyRestaurantsWhetherAUserHasMarkedThem() {
        mark("dan", "one");
        mark("dan", "three");

        var data = server.data("""
                { nodes(ids: ["Restaurant#one", "Restaurant#two", "Restaurant#three"]) {
                    ... on Restaurant { isFavorite(user: "User#dan") } } }""");

        assertThat(data.findValuesAsText("isFavorite")).containsExactly("true", "false", "true");
    }

    @Test
    void aRecountBeginsOnceForEachIdempotencyKey() {
        var first = recount("restaurant: \"oven\", idempotencyKey: \"k1\"");
        var again = recount("restaurant: \"Restaurant#oven\", mode: null, idempotencyKey: \"k1\"");
        var other = recount("restaurant: \"oven\", mode: CORRECT, idempotencyKey: \"k1\"");

        assertThat(again.at("/recount/id").asText())
                .isNotEmpty()
                .isEqualTo(first.at("/recount/id").asText());
        assertThat(first.path("isNew")).isEqualTo(BooleanNode.TRUE);
        assertThat(again.path("isNew")).isEqualTo(BooleanNode.FALSE);
        assertThat(other)
                .hasToString("{\"recount\":null,\"existingRecount\":" + first.path("recount")
                        + ",\"isNew\":null,\"errors\":[{\"code\":\"IDEMPOTENCY_KEY_REUSED\","
                        + "\"path\":[\"input\",\"idempotencyKey\"]}]}");
        assertThat(recount("idempotencyKey: \"\"").at("/errors/0"))
                .hasToString("{\"code\":\"INVALID_ID\",\"path\":[\"input\",\"idempotencyKey\"]}");
    }

    private JsonNode recount(String input) {
        return server.data("mutation { recountFavorites(input: {" + input
                        + "}) { recount { id } existingRecount { id } isNew errors { code path } } }")
                .path("recountFavorites");
    }

    @Test
    void refusalsNameFieldAndRule() {
        assertThat(server.data("mutation { favorite(input: {user: \"a\\u0007\", restaurant: \"r\"}) "
                        + "{ favorite { id } isNew errors { code path message } } }"))
                .hasToString("{\"favorite\":{\"favorite\":null,\"isNew\":null,\"errors\":[{\"code\":\"INVALID_ID\","
                        + "\"path\":[\"input\",\"user\"],"
                        + "\"message\":\"user must not contain control or invisible characters\"}]}}");
        assertThat(server.data("mutation { unfavorite(input: {user: \"Restaurant#r\", restaurant: \"r\"}) "
                        + "{ favorite { id } errors { code path } } }"))
                .hasToString("{\"unfavorite\":{\"favorite\":null,\"errors\":[{\"code\":\"INVALID_ID\","
                        + "\"path\":[\"input\",\"user\"]}]}}");
        assertThat(error("{ topRestaurants(window: ALL_TIME, on: \"2026-11-01\") { countedUntil } }"))
                .isEqualTo("INVALID_DAY");
        assertThat(error("{ topRestaurants(window: DAY, after: \"x\") { countedUntil } }"))
                .isEqualTo("INVALID_CURSOR");
        assertThat(error("{ topRestaurants(window: DAY, first: 2049) { countedUntil } }"))
                .isEqualTo("INVALID_PAGE");
        assertThat(error("{ favoriteRecount(id: \"x\") { mode } }")).isEqualTo("INVALID_ID");
        assertThat(error("{ restaurant(id: \"\") { id } }")).isEqualTo("INVALID_ID");
        assertThat(error("{ restaurant(id: \"User#u\") { id } }")).isEqualTo("INVALID_ID");
        assertThat(error("{ user(id: \" \") { id } }")).isEqualTo("INVALID_ID");
    }

    /** And leave the rest of the answer as it is. */
    @Test
    void refusalsOfFieldsThatAreReadTogetherNameTheirArgument() {
        var answer = server.execute(
                        "{ restaurant(id: \"r\") { key isFavorite(user: \"\") favoritedBy(first: 0) { nodes { id } } } }")
                .body();

        assertThat(answer.at("/data/restaurant"))
                .hasToString("{\"key\":\"r\",\"isFavorite\":null,\"favoritedBy\":null}");
        assertThat(answer.path("errors").findValuesAsText("code"))
                .containsExactlyInAnyOrder("INVALID_ID", "INVALID_PAGE");
    }

    @Test
    void whatTheReadmeShowsWorks() {
        var section = "Know which restaurants people love";
        var answers = Readme.bodies(section).stream()
                .map(body -> server.post(body).join().data())
                .toList();

        assertThat(answers.getFirst().at("/favorite/isNew").asBoolean()).isTrue();
        await().until(() -> count("DE-0001") == 1);
        assertThat(answers.getLast().at("/topRestaurants/countedUntil").asText())
                .isNotEmpty();
    }

    private void mark(String user, String restaurant) {
        var input = "{user: \"%s\", restaurant: \"%s\"}".formatted(user, restaurant);
        server.data("mutation { favorite(input: " + input + ") { isNew } }");
    }

    private long count(String restaurant) {
        return server.data("{ restaurant(id: \"" + restaurant + "\") { favoriteCounts { windows { count } } } }")
                .at("/restaurant/favoriteCounts/windows/0/count")
                .asLong();
    }

    private String error(String document) {
        JsonNode answer = server.execute(document).body();
        return answer.at("/errors/0/extensions/code").asText();
    }
}
