package io.menuboard.favorites;

import static io.menuboard.favorites.FavoritesFixture.GRACE;
import static io.menuboard.favorites.FavoritesFixture.PAGE;
import static io.menuboard.favorites.FavoritesFixture.restaurant;
import static io.menuboard.favorites.FavoritesFixture.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.menuboard.favorites.Favorites.TakenBack;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

class FavoritesTest {
    private static final UserId ADA = user("ada");
    private static final RestaurantId PIZZERIA = restaurant("pizzeria");

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    private final MovingClock clock = new MovingClock();
    private Favorites favorites;

    @BeforeEach
    void open() {
        favorites = new FavoritesFixture(table.directQueryDb(clock), clock).favorites;
    }

    @Test
    void markingAgainDoesNotMoveTheDate() {
        var first = favorites.favorite(GRACE, ADA, PIZZERIA);
        clock.advance(Duration.ofDays(1));

        var again = favorites.favorite(GRACE, ADA, PIZZERIA);

        assertThat(first.isNew()).isTrue();
        assertThat(again).isEqualTo(new Favorites.Marked(first.favorite(), false));
        assertThat(favorites.favorites(GRACE, ADA, PAGE).nodes()).containsExactly(first.favorite());
        assertThat(favorites.favoritedBy(GRACE, PIZZERIA, PAGE).nodes()).containsExactly(first.favorite());
    }

    @Test
    void takingAMarkBackAgainDoesNothing() {
        var marked = favorites.favorite(GRACE, ADA, PIZZERIA).favorite();

        assertThat(favorites.unfavorite(GRACE, ADA, PIZZERIA)).contains(new TakenBack(marked, true));
        assertThat(favorites.unfavorite(GRACE, ADA, PIZZERIA)).isEmpty();
        assertThat(favorites.isFavorite(GRACE, ADA, PIZZERIA)).isFalse();
        assertThat(favorites.favorites(GRACE, ADA, PAGE).nodes()).isEmpty();
        assertThat(favorites.favoritedBy(GRACE, PIZZERIA, PAGE).nodes()).isEmpty();
    }

    @Test
    void aMarkThatThisVersionCannotReadIsOneAllTheSame() {
        favorites.favorite(GRACE, ADA, PIZZERIA);
        table.queryDb(clock)
                .update(Update.of(DynamoFavorites.key(ADA, PIZZERIA)).set("created", "x"));

        assertThat(favorites.areFavorites(GRACE, ADA, List.of(restaurant("other"), PIZZERIA)))
                .containsExactly(false, true);
        assertThat(favorites.isFavorite(GRACE, ADA, PIZZERIA)).isTrue();
    }

    @RepeatedTest(5)
    void ofManyWhoTakeAMarkBackAtOnceOneIsCertainThatItDid() {
        favorites.favorite(GRACE, ADA, PIZZERIA);

        var taken = takenBackAtOnce(favorites);

        assertThat(taken).singleElement().returns(true, TakenBack::isCertain);
    }

    @Test
    void whoLostTheAnswerIsNotCertainThatItTookTheMarkBack() {
        var db = table.queryDb(clock);
        var others = new FavoritesFixture(db, clock).favorites;
        others.favorite(GRACE, ADA, PIZZERIA);
        table.faults().inject(Fault.REPLY_LOST, "DeleteItem", 1);
        assertThat(others.unfavorite(GRACE, ADA, PIZZERIA))
                .hasValueSatisfying(taken -> assertThat(taken.isCertain()).isFalse());
        assertThat(others.isFavorite(GRACE, ADA, PIZZERIA)).isFalse();

        others.favorite(GRACE, ADA, PIZZERIA);
        table.faults().inject(Fault.REPLY_LOST, "DeleteItem", 4);
        assertThat(takenBackAtOnce(others)).filteredOn(TakenBack::isCertain).hasSizeLessThan(2);
        assertThat(others.isFavorite(GRACE, ADA, PIZZERIA)).isFalse();
    }

    @Test
    void aMarkThatWasTakenBackWhileItWasMadeDoesNotComeBackUnderItsNumber() {
        var numbers = new ArrayList<String>();
        var puts = new AtomicInteger();
        var meanwhile = InterruptedClient.before(
                request -> request instanceof PutItemRequest && puts.incrementAndGet() == 2, 1, table.client(), () -> {
                    numbers.add(number());
                    assertThat(favorites.unfavorite(GRACE, ADA, PIZZERIA)).isPresent();
                });
        table.faults().inject(Fault.REPLY_LOST, "PutItem", 1);

        var marked =
                new FavoritesFixture(table.queryDb(meanwhile, clock), clock).favorites.favorite(GRACE, ADA, PIZZERIA);

        assertThat(marked.isNew()).isTrue();
        assertThat(number()).isNotEqualTo(numbers.getFirst());
    }

    @Test
    void whoLostTheAnswerHasMadeTheMarkOnce() {
        table.faults().inject(Fault.REPLY_LOST, "PutItem", 1);

        var marked = new FavoritesFixture(table.queryDb(clock), clock).favorites.favorite(GRACE, ADA, PIZZERIA);

        assertThat(marked.isNew()).isTrue();
        assertThat(favorites.find(GRACE, ADA, PIZZERIA)).contains(marked.favorite());
    }

    private String number() {
        var key = DynamoFavorites.key(ADA, PIZZERIA);
        return table.directQueryDb(clock)
                .get(key, Consistency.STRONG)
                .orElseThrow()
                .string("mark");
    }

    private static List<TakenBack> takenBackAtOnce(Favorites favorites) {
        return Concurrently.map(16, Collections.nCopies(16, ADA), user -> favorites.unfavorite(GRACE, user, PIZZERIA))
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void aMarkThatIsMadeAnewHasANewDate() {
        favorites.favorite(GRACE, ADA, PIZZERIA);
        favorites.unfavorite(GRACE, ADA, PIZZERIA);
        clock.advance(Duration.ofDays(1));

        var anew = favorites.favorite(GRACE, ADA, PIZZERIA);

        assertThat(anew.isNew()).isTrue();
        assertThat(favorites.find(GRACE, ADA, PIZZERIA))
                .contains(new Favorite(ADA, PIZZERIA, Instant.parse("2036-06-16T12:00:00Z")));
    }

    @Test
    void ofManyWhoMarkAtOnceOneMakesTheMark() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Favorites.Marked> mark = () -> favorites.favorite(GRACE, ADA, PIZZERIA);
            var marked = new ArrayList<Favorites.Marked>();
            for (var future :
                    threads.invokeAll(Stream.generate(() -> mark).limit(16).toList())) {
                marked.add(future.get());
            }

            assertThat(marked).filteredOn(Favorites.Marked::isNew).hasSize(1);
            assertThat(marked)
                    .extracting(Favorites.Marked::favorite)
                    .containsOnly(marked.getFirst().favorite());
        }
    }

    @Test
    void listsHaveTheNewestFirstAndPageBothWays() {
        var random = new Random(7);
        var ofAda = new ArrayList<Favorite>();
        var ofPizzeria = new ArrayList<Favorite>();
        for (var i = 0; i < 40; i++) {
            clock.advance(Duration.ofMillis(1 + random.nextInt(100_000)));
            ofAda.addFirst(favorites
                    .favorite(GRACE, ADA, restaurant("r" + random.nextInt(1_000_000)))
                    .favorite());
            ofPizzeria.addFirst(favorites
                    .favorite(GRACE, user("u" + random.nextInt(1_000_000)), PIZZERIA)
                    .favorite());
        }

        for (var size : List.of(1, 7, 40, 50)) {
            assertThat(forward(size, page -> favorites.favorites(GRACE, ADA, page)))
                    .isEqualTo(ofAda);
            assertThat(backward(size, page -> favorites.favorites(GRACE, ADA, page)))
                    .isEqualTo(ofAda);
            assertThat(forward(size, page -> favorites.favoritedBy(GRACE, PIZZERIA, page)))
                    .isEqualTo(ofPizzeria);
            assertThat(backward(size, page -> favorites.favoritedBy(GRACE, PIZZERIA, page)))
                    .isEqualTo(ofPizzeria);
        }
    }

    static <T> List<T> forward(int size, Function<PageRequest, Page<T>> list) {
        var all = new ArrayList<T>();
        var page = list.apply(PageRequest.forward(size, null));
        all.addAll(page.nodes());
        while (page.hasNextPage()) {
            page = list.apply(PageRequest.forward(size, page.endCursor()));
            assertThat(page.hasPreviousPage()).isTrue();
            all.addAll(page.nodes());
        }
        return all;
    }

    static <T> List<T> backward(int size, Function<PageRequest, Page<T>> list) {
        var all = new ArrayList<T>();
        var page = list.apply(PageRequest.backward(size, null));
        all.addAll(page.nodes());
        while (page.hasPreviousPage()) {
            page = list.apply(PageRequest.backward(size, page.startCursor()));
            assertThat(page.hasNextPage()).isTrue();
            all.addAll(0, page.nodes());
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a#b", "a\u0000", "12345678901234567890123456789012345678901234567890123456789012345"})
    void idsThatBreakARuleAreRefusedByName(String id) {
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> new UserId(id))
                .returns("INVALID_ID", InvalidInput::code)
                .returns("user", InvalidInput::field);
        assertThatExceptionOfType(InvalidInput.class)
                .isThrownBy(() -> new RestaurantId(id))
                .returns("restaurant", InvalidInput::field);
    }

    @Test
    void marksOfARestaurantAreSpreadOverItsShards() {
        var marks = new DynamoFavorites(table.directQueryDb(clock), new Random(), 16);
        var perShard = new long[16];
        IntStream.range(0, 100_000).forEach(i -> perShard[marks.shard(user("user-" + i))]++);

        // At 5,000 marks a second, each with a write unit for its place in the index.
        assertThat(Arrays.stream(perShard).max().orElseThrow()).isLessThan(100_000L * 400 / 5_000);
    }
}
