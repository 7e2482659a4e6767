package io.menuboard.webadmin.ui;

import io.menuboard.kernel.Money;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.math.BigDecimal;
import java.math.MathContext;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import java.util.Currency;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Money as the reader of a page writes it. Not thread-safe: make one per request. */
public final class Amounts {
    private static final char NO_BREAK_SPACE = '\u00a0';

    private final Locale locale;
    private final Map<Currency, DecimalFormat> plain = new HashMap<>();
    private final Map<Currency, DecimalFormat> signed = new HashMap<>();

    /**
     * Latin digits in every locale, as the rest of the page has. Variants do not count: few change how numbers are written, and a
     * browser may send ones that no locale may have.
     */
    public Amounts(Locale locale) {
        this.locale = new Locale.Builder()
                .setLanguage(locale.getLanguage())
                .setScript(locale.getScript())
                .setRegion(locale.getCountry())
                .setUnicodeLocaleKeyword("nu", "latn")
                .build();
    }

    /** For the first language that the browser asks for; English where it asks for none, or not in a way that counts. */
    public static Amounts of(HttpRequest<?> request) {
        return new Amounts(Optional.ofNullable(request.getHeaders().get(HttpHeaders.ACCEPT_LANGUAGE))
                .flatMap(Amounts::firstLanguage)
                .orElse(Locale.ENGLISH));
    }

    /** With the currency's symbol and all its decimals: {@code €2.90}, {@code 2,90 €}, {@code ¥450}. */
    public String of(Money money) {
        return of(money.amount(), money.currency());
    }

    /** The same of a sum, which may have more digits than an amount. */
    public String of(BigDecimal sum, Currency currency) {
        return plain.computeIfAbsent(currency, this::format).format(sum);
    }

    /** From one price to the next, with its sign; empty where the currencies differ. */
    public String difference(Money from, Money to) {
        return from.currency().equals(to.currency()) ? difference(from.amount(), to.amount(), to.currency()) : "";
    }

    /** From one sum to the next, with its sign: {@code +€0.20}. */
    public String difference(BigDecimal from, BigDecimal to, Currency currency) {
        return signed.computeIfAbsent(currency, this::signedFormat).format(to.subtract(from));
    }

    /** {@code +€0.20 (+6.9%)}, as far as there is a difference and a share. */
    public String change(Money from, Money to) {
        var percent = percent(from, to);
        return percent.isEmpty() ? difference(from, to) : difference(from, to) + " (" + percent + ")";
    }

    /** The difference as a share of {@code from}; empty where there is none: another currency, or from zero. */
    public String percent(Money from, Money to) {
        if (!from.currency().equals(to.currency()) || from.amount().signum() == 0) {
            return "";
        }
        var format = (DecimalFormat) NumberFormat.getPercentInstance(locale);
        format.setMinimumFractionDigits(1);
        format.setMaximumFractionDigits(1);
        return withSign(format)
                .format(to.amount().subtract(from.amount()).divide(from.amount(), MathContext.DECIMAL64));
    }

    /** A bare number, as the label of an axis. */
    public String number(BigDecimal number, int decimals) {
        var format = NumberFormat.getNumberInstance(locale);
        format.setMinimumFractionDigits(decimals);
        format.setMaximumFractionDigits(decimals);
        return format.format(number);
    }

    private DecimalFormat format(Currency currency) {
        var format = (DecimalFormat) NumberFormat.getCurrencyInstance(locale);
        format.setCurrency(currency);
        format.setMinimumFractionDigits(currency.getDefaultFractionDigits());
        format.setMaximumFractionDigits(currency.getDefaultFractionDigits());
        return spaced(format);
    }

    /** With a space between digits and a symbol that ends or begins with a letter, as CLDR has it and the JDK has not. */
    private static DecimalFormat spaced(DecimalFormat format) {
        format.setPositivePrefix(spacedPrefix(format.getPositivePrefix()));
        format.setNegativePrefix(spacedPrefix(format.getNegativePrefix()));
        format.setPositiveSuffix(spacedSuffix(format.getPositiveSuffix()));
        format.setNegativeSuffix(spacedSuffix(format.getNegativeSuffix()));
        return format;
    }

    private static String spacedPrefix(String prefix) {
        return !prefix.isEmpty() && Character.isLetter(prefix.charAt(prefix.length() - 1))
                ? prefix + NO_BREAK_SPACE
                : prefix;
    }

    private static String spacedSuffix(String suffix) {
        return !suffix.isEmpty() && Character.isLetter(suffix.charAt(0)) ? NO_BREAK_SPACE + suffix : suffix;
    }

    private DecimalFormat signedFormat(Currency currency) {
        return withSign(format(currency));
    }

    private static DecimalFormat withSign(DecimalFormat format) {
        format.setPositivePrefix("+" + format.getPositivePrefix());
        return format;
    }

    private static Optional<Locale> firstLanguage(String header) {
        try {
            return Locale.LanguageRange.parse(header).stream()
                    .map(Locale.LanguageRange::getRange)
                    .filter(range -> !range.contains("*"))
                    .map(Locale::forLanguageTag)
                    .filter(locale -> !locale.getLanguage().isEmpty())
                    .findFirst();
        } catch (IllegalArgumentException e) { // not a language range; RFC 9110 lets us ignore it
            return Optional.empty();
        }
    }
}
