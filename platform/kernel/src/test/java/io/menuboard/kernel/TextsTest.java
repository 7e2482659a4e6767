package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsTest {
    private static final String BURGER = Character.toString(0x1F354);
    private static final char HIGH = BURGER.charAt(0);
    private static final char LOW = BURGER.charAt(1);

    @ParameterizedTest
    @ValueSource(
            ints = {0, 8, 0x1b, 0x7f, 0x85, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069})
    void refusesCharactersThatNoTextMayHave(int codePoint) {
        var text = "a" + Character.toString(codePoint) + "b";

        assertThatThrownBy(() -> Texts.check("INVALID_NAME", "name", text, 200))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> {
                    assertThat(refused.code()).isEqualTo("INVALID_NAME");
                    assertThat(refused.field()).isEqualTo("name");
                });
        assertThatThrownBy(() -> Texts.checkOptional("INVALID_NAME", "name", text, 200))
                .isInstanceOf(InvalidInput.class);
        assertThat(Texts.fitted(text, 200)).isEqualTo("a\uFFFDb");
    }

    @Test
    void refusesHalvesOfCharacters() {
        for (var text : new String[] {"a" + HIGH, LOW + "b", "" + LOW + HIGH}) {
            assertThatThrownBy(() -> Texts.check("INVALID_NAME", "name", text, 200))
                    .isInstanceOf(InvalidInput.class)
                    .hasMessageContaining("half of a character");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Rote Grütze", "two\tparts\r\nand lines", "قهوة", "\u200Fקפה", "👨‍👩‍👧 menu", "नमस्ते"})
    void takesWhatPeopleType(String text) {
        assertThatCode(() -> Texts.check("INVALID_NAME", "name", text, 200)).doesNotThrowAnyException();
        assertThat(Texts.fitted(text, 200)).isEqualTo(text);
    }

    @Test
    void refusesTooFewAndTooManyCharacters() {
        assertThatThrownBy(() -> Texts.check("INVALID_NAME", "name", " \t", 3))
                .hasMessage("name must have 1 to 3 characters, not only blanks");
        assertThatThrownBy(() -> Texts.check("INVALID_NAME", "name", "abcd", 3))
                .hasMessage("name must have 1 to 3 characters, not only blanks");
        assertThatThrownBy(() -> Texts.checkOptional("INVALID_NAME", "name", "abcd", 3))
                .hasMessage("name must have at most 3 characters");
        assertThatCode(() -> Texts.checkOptional("INVALID_NAME", "name", "", 3)).doesNotThrowAnyException();
    }

    @Test
    void cutsBetweenCharacters() {
        assertThat(Texts.cut("ab" + BURGER, 4)).isEqualTo("ab" + BURGER);
        assertThat(Texts.cut("ab" + BURGER, 3)).isEqualTo("ab");
        assertThat(Texts.cut("ab" + BURGER, 2)).isEqualTo("ab");
        assertThat(Texts.fitted("ab" + BURGER, 3)).isEqualTo("ab");
    }
}
