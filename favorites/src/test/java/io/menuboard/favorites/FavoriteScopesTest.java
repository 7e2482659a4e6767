package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.PAGE;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static io.menuboard.favorites.FavoritesFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.favorites.Recount.Mode;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who may see and mark for one user does that, and nothing for any other. */
class FavoriteScopesTest {
    private static final UserId ADA = user("ada");
    private static final UserId BOB = user("bob");
    private static final UserId NOBODY = user("nobody");
    private static final RestaurantId PIZZERIA = restaurant("pizzeria");
    private static final RestaurantId DINER = restaurant("diner");
    private static final Access CLIENT = with(new Grant(Role.FAVORITES_CLIENT, new Scope.Only(Scope.Kind.USER, "ada")));

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private FavoritesFixture fixture;
    private Favorites favorites;

    private static Access with(Grant... grants) {
        return new Access(new Principal("c1", Actor.Kind.TOKEN, "app", Set.of(grants)), Actor.Source.GRAPHQL);
    }

    @BeforeEach
    void mark() {
        fixture = new FavoritesFixture(table.queryDb(clock), clock);
        favorites = fixture.favorites;
        favorites.favorite(GRACE, ADA, PIZZERIA);
        favorites.favorite(GRACE, BOB, PIZZERIA);
        favorites.favorite(GRACE, BOB, DINER);
    }

    @Test
    void marksAndUnmarksForItsUserOnly() {
        assertThat(favorites.favorite(CLIENT, ADA, DINER).isNew()).isTrue();
        assertThat(favorites.unfavorite(CLIENT, ADA, DINER)).isPresent();
        denied(() -> favorites.favorite(CLIENT, BOB, restaurant("new")));
        denied(() -> favorites.unfavorite(CLIENT, BOB, DINER));

        assertThat(favorites.favorites(GRACE, BOB, PAGE).nodes()).hasSize(2);
    }

    @Test
    void ofOthersNothingIsMarked() {
        assertThat(favorites.find(CLIENT, ADA, PIZZERIA)).isPresent();
        assertThat(favorites.isFavorite(CLIENT, ADA, PIZZERIA)).isTrue();
        assertThat(favorites.isFavorite(CLIENT, BOB, PIZZERIA)).isFalse();
        assertThat(favorites.find(CLIENT, BOB, PIZZERIA)).isEmpty();
        assertThat(favorites.findAll(CLIENT, List.of(new Favorite.Id(BOB, PIZZERIA), new Favorite.Id(ADA, PIZZERIA))))
                .extracting(Favorite::user)
                .containsExactly(ADA);
        assertThat(favorites.favorites(CLIENT, ADA, PAGE).nodes()).hasSize(1);
        assertThat(shown(favorites.favorites(CLIENT, BOB, PAGE)))
                .isEqualTo(shown(favorites.favorites(CLIENT, NOBODY, PAGE)))
                .isEqualTo(shown(favorites.favorites(GRACE, NOBODY, PAGE)));
    }

    @Test
    void ofARestaurantItSeesTheMarkOfItsUserOnEveryPage() {
        for (var page : List.of(PAGE, PageRequest.forward(1, null), PageRequest.backward(1, null))) {
            var seen = favorites.favoritedBy(CLIENT, PIZZERIA, page);

            assertThat(seen.nodes()).extracting(Favorite::user).containsExactly(ADA);
            assertThat(seen.hasNextPage()).isFalse();
            assertThat(seen.hasPreviousPage()).isFalse();
            assertThat(seen.totalCount().count()).isEqualTo(1);
        }
        assertThat(shown(favorites.favoritedBy(CLIENT, DINER, PAGE)))
                .isEqualTo(shown(favorites.favoritedBy(CLIENT, restaurant("none"), PAGE)));
    }

    @Test
    void ofSeveralUsersItSeesTheNewestMarkFirstOnPagesOfTheirOwn() {
        var users = List.of(user("zoe"), ADA, user("moe"), user("joe"));
        var client = with(users.stream()
                .map(user -> new Grant(Role.FAVORITES_CLIENT, new Scope.Only(Scope.Kind.USER, user.value())))
                .toArray(Grant[]::new));
        for (var user : users) {
            clock.advance(Duration.ofSeconds(1));
            favorites.favorite(GRACE, user, DINER);
            favorites.favorite(GRACE, user, PIZZERIA);
        }
        var newestFirst = users.reversed();

        assertThat(favorites.favoritedBy(client, DINER, PAGE).nodes())
                .extracting(Favorite::user)
                .isEqualTo(newestFirst);
        var seen = new ArrayList<UserId>();
        @Nullable String cursor = null;
        boolean hasNext;
        do {
            var page = favorites.favoritedBy(client, DINER, PageRequest.forward(3, cursor));
            page.nodes().forEach(favorite -> seen.add(favorite.user()));
            assertThat(page.hasPreviousPage()).isEqualTo(cursor != null);
            cursor = page.endCursor();
            hasNext = page.hasNextPage();
        } while (hasNext);
        assertThat(seen).isEqualTo(newestFirst);
        assertThat(favorites
                        .favoritedBy(client, DINER, PageRequest.backward(2, cursor))
                        .nodes())
                .extracting(Favorite::user)
                .isEqualTo(newestFirst.subList(1, 3));
        var ofAnother = favorites.favoritedBy(client, PIZZERIA, PAGE).endCursor();
        for (var foreign : Arrays.asList("garbage", "ada", ofAnother)) {
            assertThatExceptionOfType(InvalidInput.class)
                    .isThrownBy(() -> favorites.favoritedBy(client, DINER, PageRequest.forward(1, foreign)))
                    .returns("INVALID_CURSOR", InvalidInput::code)
                    .returns("after", InvalidInput::field);
        }
    }

    @Test
    void rankingsAndCountsAreForWhoMayReadThemForWhateverPart() {
        assertThatCode(() -> fixture.rankings.top(CLIENT, FavoriteWindow.ALL_TIME, null, PAGE))
                .doesNotThrowAnyException();
        assertThatCode(() -> fixture.rankings.counts(CLIENT, PIZZERIA)).doesNotThrowAnyException();
        var nobody = with(Grant.of(Role.BILLING));
        var span = Span.at(FavoriteWindow.ALL_TIME, clock.instant());
        Stream.<ThrowingCallable>of(
                        () -> fixture.rankings.top(nobody, FavoriteWindow.ALL_TIME, null, PAGE),
                        () -> fixture.rankings.walk(nobody, FavoriteWindow.ALL_TIME, null, PAGE),
                        () -> fixture.rankings.before(nobody, span),
                        () -> fixture.rankings.counts(nobody, PIZZERIA),
                        () -> fixture.rankings.counts(nobody, List.of(PIZZERIA)),
                        () -> favorites.favorite(nobody, ADA, PIZZERIA),
                        () -> favorites.unfavorite(nobody, ADA, PIZZERIA),
                        () -> favorites.find(nobody, ADA, PIZZERIA),
                        () -> favorites.findAll(nobody, List.of(new Favorite.Id(ADA, PIZZERIA))),
                        () -> favorites.favorites(nobody, ADA, PAGE),
                        () -> favorites.favoritedBy(nobody, PIZZERIA, PAGE))
                .forEach(FavoriteScopesTest::denied);
    }

    @Test
    void recountsAreForOperators() {
        var operator = with(Grant.of(Role.OPERATOR));
        var recounts = fixture.recounts;
        var id = recounts.start(operator, Mode.CHECK, PIZZERIA).id();

        assertThat(recounts.find(operator, id))
                .hasValueSatisfying(recount -> assertThat(recount.by()).isEqualTo(operator.actor()));
        Stream.<ThrowingCallable>of(
                        () -> recounts.start(CLIENT, Mode.CORRECT, null),
                        () -> recounts.startOnce(CLIENT, "key", Mode.CORRECT, null),
                        () -> recounts.find(CLIENT, id),
                        () -> recounts.findAll(CLIENT, List.of(id)),
                        () -> recounts.list(CLIENT, PAGE),
                        () -> recounts.lastOfAll(CLIENT),
                        () -> recounts.drifts(CLIENT, id, PAGE))
                .forEach(FavoriteScopesTest::denied);
        assertThat(recounts.list(GRACE, PAGE).nodes()).hasSize(1);
    }

    /** Marks that were not counted would be, if it ran. */
    @Test
    void aRecountIsRefusedOnceWhoAskedMayNotAnyMore() {
        var operator = with(Grant.of(Role.OPERATOR));
        fixture.current = actor -> "c1".equals(actor.id())
                ? new Access(new Principal("c1", actor.kind(), actor.name(), Set.of()), actor.source())
                : CurrentAccess.EVERYTHING.of(actor);
        var asked = fixture.recounts.start(operator, Mode.CORRECT, PIZZERIA);
        try (var workers = WorkersFixture.workers(fixture.tasks, fixture.recountWork.work())) {
            workers.start();

            var task = Awaitility.await()
                    .until(
                            () -> fixture.tasks
                                    .reads()
                                    .find(TasksFixture.STAFF, Objects.requireNonNull(asked.task()))
                                    .orElseThrow(),
                            one -> one.status().isFinished());

            assertThat(task.status()).isEqualTo(TaskStatus.DEAD);
            assertThat(task.reason()).isEqualTo("app, who asked for it, may not recount any more");
        }
        assertThat(fixture.recounts.find(GRACE, asked.id())).hasValueSatisfying(recount -> {
            assertThat(recount.checked()).isZero();
            assertThat(recount.finishedAt()).isNull();
        });
        assertThat(fixture.counted("pizzeria").get(FavoriteWindow.ALL_TIME)).isZero();
    }

    private static void denied(ThrowingCallable use) {
        assertThatThrownBy(use).isInstanceOf(Denied.class);
    }

    private static Object shown(Page<?> page) {
        return List.of(page.nodes(), page.hasNextPage(), page.hasPreviousPage(), page.totalCount());
    }
}
