package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PageRequestTest {

    private static final PageLimits LIMITS = PageLimits.standard();

    @Test
    void withoutArgumentsItIsTheFirstPageOfDefaultSize() {
        assertThat(PageRequest.of(null, null, null, null, LIMITS)).isEqualTo(PageRequest.forward(64, null));
    }

    @Test
    void aCursorAloneDecidesTheDirection() {
        assertThat(PageRequest.of(null, "c", null, null, LIMITS)).isEqualTo(PageRequest.forward(64, "c"));
        assertThat(PageRequest.of(null, null, null, "c", LIMITS)).isEqualTo(PageRequest.backward(64, "c"));
    }

    @Test
    void everySizeFromOneToTheMaximumIsAllowed() {
        assertThat(PageRequest.of(1, null, null, null, LIMITS)).isEqualTo(PageRequest.forward(1, null));
        assertThat(PageRequest.of(2048, "c", null, null, LIMITS)).isEqualTo(PageRequest.forward(2048, "c"));
        assertThat(PageRequest.of(null, null, 1, null, LIMITS)).isEqualTo(PageRequest.backward(1, null));
        assertThat(PageRequest.of(null, null, 2048, "c", LIMITS)).isEqualTo(PageRequest.backward(2048, "c"));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "0,    -, -,    -, first,  'first must be between 1 and 2048, not 0'",
                "-1,   c, -,    -, first,  'first must be between 1 and 2048, not -1'",
                "2049, -, -,    -, first,  'first must be between 1 and 2048, not 2049'",
                "-,    -, 0,    -, last,   'last must be between 1 and 2048, not 0'",
                "-,    -, 2049, c, last,   'last must be between 1 and 2048, not 2049'",
                "1,    -, 1,    -, last,   'first and last cannot be combined; give one of them'",
                "0,    c, 0,    c, last,   'first and last cannot be combined; give one of them'",
                "1,    -, -,    c, first,  'first goes with after; use last with before'",
                "-,    c, 1,    -, last,   'last goes with before; use first with after'",
                "-,    c, -,    c, before, 'after and before cannot be combined; give one of them'"
            })
    void anythingElseIsRefusedNamingFieldAndRule(
            @Nullable Integer first,
            @Nullable String after,
            @Nullable Integer last,
            @Nullable String before,
            String field,
            String message) {
        var thrown = catchThrowableOfType(InvalidInput.class, () -> PageRequest.of(first, after, last, before, LIMITS));

        assertThat(thrown.code()).isEqualTo("INVALID_PAGE");
        assertThat(thrown.field()).isEqualTo(field);
        assertThat(thrown).hasMessage(message);
    }

    @Test
    void noPageIsSmallerThanOneEdge() {
        var thrown = catchThrowableOfType(InvalidInput.class, () -> PageRequest.backward(0, null));

        assertThat(thrown.field()).isEqualTo("last");
        assertThat(thrown).hasMessage("last must be at least 1, not 0");
    }
}
