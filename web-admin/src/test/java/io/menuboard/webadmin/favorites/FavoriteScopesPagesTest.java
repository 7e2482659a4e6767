package io.menuboard.webadmin.favorites;

import static io.menuboard.webadmin.pages.FavoritesSample.restaurant;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.webadmin.pages.FavoritesSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of favorites as the client of one user sees them, and others who may not see all. */
class FavoriteScopesPagesTest {
    private static final FavoritesSample SAMPLE =
            FavoritesSample.start("favorite-scopes", Map.of(HeaderPrincipals.SETTING, true));
    private static final String CLIENT = "FAVORITES_CLIENT USER#user-2";
    private static final int PAGES = 60;

    private final PagesServer server = SAMPLE.server();

    private Answer get(String path) {
        return get(CLIENT, path);
    }

    private Answer get(String grant, String path) {
        return server.send(path, Map.of(HeaderPrincipals.GRANT, grant));
    }

    @Test
    void ofARestaurantOnlyTheOwnMarkIsSeen() {
        var page = "/favorites/restaurants/" + restaurant(1);

        assertThat(get(page).html().select("#live tbody tr").eachText())
                .singleElement()
                .satisfies(row -> assertThat(row).startsWith("user-2"));
        assertThat(get(page + "/marks.csv").body().lines()).hasSize(2).anyMatch(line -> line.startsWith("user-2,"));
        assertThat(get("/favorites/restaurants/" + restaurant(FavoritesSample.MANY))
                        .html()
                        .select("#live")
                        .text())
                .contains("No mark of yours")
                .doesNotContain("user-1");
    }

    @Test
    void anotherUserIsAsOneWhoHasMarkedNothing() {
        var theirs = get("/favorites/users/user-1");
        var nobodys = get("/favorites/users/nobody");

        assertThat(theirs.status()).isEqualTo(nobodys.status());
        assertThat(theirs.html().text().replace("user-1", "nobody"))
                .isEqualTo(nobodys.html().text());
        assertThat(get("/favorites/users/user-1/marks.csv").body())
                .isEqualTo(get("/favorites/users/nobody/marks.csv").body());
        assertThat(get("/favorites/users/user-2").html().select("#live tbody tr"))
                .isNotEmpty();
    }

    @Test
    void onlyOfUsersWhoseMarksOneMaySeeItIsSaidThatTheyHaveMarkedNothing() {
        var theirs = get("/favorites/users/user-1").html();
        var own = get("FAVORITES_CLIENT USER#nobody", "/favorites/users/nobody").html();

        assertThat(theirs.select(".empty-title").text()).isEqualTo("No mark that you may see");
        assertThat(own.select(".empty-title").text()).isEqualTo("This user has marked nothing");
    }

    /** Links to what somebody may not open are left out. */
    @ParameterizedTest
    @CsvSource({
        "FAVORITES_CLIENT USER#user-2, /favorites",
        "VIEWER ALL, /favorites",
        "OPERATOR ALL, /favorites/recounts"
    })
    void everyLinkOfThePagesOfFavoritesLeadsSomewhere(String grant, String begin) {
        var found = new HashSet<String>();
        var left = new ArrayDeque<>(List.of(begin));
        for (var asked = 0; !left.isEmpty() && asked < PAGES; asked++) {
            var path = left.remove();
            var answer = get(grant, path);

            assertThat(answer.status()).as(path).isLessThan(400);
            var main = answer.header("Content-Type").startsWith("text/html")
                    ? answer.html().selectFirst("main")
                    : null;
            if (main != null) {
                main.select("a[href^=/favorites]").stream()
                        .map(link -> link.attr("href"))
                        .filter(found::add)
                        .forEach(left::add);
            }
        }
        assertThat(found).isNotEmpty();
    }
}
