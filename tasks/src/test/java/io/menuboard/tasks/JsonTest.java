package io.menuboard.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JsonTest {
    private static final String LONGEST_NAME = "n".repeat(1_000);

    @Test
    void namesHaveAtMostAThousandCharacters() {
        assertThat(Json.of("payload", Map.of(LONGEST_NAME, true)).members()).containsOnlyKeys(LONGEST_NAME);
        assertThatThrownBy(() -> Json.of("payload", List.of(Map.of(LONGEST_NAME + "n", true))))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("names of at most 1000 characters");
        assertThatThrownBy(() -> Json.parse("payload", "{\"%s\":1}".formatted("n".repeat(60_000))))
                .isInstanceOf(InvalidInput.class)
                .hasMessageEndingWith("names of at most 1000 characters");
    }

    @Test
    void whateverNamesAreStoredAreRead() {
        var longName = "n".repeat(60_000);
        var sameHash = IntStream.range(0, 1_024)
                .mapToObj(JsonTest::nameOfOneHash)
                .collect(Collectors.toMap(Function.identity(), _ -> true));

        assertThat(Json.stored("{\"%s\":true}".formatted(longName)).members()).containsOnlyKeys(longName);
        assertThat(Json.of("payload", sameHash).tree()).isEqualTo(sameHash);
    }

    @Test
    void whatCannotBeReadIsNotToldInFull() {
        assertThatThrownBy(Json.stored("{\"secret")::tree)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("stored JSON of 8 bytes cannot be read");
    }

    /** A name for each number; the library's hash, which multiplies by 33, is the same for all of them. */
    private static String nameOfOneHash(int number) {
        return IntStream.range(0, 10)
                .mapToObj(bit -> ((number >> bit) & 1) == 0 ? "ab" : "bA")
                .collect(Collectors.joining());
    }
}
