package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class InvalidInputTest {

    private final InvalidInput max = new InvalidInput("INVALID_MAX", "max", "must be at least 1, not 0");
    private final InvalidInput stores =
            InvalidInput.sentence("INVALID_STORES", "stores", "exactly one of stores and allStores must be given");

    @Test
    void sentenceIsMadeOfFieldAndRule() {
        assertThat(max).hasMessage("max must be at least 1, not 0");
        assertThat(max.rule()).isEqualTo("must be at least 1, not 0");
        assertThat(max.isSentence()).isFalse();
    }

    @Test
    void sentenceOfItsOwnIsLeftAsItIs() {
        var file = new InvalidInput("EMPTY_FILE", "file", "The file of stores is empty");

        assertThat(stores).hasMessage("exactly one of stores and allStores must be given");
        assertThat(stores.rule()).isEqualTo(stores.getMessage());
        assertThat(stores.isSentence()).isTrue();
        assertThat(file).hasMessage("The file of stores is empty");
        assertThat(file.isSentence()).isTrue();
    }

    @Test
    void renamedFieldHasTheNewNameInTheSentence() {
        var renamed = max.renamed("size");

        assertThat(renamed.code()).isEqualTo("INVALID_MAX");
        assertThat(renamed.field()).isEqualTo("size");
        assertThat(renamed).hasMessage("size must be at least 1, not 0");
        assertThat(stores.renamed("ids").field()).isEqualTo("ids");
        assertThat(stores.renamed("ids")).hasMessage(stores.getMessage());
    }

    @Test
    void fieldAtAnotherPathKeepsItsWords() {
        assertThat(max.at("input.max").field()).isEqualTo("input.max");
        assertThat(max.at("input.max")).hasMessage(max.getMessage());
        assertThat(max.within("input.rules.2").field()).isEqualTo("input.rules.2.max");
        assertThat(max.within("input.rules.2")).hasMessage(max.getMessage());
        assertThat(max.within("input").rule()).isEqualTo(max.rule());
    }
}
