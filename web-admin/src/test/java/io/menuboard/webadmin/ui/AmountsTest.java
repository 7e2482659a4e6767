package io.menuboard.webadmin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.micronaut.http.HttpRequest;
import java.math.BigDecimal;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    en-US | 2.9     | EUR | €2.90
                    de-DE | 1234.5  | EUR | 1.234,50 €
                    fr    | 1234.5  | EUR | 1 234,50 €
                    ja-JP | 450     | JPY | ￥450
                    en-US | 8000    | ARS | ARS 8,000.00
                    de    | 8000    | CHF | 8.000,00 CHF
                    en-US | 0.125   | KWD | KWD 0.125
                    ar-EG | 12      | EGP | 12.00
                    """)
    void areWrittenAsTheReaderWritesThem(String language, String amount, String currency, String written) {
        var amounts = new Amounts(Locale.forLanguageTag(language));

        assertThat(plainSpaces(amounts.of(money(amount, currency)))).contains(written);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    2.90 | EUR | 3.10 | EUR | +€0.20 | +6.9%
                    3.10 | EUR | 2.90 | EUR | -€0.20 | -6.5%
                    3.10 | EUR | 3.10 | EUR | +€0.00 | +0.0%
                    0    | EUR | 3.10 | EUR | +€3.10 | ''
                    3.10 | EUR | 450  | JPY | ''     | ''
                    """)
    void differByAnAmountAndAShareWhereTheyCanBeCompared(
            String from, String fromCurrency, String to, String toCurrency, String difference, String percent) {
        var amounts = new Amounts(Locale.US);

        assertThat(amounts.difference(money(from, fromCurrency), money(to, toCurrency)))
                .isEqualTo(difference);
        assertThat(amounts.percent(money(from, fromCurrency), money(to, toCurrency)))
                .isEqualTo(percent);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    de-CH,de;q=0.9,en;q=0.8 | CHF 8’000.00
                    en;q=0.5,de             | 8.000,00 CHF
                    *                       | CHF 8,000.00
                    not a language          | CHF 8,000.00
                    de-x-lvariant-foo       | 8.000,00 CHF
                    de-u-nu-arab-x-lvariant | 8.000,00 CHF
                    sr-Latn-RS-x-y          | 8.000,00 CHF
                    """)
    void takeTheLanguageThatTheBrowserLikesBest(String header, String written) {
        var amounts = Amounts.of(HttpRequest.GET("/").header("Accept-Language", header));

        assertThat(plainSpaces(amounts.of(money("8000", "CHF")))).isEqualTo(written);
    }

    @Test
    void areInEnglishForWhoeverDoesNotSay() {
        assertThat(Amounts.of(HttpRequest.GET("/")).of(money("8000", "EUR"))).isEqualTo("€8,000.00");
    }

    private static Money money(String amount, String currency) {
        return new Money(new BigDecimal(amount), Money.currencyOf(currency));
    }

    private static String plainSpaces(String text) {
        return text.replaceAll("\\h", " ");
    }
}
