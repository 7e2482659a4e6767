package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {

    @ParameterizedTest
    @CsvSource({
        "EUR, 4.5, 4.50",
        "EUR, 4, 4.00",
        "JPY, 450, 450",
        "JPY, 450.00, 450",
        "KWD, 1.25, 1.250",
        "EUR, 0, 0.00"
    })
    void hasTheScaleOfItsCurrency(String currency, String amount, String expected) {
        var money = new Money(new BigDecimal(amount), Money.currencyOf(currency));

        assertThat(money.amount().toPlainString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "EUR, 4.999, TOO_MANY_DECIMALS",
        "JPY, 0.5, TOO_MANY_DECIMALS",
        "EUR, 1000000000000000, AMOUNT_TOO_LARGE"
    })
    void refusesWhatTheCurrencyCannotExpress(String currency, String amount, String code) {
        assertThatThrownBy(() -> new Money(new BigDecimal(amount), Money.currencyOf(currency)))
                .isInstanceOfSatisfying(InvalidInput.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo(code);
                    assertThat(refusal.field()).isEqualTo("amount");
                });
    }

    @Test
    void equalAmountsAreEqualHoweverTheyWereWritten() {
        var euro = Money.currencyOf("EUR");

        assertThat(new Money(new BigDecimal("4.5"), euro)).isEqualTo(new Money(new BigDecimal("4.500"), euro));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "eur", "EURO", "XXX", "XAU", "EU"})
    void refusesACodeThatIsNoCurrencyWithAMinorUnit(String code) {
        assertThatThrownBy(() -> Money.currencyOf(code)).isInstanceOfSatisfying(InvalidInput.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("INVALID_CURRENCY");
            assertThat(refusal.field()).isEqualTo("currency");
        });
    }
}
