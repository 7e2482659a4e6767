package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.AskedFields;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.Readme;
import io.menuboard.local.aws.LocalAws;
import java.time.Instant;
import java.util.List;
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
        var first = fields.mutate("favorite", "user: \"ada\", restaurant: \"pizzeria\"");
        assertThat(first.path("isNew").asBoolean()).isTrue();
        var again = fields.mutate("favorite", "user: \"ada\", restaurant: \"pizzeria\"");
        assertThat(again.path("isNew").asBoolean()).isFalse();
        assertThat(again.path("favorite")).isEqualTo(first.path("favorite"));
        fields.mutate("favorite", "user: \"bob\", restaurant: \"pizzeria\"");
        fields.mutate("favorite", "user: \"bob\", restaurant: \"diner\"");
        fields.mutate("favorite", "user: \"eve\", restaurant: \"diner\"");
        assertThat(fields.query("isFavorite(user: \"eve\", restaurant: \"diner\")")
                        .asBoolean())
                .isTrue();
        var taken = fields.mutate("unfavorite", "user: \"eve\", restaurant: \"diner\"");
        assertThat(taken.at("/favorite/user").asText()).isEqualTo("eve");
        assertThat(fields.query("favorites(user: \"bob\")").at("/nodes").findValuesAsText("restaurant"))
                .containsExactly("diner", "pizzeria");
        assertThat(fields.query("favoritedBy(restaurant: \"pizzeria\", last: 1)")
                        .at("/nodes/0/user")
                        .asText())
                .isEqualTo("ada");

        await().until(() -> count("pizzeria") == 2 && count("diner") == 1);
        await().until(() -> fields.query("topRestaurants(window: ALL_TIME)")
                .path("nodes")
                .findValuesAsText("rank")
                .equals(List.of("1", "2")));
        var top = fields.query("topRestaurants(window: ALL_TIME)");
        assertThat(top.path("nodes").findValuesAsText("restaurant")).containsExactly("pizzeria", "diner");
        await().until(() -> Instant.parse(fields.query("topRestaurants(window: LAST_24_HOURS)")
                        .path("asOf")
                        .asText())
                .isAfter(before));
        fields.query("topRestaurants(window: MONTH, on: \"2026-01-31\")");
        fields.query("favoriteCounts(restaurant: \"pizzeria\")");

        var started = fields.mutate("recountFavorites", "mode: CORRECT, restaurant: \"pizzeria\"");
        var id = started.at("/recount/id").asText();
        await().until(() -> fields.query("favoriteRecount(id: \"" + id + "\")").hasNonNull("finishedAt"));
        assertThat(fields.query("favoriteRecount(id: \"" + id + "\")")
                        .path("drifted")
                        .asInt())
                .isZero();
        fields.query("favoriteRecounts(first: 1)");
        fields.mutate("recountFavorites", "restaurant: \"a#b\"");
        fields.mutate("favorite", "user: \"\", restaurant: \"r\"");
        fields.mutate("unfavorite", "user: \"u\", restaurant: \" \"");

        // Movement and drifts have tests of their own, with the past that they need.
        assertThat(fields.unanswered("favorites.graphqls"))
                .allMatch(field -> field.startsWith("FavoriteDrift")
                        || field.startsWith("FavoriteDifference")
                        || field.equals("RankedRestaurant.previousRank")
                        || field.equals("RankedRestaurant.movement")
                        || field.equals("TopRestaurantConnection.comparedWith"));
    }

    @Test
    void refusalsNameFieldAndRule() {
        assertThat(server.data("mutation { favorite(user: \"a#b\", restaurant: \"r\") "
                        + "{ favorite { user } errors { code path message } } }"))
                .hasToString(
                        "{\"favorite\":{\"favorite\":null,\"errors\":[{\"code\":\"INVALID_ID\",\"path\":[\"user\"],"
                                + "\"message\":\"user must not contain '#'\"}]}}");
        assertThat(error("{ topRestaurants(window: ALL_TIME, on: \"2026-11-01\") { asOf } }"))
                .isEqualTo("INVALID_DAY");
        assertThat(error("{ topRestaurants(window: DAY, after: \"x\") { asOf } }"))
                .isEqualTo("INVALID_CURSOR");
        assertThat(error("{ topRestaurants(window: DAY, first: 2049) { asOf } }"))
                .isEqualTo("INVALID_PAGE");
        assertThat(error("{ favoriteRecount(id: \"x\") { mode } }")).isEqualTo("INVALID_ID");
    }

    @Test
    void whatTheReadmeShowsWorks() {
        var section = "Know which restaurants people love";
        var answers = Readme.bodies(section).stream()
                .map(body -> server.post(body).join().data())
                .toList();

        assertThat(answers.getFirst().at("/favorite/isNew").asBoolean()).isTrue();
        await().until(() -> count("DE-0001") == 1);
        assertThat(answers.getLast().at("/topRestaurants/asOf").asText()).isNotEmpty();
    }

    private long count(String restaurant) {
        return server.data("{ favoriteCounts(restaurant: \"" + restaurant + "\") { windows { window count } } }")
                .at("/favoriteCounts/windows/0/count")
                .asLong();
    }

    private String error(String document) {
        JsonNode answer = server.execute(document).body();
        return answer.at("/errors/0/extensions/code").asText();
    }
}
