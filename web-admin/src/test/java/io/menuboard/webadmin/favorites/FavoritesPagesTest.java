package io.menuboard.webadmin.favorites;

import static io.menuboard.webadmin.pages.FavoritesSample.recountPage;
import static io.menuboard.webadmin.pages.FavoritesSample.restaurantPage;
import static io.menuboard.webadmin.pages.FavoritesSample.userPage;
import static io.menuboard.webadmin.pages.PagesServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.FavoritesAt;
import io.menuboard.favorites.Rankings;
import io.menuboard.favorites.Recount;
import io.menuboard.favorites.Recounts;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.coordination.InstanceLeases;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.webadmin.pages.FavoritesSample;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What the server sends about favorites. What holds for every page is in {@code PagesTest}. */
class FavoritesPagesTest {
    private static final FavoritesSample SAMPLE = FavoritesSample.shared();
    private static final String YESTERDAY = SAMPLE.today().minusDays(1).toString();

    private static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    /** A file is read in parts of 512 rows. */
    private static final int MORE_THAN_A_PART = 520;

    /** Whose address follows what is shown. */
    static final List<String> LISTS = List.of(
            "/favorites?first=16",
            "/favorites?window=LAST_7_DAYS",
            "/favorites?window=DAY&on=" + YESTERDAY + "&first=16",
            restaurantPage(FavoritesSample.restaurant(1)) + "?by=months",
            userPage(FavoritesSample.FAN) + "?first=16");

    /** Which ask again by themselves while a recount is on its way. */
    static final List<String> LIVE = List.of("/favorites/recounts", recountPage(SAMPLE.found()));

    private final PagesServer server = SAMPLE.server();

    @ParameterizedTest
    @FieldSource("LISTS")
    void sendsHtmxThePartOfTheSameTemplateThatChanges(String list) {
        ListPages.assertAddressFollows(server, list);
    }

    @ParameterizedTest
    @FieldSource("LIVE")
    void sendsHtmxTheSamePartWhereAPageAsksAgain(String page) {
        ListPages.assertAddressStays(server, page);
    }

    @Test
    void pagesForwardAndBackThroughTheSameRows() {
        for (var list : List.of(
                "/favorites?first=16",
                "/favorites?window=DAY&on=" + YESTERDAY + "&first=16",
                restaurantPage(FavoritesSample.restaurant(1)) + "?first=4",
                userPage(FavoritesSample.FAN) + "?first=16",
                "/favorites/recounts?first=1",
                recountPage(SAMPLE.found()) + "?first=1")) {
            ListPages.assertPagesBothWays(server, list);
        }
    }

    @Test
    void everyLinkLeadsSomewhere() {
        ListPages.assertLinksLeadSomewhere(server, SAMPLE.pages());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /favorites?window=DECADE                       | window
                    /favorites?window=day                          | window
                    /favorites?on=2026-01-01                       | on
                    /favorites?after=forged                        | after
                    /favorites?first=0                             | first
                    /favorites?window=WEEK&before=1.1.1.forged     | before
                    /favorites/restaurants/restaurant-01?after=x   | after
                    /favorites/users/user-1?first=many             | first
                    /favorites/recounts?after=forged               | after
                    """)
    void saysAboveTheListWhichPartOfTheAddressIsWrong(String page, String field) {
        for (var answer : List.of(server.get(page), server.htmx(page))) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.html().select(".alert-error").text()).contains(field);
        }
        var wayOn = server.get(page).html().select("main a:contains(from its beginning)");
        assertThat(server.get(wayOn.attr("href")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /favorites?window=DAY&on=yesterday                | on         | Must be a day from 1970 on, such as 2026-03-01
                    /favorites?window=MONTH&on=2026-13-01             | on         | Must be a day from 1970 on, such as 2026-03-01
                    /favorites?window=WEEK&on=1969-12-31              | on         | Must be a day from 1970 on, such as 2026-03-01
                    /favorites/restaurants?restaurant=a%23b           | restaurant | Must not contain '#'
                    /favorites/restaurants?restaurant=                | restaurant | Must not be blank
                    /favorites/users?user=%3Cscript%3E%23             | user       | Must not contain '#'
                    """)
    void saysBesideTheFieldWhatIsWrongWithIt(String page, String field, String rule) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
        assertThat(answer.body()).doesNotContain("<script>");
    }

    @Test
    void refusesIdsThatNothingCanHave() {
        var tooLong = "x".repeat(65);

        for (var kind : List.of("restaurant", "user")) {
            var lookup = server.get("/favorites/" + kind + "s?" + kind + "=" + tooLong);

            assertThat(lookup.status()).isEqualTo(400);
            assertThat(lookup.html().select("#" + kind + "-error").text()).isEqualTo("Must have at most 64 characters");
            for (var wrong : List.of(tooLong, "a%23b")) {
                assertThat(server.get("/favorites/" + kind + "s/" + wrong).status())
                        .isEqualTo(400);
                assertThat(server.get("/favorites/" + kind + "s/" + wrong + "/marks.csv")
                                .status())
                        .isEqualTo(400);
            }
        }
        for (var wrong : List.of(
                "/favorites/restaurants/restaurant-01?by=years",
                "/favorites/recounts/today",
                "/favorites/recounts/new?mode=GUESS",
                "/favorites/ranking.csv?window=DECADE",
                "/favorites/ranking.csv?on=2026-01-01")) {
            assertThat(server.get(wrong).status()).as(wrong).isEqualTo(400);
        }
        var missing = server.get("/favorites/recounts/01JD8X0000000000000000000Z");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.html().select("main a").attr("href")).isEqualTo("/favorites/recounts");
    }

    @Test
    void showsHostileIdsAsText() {
        for (var page : List.of("/favorites", restaurantPage(PriceSample.ATTACK), userPage(PriceSample.ATTACK))) {
            var answer = server.get(page);

            assertThat(answer.body()).as(page).doesNotContain("<script>");
            assertThat(answer.html().select("main").text()).as(page).contains(PriceSample.ATTACK);
        }
    }

    @Test
    void showsSharedRanksAndHowTheyMovedInWords() {
        var html = server.get("/favorites").html();

        assertThat(html.select("#live tbody tr").eachText().subList(0, 6))
                .map(row -> row.replaceFirst(" [0-9-]{10} [0-9:]{8} UTC$", ""))
                .containsExactly(
                        "1 restaurant-01 – unchanged 13",
                        "2 newcomer ✱ new 12",
                        "3 restaurant-20 ▲ up 15 11",
                        "4= restaurant-03 ▼ down 2 10",
                        "4= restaurant-04 ▼ down 2 10",
                        "4= restaurant-05 ▼ down 2 10");
        assertThat(html.select("#live tbody .movement [aria-hidden]").eachText())
                .containsOnly("✱", "▲", "▼", "–");
        assertThat(html.select("#live .movement:contains(–) .visually-hidden").eachText())
                .containsOnly("unchanged");
        assertThat(html.select("#live .panel-note").text())
                .contains("Movement is since " + SAMPLE.today() + " 00:00 UTC.");
        assertThat(html.select("nav[aria-label=Which marks count] a").eachText())
                .hasSize(7);
        assertThat(html.select("nav[aria-label=Which marks count] a[aria-current=page]")
                        .text())
                .isEqualTo("All time");
    }

    @Test
    void saysThatARankIsSharedAcrossTheEndOfAPage() {
        var first = server.get("/favorites?first=4").html();
        var next = server.get(first.select("a[rel=next]").attr("href")).html();

        assertThat(first.select("#live .cell-rank").eachText()).containsExactly("1", "2", "3", "4=");
        assertThat(next.select("#live .cell-rank").eachText()).startsWith("4=", "4=", "7=");
    }

    @Test
    void stepsFromDayToDay() {
        var today = server.get("/favorites?window=DAY").html();
        var steps = today.select("nav[aria-label=Times before and after]");
        var before = server.get(steps.select("a").attr("href")).html();

        assertThat(today.select("#live .cell-main").eachText())
                .startsWith("newcomer", "restaurant-20")
                .doesNotContain(FavoritesSample.restaurant(40));
        assertThat(steps.select("a").attr("href")).isEqualTo("/favorites?window=DAY&on=" + YESTERDAY);
        assertThat(steps.select("[aria-disabled]").text())
                .contains(SAMPLE.today().plusDays(1).toString());
        assertThat(before.select("h2").getFirst().text()).endsWith(YESTERDAY);
        assertThat(before.select("#on").attr("value")).isEqualTo(YESTERDAY);
        assertThat(before.select("#live .cell-main").eachText()).doesNotContain("newcomer");
        assertThat(before.select("nav[aria-label=Times before and after] a")
                        .getLast()
                        .attr("href"))
                .isEqualTo("/favorites?window=DAY");
        assertThat(before.select("#live .panel-note").text()).contains("nothing to measure movement by");
    }

    @Test
    void leadsFromAPageThatIsNotKnownAnyMoreToTheBeginningOfItsDay() {
        var refused = server.get("/favorites?window=DAY&on=" + YESTERDAY + "&after=forged");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("h2").getFirst().text()).endsWith(YESTERDAY);
        assertThat(refused.html().select("main a[href]").eachAttr("href"))
                .contains("/favorites?window=DAY&on=" + YESTERDAY);
    }

    @Test
    void saysWhatToDoWhereNothingIsListed() {
        var longAgo = server.get("/favorites?window=MONTH&on=1999-12-24").html();
        assertThat(server.get("/favorites?window=DAY&on=9998-12-31").status()).isEqualTo(200);
        var week = server.get("/favorites?window=WEEK&on=1999-12-24").html();
        assertThat(week.select(".alert-warning")).isEmpty();
        assertThat(week.select("#live .panel-note").text()).contains("True as of 2000-01-28 00:00:00 UTC");
        var fresh = PagesServer.start("favorites-empty");
        var empty = fresh.get("/favorites").html();

        assertThat(longAgo.select(".empty").text()).contains("No restaurant was marked in this time", "400 days");
        assertThat(longAgo.select(".empty a").attr("href")).isEqualTo("/favorites?window=MONTH");
        assertThat(empty.select(".empty-title").text()).isEqualTo("No restaurant is marked yet");
        assertThat(empty.select(".alert-warning").text()).contains("Counting is behind", "Nothing was counted yet");
        assertThat(empty.select("p.panel-note")).isEmpty();
        assertThat(fresh.get("/favorites/recounts").html().select(".empty a").attr("href"))
                .isEqualTo("/favorites/recounts/new");
        assertThat(fresh.get("/favorites/recounts/new").html().select(".facts").text())
                .contains("There was none yet");
        assertThat(fresh.get("/favorites/ranking.csv").body().lines()).hasSize(1);
    }

    @Test
    void exportsTheWholeRanking() {
        var csv = server.get(
                server.get("/favorites?first=16").html().select("a[href*=.csv]").attr("href"));

        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"favorites-ALL_TIME.csv\"");
        assertThat(csv.body().lines())
                .hasSize(1 + FavoritesSample.MANY + 3)
                .startsWith("rank,position,restaurant,count,reachedAt,previousRank,movement,countedUntil")
                .anyMatch(line -> line.matches("2,2,newcomer,12,[^,]+,,,[^,]+Z"))
                .anyMatch(line -> line.matches("3,3,restaurant-20,11,[^,]+,18,15,[^,]+Z"));
        assertThat(server.get("/favorites/ranking.csv?window=DAY&on=" + YESTERDAY)
                        .header("Content-Disposition"))
                .contains("favorites-DAY-" + YESTERDAY + ".csv");
    }

    @Test
    void aRestaurantThatRisesWhileARankingIsReadHasOnePlaceAllTheSame() throws IOException {
        var moving = PagesServer.start("favorites-moving");
        var tasks = TasksInstance.of(moving::bean);
        var past =
                new FavoritesAt(moving.bean(QueryDb.class), tasks, tasks.reads().now());
        past.rank(IntStream.rangeClosed(1, MORE_THAN_A_PART)
                .boxed()
                .collect(Collectors.toMap(FavoritesPagesTest::numbered, number -> 1_000L - number)));
        var first = moving.get("/favorites?first=16").html();
        try (var csv = Objects.requireNonNull(
                moving.bean(FavoritesController.class).export(STAFF, null, null).body())) {
            past.rank(Map.of(numbered(20), 2_000L, numbered(MORE_THAN_A_PART), 2_001L));

            var next = moving.get(first.select("a[rel=next]").attr("href")).html();
            var rows = new String(csv.readAllBytes(), StandardCharsets.UTF_8).lines();

            assertThat(next.select("#live .cell-main").eachText())
                    .isEqualTo(IntStream.rangeClosed(17, 32)
                            .mapToObj(FavoritesPagesTest::numbered)
                            .toList());
            assertThat(next.select("#live .cell-rank").eachText()).startsWith("17", "18");
            assertThat(rows.skip(1).map(row -> row.split(",", -1)[2]))
                    .isEqualTo(IntStream.rangeClosed(1, MORE_THAN_A_PART)
                            .mapToObj(FavoritesPagesTest::numbered)
                            .toList());
        }
    }

    @Test
    void saysToWhoTurnsAPageThatCountingIsBehindOnlyWhereItWasOnTheFirstOne() {
        var late = PagesServer.start("favorites-late", PagesServer.MOVING_CLOCK);
        var clock = (MovingClock) late.bean(Clock.class);
        var past = new FavoritesAt(late.bean(QueryDb.class), TasksInstance.of(late::bean), clock.instant());
        past.rank(IntStream.rangeClosed(1, 20)
                .boxed()
                .collect(Collectors.toMap(FavoritesPagesTest::numbered, number -> 100L - number)));
        past.count();
        // The first view of all may take longer than a page waits for it.
        Awaitility.await().until(() -> late.bean(Rankings.class)
                .top(STAFF, FavoriteWindow.ALL_TIME, null, PageRequest.forward(1, null))
                .asOf()
                .equals(clock.instant()));
        var first = late.get("/favorites?first=16").html();
        clock.advance(Duration.ofMinutes(2));
        past.setTime(clock.instant());
        past.count();

        var next = late.get(first.select("a[rel=next]").attr("href")).html();
        clock.advance(Duration.ofMinutes(2));
        var behind = late.get("/favorites?first=16").html();
        var nextBehind = late.get(behind.select("a[rel=next]").attr("href")).html();

        for (var page : List.of(first, next)) {
            assertThat(page.select(".alert-warning")).isEmpty();
            assertThat(page.select("#live .panel-note").text()).contains("True as of 2036-06-15 12:00:00 UTC");
        }
        for (var page : List.of(behind, nextBehind)) {
            assertThat(page.select(".alert-warning").text()).contains("Counting is behind");
        }
        late.stop();
    }

    @Test
    void theFileOfARankingThatIsBeingCompletedSaysForWhichTimeItIsTrue() {
        var late = PagesServer.start("favorites-incomplete", PagesServer.MOVING_CLOCK);
        incomplete(late);

        var csv = late.get("/favorites/ranking.csv?window=DAY&on=2036-06-15").body();

        assertThat(csv.lines().skip(1)).singleElement().asString().matches("1,1,diner,1,.+,,,2036-06-15T11:59:00Z");
        late.stop();
    }

    @Test
    void doesNotSayThatCountingIsBehindWhereOnlyARankingIs() {
        var late = PagesServer.start("favorites-completing", PagesServer.MOVING_CLOCK);
        incomplete(late);

        var page = late.get("/favorites?window=DAY&on=2036-06-15").html();

        assertThat(page.select(".alert-warning").text())
                .contains("This ranking is being completed", "True as of 2036-06-15 11:59:00 UTC", "Look again")
                .doesNotContain("Counting is behind");
        late.stop();
    }

    /** The ranking of a day at which nobody has looked since its noon; two days later another instance completes it. */
    private static void incomplete(PagesServer late) {
        var clock = (MovingClock) late.bean(Clock.class);
        var past = new FavoritesAt(late.bean(QueryDb.class), TasksInstance.of(late::bean), clock.instant());
        past.mark("user-1", "diner");
        past.count();
        // The first view of all may take longer than a page waits for it.
        Awaitility.await().until(() -> late.bean(Rankings.class)
                .top(STAFF, FavoriteWindow.DAY, null, PageRequest.forward(1, null))
                .asOf()
                .equals(clock.instant()));
        clock.advance(Duration.ofDays(2));
        past.setTime(clock.instant());
        past.count();
        assertThat(late.bean(InstanceLeases.class).hold("favorite-rank-all-DAY", "another", Duration.ofMinutes(1)))
                .isTrue();
    }

    private static String numbered(int number) {
        return "r-%03d".formatted(number);
    }

    @Test
    void showsARestaurantsCountsItsBarsAndWhoMarkedIt() {
        var html = server.get(restaurantPage(FavoritesSample.NEWCOMER) + "?by=hours")
                .html();

        assertThat(html.select(".facts dd").eachText()).hasSize(7).containsOnly("12");
        assertThat(html.select("nav[aria-label=What is drawn] [aria-current]").text())
                .isEqualTo("Last 24 hours");
        assertThat(html.select("svg[role=img] desc").text()).startsWith("A bar for each hour. Most: 12 in ");
        assertThat(html.select("rect.chart-bar")).hasSize(1);
        assertThat(html.select("details tbody tr").eachText())
                .singleElement()
                .asString()
                .endsWith(" UTC 12");
        assertThat(html.select("#live tbody .cell-main").eachText()).hasSize(12).contains("user-7");
        assertThat(server.get(restaurantPage(FavoritesSample.NEWCOMER) + "?by=months")
                        .html()
                        .select("details tbody tr"))
                .hasSize(1);
        assertThat(server.get(restaurantPage(FavoritesSample.NEWCOMER) + "/marks.csv")
                        .body()
                        .lines())
                .hasSize(13)
                .startsWith("user,restaurant,markedAt");
    }

    @Test
    void showsWhatAUserHasMarkedNewestFirst() {
        var html = server.get(userPage(FavoritesSample.FAN)).html();

        assertThat(html.select("#live tbody .cell-main").eachText())
                .startsWith(FavoritesSample.NEWCOMER, FavoritesSample.SLASHED)
                .hasSize(FavoritesSample.MANY + 1)
                .doesNotContain(FavoritesSample.GONE);
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .hasSize(FavoritesSample.MANY + 2);
        assertThat(server.get(userPage("nobody")).html().select(".empty-title").text())
                .isEqualTo("This user has marked nothing");
        assertThat(server.get(restaurantPage("nowhere"))
                        .html()
                        .select(".empty-title")
                        .text())
                .isEqualTo("Nobody has marked this restaurant");
    }

    @Test
    void goesFromAnIdToItsPage() {
        var restaurant = server.get("/favorites/restaurants?restaurant=+" + encoded(FavoritesSample.SLASHED) + "+");
        var user = server.get("/favorites/users?user=user-1");

        assertThat(restaurant.status()).isEqualTo(303);
        assertThat(restaurant.header("Location")).isEqualTo(restaurantPage(FavoritesSample.SLASHED));
        assertThat(server.get(restaurant.header("Location")).html().select("h1").text())
                .isEqualTo(FavoritesSample.SLASHED);
        assertThat(user.header("Location")).isEqualTo("/favorites/users/user-1");
        assertThat(server.get("/favorites").html().select("form[role=search]").attr("action"))
                .isEqualTo("/favorites/restaurants");
    }

    @Test
    void showsWhatARecountFound() {
        var html = server.get(recountPage(SAMPLE.found())).html();

        assertThat(html.select("[data-summary]").getFirst().text())
                .isEqualTo("2 of 43 restaurants had counts that differ from the marks. Nothing was changed.");
        assertThat(html.select("#live tbody tr").eachText())
                .hasSize(2)
                .anyMatch(row -> row.startsWith(FavoritesSample.NOT_COUNTED)
                        && row.contains(" UTC 2 0 All time ranked 3 / counted 3 / marks 5")
                        && row.endsWith("Found, not corrected"))
                .anyMatch(row -> row.startsWith(FavoritesSample.GONE)
                        && row.contains(" UTC 0 1 All time ranked 3 / counted 3 / marks 2"));
        assertThat(html.select("#correct").text()).isEqualTo("Correct these");
        assertThat(server.get(html.select("#fact-Task").attr("href"))
                        .html()
                        .select("h1")
                        .text())
                .isEqualTo("menuboard.recount");
        assertThat(server.get(html.select("a[href*=.csv]").attr("href")).body().lines())
                .startsWith("restaurant,foundAt,outcome,notCounted,gone,window,ranked,counted,recounted")
                .anyMatch(line -> line.startsWith(FavoritesSample.NOT_COUNTED + ",")
                        && line.endsWith(",FOUND,2,0,ALL_TIME,3,3,5"));
        var operation = server.get("/operations").html().select("table a:contains(Recount)");
        assertThat(operation.eachAttr("href")).contains(recountPage(SAMPLE.found()));
    }

    @Test
    void saysThatEverythingAgrees() {
        var html = server.get(recountPage(SAMPLE.agreed())).html();

        assertThat(html.select("[data-summary]").getFirst().text()).isEqualTo("Every count is what the marks say.");
        assertThat(html.select(".empty-title").text()).isEqualTo("Nothing differed");
        assertThat(html.select("#correct")).isEmpty();
        assertThat(server.get("/favorites/recounts.csv").body().lines())
                .startsWith("recount,requestedAt,by,through,mode,restaurant,checked,drifted,finishedAt,task,undecided")
                .anyMatch(line -> line.startsWith(SAMPLE.agreed() + ",") && line.contains(",CHECK,restaurant-01,1,0,"));
    }

    @Test
    void saysHowManyAreUndecidedWhereOthersDiffer() {
        var fresh = PagesServer.start("favorites-undecided");
        var tasks = TasksInstance.of(fresh::bean);
        var now = tasks.reads().now();
        var past = new FavoritesAt(fresh.bean(QueryDb.class), tasks, now);
        past.mark("user-1", "unreadable");
        past.mark("user-1", "differs");
        past.count();
        past.mark("user-2", "differs");
        past.lose();
        fresh.bean(QueryDb.class)
                .update(Update.of(new Key("USER#user-1", "FAV#unreadable")).set("created", "x"));
        past.setTime(now.plusSeconds(30));
        past.count();
        var recounts = fresh.bean(Recounts.class);
        var recount = recounts.start(STAFF, Recount.Mode.CHECK, null).id();
        Awaitility.await()
                .until(() -> recounts.find(STAFF, recount).orElseThrow().finishedAt() != null);

        var csv = fresh.get("/favorites/recounts.csv").body();
        var list = fresh.get("/favorites/recounts").html();
        var leaderboard = fresh.get("/favorites").html();

        assertThat(csv.lines().skip(1))
                .singleElement()
                .asString()
                .contains(",CHECK,,2,1,")
                .endsWith(",1");
        assertThat(list.select("#live tbody .badge").text()).isEqualTo("1 differs, 1 undecided");
        assertThat(leaderboard.select("p.panel-note").text())
                .endsWith("UTC: 1 restaurant differed, and nothing was corrected. 1 undecided.");
        fresh.stop();
    }

    @Test
    void correctsAfterAQuestionAndSaysSoOnTheLeaderboard() {
        var question = server.get("/favorites/recounts/new?mode=CORRECT&restaurant=" + FavoritesSample.GONE)
                .html();
        var form = question.expectFirst("main form[method=post]");
        assertThat(question.select(".effect").text()).startsWith("Counts that differ become what the marks say");
        assertThat(form.select("#restaurant").attr("value")).isEqualTo(FavoritesSample.GONE);
        assertThat(question.select(".facts").text()).contains("43 restaurants, 2 of them differed");
        var refused = server.post(form.attr("action"), Map.of("mode", "CORRECT", "restaurant", "<b>#"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("#restaurant-error").text()).isEqualTo("Must not contain '#'");

        SAMPLE.caughtUp();
        var one = done(Map.of("mode", "CORRECT", "restaurant", FavoritesSample.GONE));
        SAMPLE.caughtUp();
        var all = done(Map.of("mode", "CORRECT", "restaurant", ""));

        assertThat(one.select("#live tbody tr").eachText())
                .singleElement()
                .asString()
                .endsWith("Corrected");
        assertThat(all.select("#live tbody .cell-main").eachText()).containsExactly(FavoritesSample.NOT_COUNTED);
        assertThat(all.select("#correct")).isEmpty();
        assertThat(server.get("/favorites").html().select("p.panel-note").text())
                .endsWith("UTC: 1 restaurant differed, corrected.");
        assertThat(server.get(restaurantPage(FavoritesSample.NOT_COUNTED))
                        .html()
                        .select(".facts dd")
                        .getFirst()
                        .text())
                .isEqualTo("5");
        assertThat(server.get("/favorites/recounts").html().select("tbody tr").eachText())
                .hasSizeGreaterThan(3)
                .allMatch(row -> row.contains("in the back office"));
    }

    @Test
    void startsOneRecountHoweverOftenAFormIsSent() {
        var key = hidden("/favorites/recounts/new", "Confirmation").get("key");
        var form = Map.of("key", key, "mode", "CHECK", "restaurant", FavoritesSample.restaurant(1));
        SAMPLE.caughtUp();
        done(form);

        var first = server.post("/favorites/recounts", form).header("Location");
        assertThat(server.post("/favorites/recounts", form).header("Location")).isEqualTo(first);

        var other = Map.of("key", key, "mode", "CHECK", "restaurant", FavoritesSample.restaurant(2));
        var refused = server.post("/favorites/recounts", other);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("[role=alert]").text()).contains("started another recount");
        assertThat(refused.html().select("#restaurant").attr("value")).isEqualTo(FavoritesSample.restaurant(2));
        assertThat(refused.html().select("input[name=key]").attr("value"))
                .isNotEmpty()
                .isNotEqualTo(key);
        assertThat(hidden(recountPage(SAMPLE.found()), "Correct these")).containsKey("key");
    }

    @Test
    void saysThatARecountWasGivenUpWhereItsTaskIsNoLongerKept() {
        var fresh = PagesServer.start("favorites-given-up");
        var recounts = fresh.bean(Recounts.class);
        var recount = recounts.start(STAFF, Recount.Mode.CHECK, null).id();
        Awaitility.await()
                .until(() -> recounts.find(STAFF, recount).orElseThrow().finishedAt() != null);
        fresh.bean(QueryDb.class)
                .update(Update.of(new Key("FAVRECOUNT#" + recount, "META"))
                        .set("task", "01JD8X0000000000000000000Z")
                        .remove("finishedAt"));

        var page = fresh.get(recountPage(recount)).html();
        var list = fresh.get("/favorites/recounts").html();

        assertThat(page.select("[data-summary]").getFirst().text())
                .isEqualTo("It was given up, and its task is no longer kept. Ask for another recount.");
        assertThat(list.select("tbody tr").text()).contains("Given up");
        for (var html : List.of(page, list)) {
            assertThat(html.select("#live > [hidden]")).isEmpty();
            assertThat(html.select("[data-refresh]")).isEmpty();
        }
    }

    private Map<String, String> hidden(String page, String form) {
        return server.get(page).html().select("form[aria-label=" + form + "] input[type=hidden]").stream()
                .collect(Collectors.toMap(field -> field.attr("name"), field -> field.attr("value")));
    }

    private Document done(Map<String, String> fields) {
        var answer = server.post("/favorites/recounts", fields);
        assertThat(answer.status()).isEqualTo(303);
        assertThat(server.get(answer.header("Location"))
                        .html()
                        .select(".alert-success")
                        .text())
                .startsWith("The recount is on its way.");
        Awaitility.await().until(() -> server.get(answer.header("Location"))
                .html()
                .select("#live > [hidden]")
                .isEmpty());
        return server.get(answer.header("Location")).html();
    }
}
