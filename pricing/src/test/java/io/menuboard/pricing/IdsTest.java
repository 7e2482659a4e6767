package io.menuboard.pricing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.kernel.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "A#B", "#", " A", "A ", "A\nB", "A\u0000", "A\u200B", "\uD800", "A\u2028B", ".", ".."})
    void anIdThatCannotBePartOfAKeyIsRefused(String id) {
        assertThatThrownBy(() -> new ProductId(id)).isInstanceOfSatisfying(InvalidInput.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("INVALID_ID");
            assertThat(refusal.field()).isEqualTo("product");
            assertThat(refusal).hasMessageStartingWith("product must ");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "DE-0001", "Crème brûlée", "牛丼", "a/b:c.d_e", "...", "🍔"})
    void anyOtherTextIsAnId(String id) {
        assertThat(new ProductId(id)).hasToString(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Crème", "A B", "牛丼", "A\u00A0B"})
    void aStoresIdIsAsciiBecauseItsChangesGoThroughAQueue(String id) {
        assertThatThrownBy(() -> new StoreId(id))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("store must have letters, digits and punctuation of ASCII only");
    }

    @Test
    void aStoresIdMayHavePunctuation() {
        assertThat(new StoreId("a/b:c.d_e!\"~")).hasToString("a/b:c.d_e!\"~");
    }

    @Test
    void anIdHasAtMost64Characters() {
        assertThat(new StoreId("x".repeat(64)).value()).hasSize(64);
        assertThatThrownBy(() -> new StoreId("x".repeat(65))).hasMessage("store must have at most 64 characters");
    }
}
