package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.context.ContextServer;
import io.menuboard.graphql.GraphQlServer;
import io.menuboard.graphql.GraphQlServer.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The graph as the client of one user sees it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FavoriteScopesOverGraphQlTest {
    private static final String EVERYTHING = "FAVORITES_CLIENT ALL";
    private static final String ADA = "FAVORITES_CLIENT USER#ada";

    /** Every field that says something about a user. */
    private static final String ABOUT_ONE = """
            {
              user(id: "%1$s") { favorites(first: 1) { totalCount { count } pageInfo { hasNextPage } nodes { createdAt } } }
              restaurant(id: "pizzeria") { isFavorite(user: "%1$s") }
              node(id: "Favorite#%1$s#pizzeria") { id }
              nodes(ids: ["Favorite#%1$s#diner"]) { ... on Favorite { createdAt } }
              nobody: node(id: "User#%1$s") { ... on User { favorites { edges { cursor } } } }
            }
            """;

    private final GraphQlServer server = ContextServer.start(Map.of(HeaderPrincipals.SETTING, true));

    @BeforeAll
    void mark() {
        for (var restaurant : new String[] {"pizzeria", "diner"}) {
            mark(EVERYTHING, "bob", restaurant).data();
        }
        mark(ADA, "ada", "pizzeria").data();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private Answer mark(String grant, String user, String restaurant) {
        return ask(
                grant,
                "mutation { favorite(input: {user: \"%s\", restaurant: \"%s\"}) { isNew } }"
                        .formatted(user, restaurant));
    }

    private Answer ask(String grant, String document) {
        return server.send(HttpRequest.newBuilder(server.graphQl())
                .header("Content-Type", "application/json")
                .header(HeaderPrincipals.GRANT, grant)
                .POST(BodyPublishers.ofString(GraphQlServer.json(Map.of("query", document)))));
    }

    @Test
    void anotherUserIsAsOneWhoHasMarkedNothing() {
        var theirs = ask(ADA, ABOUT_ONE.formatted("bob")).text();

        assertThat(theirs)
                .isEqualTo(ask(ADA, ABOUT_ONE.formatted("nobody")).text())
                .isEqualTo(ask(EVERYTHING, ABOUT_ONE.formatted("nobody")).text())
                .isNotEqualTo(ask(EVERYTHING, ABOUT_ONE.formatted("bob")).text());
        var own = ask(ADA, ABOUT_ONE.formatted("ada")).data();
        assertThat(own.at("/user/favorites/nodes")).hasSize(1);
        assertThat(own.at("/restaurant/isFavorite").asBoolean()).isTrue();
        assertThat(own.path("node").isNull()).isFalse();
    }

    @Test
    void ofARestaurantOnlyTheOwnMarkIsSeen() {
        var document = """
                { restaurant(id: "%s") { favoriteCounts { windows { count } } favoritedBy(first: 1) {
                  totalCount { count } pageInfo { hasNextPage hasPreviousPage } nodes { user { key } } } } }""";

        assertThat(ask(ADA, document.formatted("pizzeria")).data().at("/restaurant/favoritedBy"))
                .hasToString("""
                {"totalCount":{"count":1},"pageInfo":{"hasNextPage":false,"hasPreviousPage":false},\
                "nodes":[{"user":{"key":"ada"}}]}""");
        assertThat(ask(ADA, document.formatted("diner")).text())
                .isEqualTo(ask(ADA, document.formatted("nowhere")).text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mutation { favorite(input: {user: \"bob\", restaurant: \"new\"}) { isNew errors { code } } }",
                "mutation { unfavorite(input: {user: \"bob\", restaurant: \"diner\"}) { wasTakenBack errors { code } } }",
                "mutation { recountFavorites(input: {}) { errors { code } } }",
                "{ favoriteRecounts { nodes { key } } }"
            })
    void whatItMustNotDoIsDeniedAndNothingChanges(String document) {
        assertThat(ask(ADA, document).code()).isEqualTo("PERMISSION_DENIED");
        assertThat(ask(ADA, document.replace("bob", "nobody")).text())
                .isEqualTo(ask(ADA, document).text());
        assertThat(ask(EVERYTHING, "{ user(id: \"bob\") { favorites { totalCount { count } } } }")
                        .data()
                        .at("/user/favorites/totalCount/count")
                        .asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"isFavorite(user: \"bob\")", "favoritedBy { totalCount { count } }"})
    void whoMayOnlyReadRankingsSeesNoMarks(String field) {
        assertThat(ask("VIEWER ALL", "{ restaurant(id: \"pizzeria\") { " + field + " } }")
                        .code())
                .isEqualTo("PERMISSION_DENIED");
    }
}
