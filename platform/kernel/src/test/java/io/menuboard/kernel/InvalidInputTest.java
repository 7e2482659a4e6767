package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class InvalidInputTest {

    private static final InvalidInput MAX = new InvalidInput("INVALID_MAX", "max", "must be at least 1, not 0");
    private static final InvalidInput STORES =
            InvalidInput.sentence("INVALID_STORES", "stores", "exactly one of stores and allStores must be given");

    @Test
    void sentenceIsMadeOfFieldAndRule() {
        assertThat(MAX).hasMessage("max must be at least 1, not 0");
        assertThat(MAX.rule()).isEqualTo("must be at least 1, not 0");
        assertThat(MAX.isSentence()).isFalse();
    }

    @Test
    void sentenceOfItsOwnIsLeftAsItIs() {
        var file = new InvalidInput("EMPTY_FILE", "file", "The file of stores is empty");

        assertThat(STORES).hasMessage("exactly one of stores and allStores must be given");
        assertThat(STORES.rule()).isEqualTo(STORES.getMessage());
        assertThat(STORES.isSentence()).isTrue();
        assertThat(file).hasMessage("The file of stores is empty");
        assertThat(file.isSentence()).isTrue();
    }

    @Test
    void renamedFieldHasTheNewNameInTheSentence() {
        var renamed = MAX.renamed("size");

        assertThat(renamed.code()).isEqualTo("INVALID_MAX");
        assertThat(renamed.field()).isEqualTo("size");
        assertThat(renamed).hasMessage("size must be at least 1, not 0");
        assertThat(STORES.renamed("ids").field()).isEqualTo("ids");
        assertThat(STORES.renamed("ids")).hasMessage(STORES.getMessage());
    }

    @Test
    void fieldAtAnotherPathKeepsItsWords() {
        assertThat(MAX.at("input.max").field()).isEqualTo("input.max");
        assertThat(MAX.at("input.max")).hasMessage(MAX.getMessage());
        assertThat(MAX.within("input.rules.2").field()).isEqualTo("input.rules.2.max");
        assertThat(MAX.within("input.rules.2")).hasMessage(MAX.getMessage());
        assertThat(MAX.within("input").rule()).isEqualTo(MAX.rule());
    }
}
