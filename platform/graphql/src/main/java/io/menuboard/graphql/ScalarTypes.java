package io.menuboard.graphql;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.IntValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.CoercingSerializeException;
import graphql.schema.GraphQLScalarType;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The scalars of the shared schema. All but {@code Long}, which counts things, are JSON strings, so that no client's
 * number type can round them.
 */
final class ScalarTypes {
    /** No exponent, and few enough digits that none costs more to handle than it did to send. */
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?");

    private static final int ISO_DATE_LENGTH = "2026-02-01".length();
    private static final int ISO_MONTH_LENGTH = "2026-02".length();
    private static final Pattern LETTERS = Pattern.compile("[A-Za-z]*");
    private static final Set<String> TIME_ZONES = Set.copyOf(ZoneId.getAvailableZoneIds());
    private static final Set<String> COUNTRIES = Locale.getISOCountries(Locale.IsoCountryCode.PART1_ALPHA2);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    /** java.time.Instant of the years 1 to 9999; written in UTC with as many digits of the second as it has. */
    static final GraphQLScalarType DATE_TIME = scalar(
            "DateTime",
            Instant.class,
            Instant::toString,
            ScalarTypes::instant,
            "an ISO-8601 date and time with its offset, such as 2026-02-01T00:00:00Z, of the years 0001 to 9999");

    /** java.time.LocalDate of the years 1 to 9999. */
    static final GraphQLScalarType DATE = scalar(
            "Date",
            LocalDate.class,
            LocalDate::toString,
            ScalarTypes::localDate,
            "an ISO-8601 date, such as 2026-02-01, of the years 0001 to 9999");

    /** java.time.YearMonth of the years 1 to 9999. */
    static final GraphQLScalarType YEAR_MONTH = scalar(
            "YearMonth",
            YearMonth.class,
            YearMonth::toString,
            ScalarTypes::yearMonth,
            "an ISO-8601 month, such as 2026-02, of the years 0001 to 9999");

    /** java.time.ZoneId of a region. */
    static final GraphQLScalarType TIME_ZONE = scalar(
            "TimeZone",
            ZoneId.class,
            ZoneId::getId,
            id -> ZoneId.of(oneOf(TIME_ZONES, id)),
            "an IANA time zone, such as Europe/Berlin");

    /** A string in capitals, as which it may also be given in small letters. */
    static final GraphQLScalarType COUNTRY_CODE = scalar(
            "CountryCode",
            String.class,
            Function.identity(),
            ScalarTypes::country,
            "an ISO 3166-1 alpha-2 code, such as DE");

    /** java.math.BigDecimal; keeps the scale, never has an exponent. */
    static final GraphQLScalarType DECIMAL_TYPE = scalar(
            "Decimal",
            BigDecimal.class,
            BigDecimal::toPlainString,
            ScalarTypes::decimal,
            "a string with a decimal number, such as \"12.50\"");

    /** java.util.Currency. */
    static final GraphQLScalarType CURRENCY_CODE = scalar(
            "CurrencyCode",
            Currency.class,
            Currency::getCurrencyCode,
            Currency::getInstance,
            "an ISO 4217 currency code, such as EUR");

    /** Every integer type of Java up to long; in arguments, those that JavaScript's numbers tell apart. */
    static final GraphQLScalarType LONG = GraphQLScalarType.newScalar()
            .name("Long")
            .coercing(new LongCoercing())
            .build();

    static final List<GraphQLScalarType> ALL =
            List.of(DATE_TIME, DATE, YEAR_MONTH, TIME_ZONE, COUNTRY_CODE, DECIMAL_TYPE, CURRENCY_CODE, LONG);

    private ScalarTypes() {}

    private static Instant instant(String text) {
        var instant = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
        if (instant.isBefore(FIRST) || !instant.isBefore(END)) {
            throw new IllegalArgumentException(text);
        }
        return instant;
    }

    private static LocalDate localDate(String text) {
        if (text.length() != ISO_DATE_LENGTH) {
            throw new IllegalArgumentException(text);
        }
        var date = LocalDate.parse(text);
        if (date.getYear() < 1) {
            throw new IllegalArgumentException(text);
        }
        return date;
    }

    private static YearMonth yearMonth(String text) {
        if (text.length() != ISO_MONTH_LENGTH) {
            throw new IllegalArgumentException(text);
        }
        var month = YearMonth.parse(text);
        if (month.getYear() < 1) {
            throw new IllegalArgumentException(text);
        }
        return month;
    }

    /** Letters alone: others may become two of them in capitals, as the German sharp s does. */
    private static String country(String code) {
        return oneOf(COUNTRIES, LETTERS.matcher(code).matches() ? code.toUpperCase(Locale.ROOT) : code);
    }

    private static String oneOf(Set<String> values, String text) {
        if (!values.contains(text)) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static BigDecimal decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return new BigDecimal(text);
    }

    private static <T> GraphQLScalarType scalar(
            String name, Class<T> type, Function<T, String> write, Function<String, T> read, String rule) {
        return GraphQLScalarType.newScalar()
                .name(name)
                .coercing(new TextCoercing<>(type, write, read, "must be " + rule))
                .build();
    }

    /**
     * @param read throws {@link IllegalArgumentException} or {@link DateTimeException} for text that is not a value
     */
    private record TextCoercing<T>(Class<T> type, Function<T, String> write, Function<String, T> read, String rule)
            implements Coercing<T, String> {

        @Override
        public String serialize(Object value, GraphQLContext context, Locale locale) {
            if (!type.isInstance(value)) {
                throw new CoercingSerializeException("not a " + type.getSimpleName() + ": " + value.getClass());
            }
            return write.apply(type.cast(value));
        }

        @Override
        public T parseValue(Object input, GraphQLContext context, Locale locale) {
            try {
                if (input instanceof String text) {
                    return read.apply(text);
                }
            } catch (IllegalArgumentException | DateTimeException e) {
                throw new CoercingParseValueException(rule, e);
            }
            throw new CoercingParseValueException(rule);
        }

        @Override
        public T parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            try {
                if (input instanceof StringValue literal && literal.getValue() != null) {
                    return read.apply(literal.getValue());
                }
            } catch (IllegalArgumentException | DateTimeException e) {
                throw new CoercingParseLiteralException(rule, e);
            }
            throw new CoercingParseLiteralException(rule);
        }

        @Override
        public Value<?> valueToLiteral(Object input, GraphQLContext context, Locale locale) {
            return StringValue.of(serialize(input, context, locale));
        }
    }

    private static final class LongCoercing implements Coercing<Long, Long> {
        /** Up to here no two integers are one double: {@code Number.MAX_SAFE_INTEGER} of ECMAScript. */
        private static final long MAX = (1L << 53) - 1;

        private static final String RULE = "must be an integer from " + -MAX + " to " + MAX;

        @Override
        public Long serialize(Object value, GraphQLContext context, Locale locale) {
            return switch (value) {
                case Long number -> number;
                case Integer number -> number.longValue();
                default -> throw new CoercingSerializeException("not an integer: " + value.getClass());
            };
        }

        @Override
        public Long parseValue(Object input, GraphQLContext context, Locale locale) {
            return switch (input) {
                case Long number when isExact(number) -> number;
                case Integer number -> number.longValue();
                default -> throw new CoercingParseValueException(RULE);
            };
        }

        @Override
        public Long parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            if (input instanceof IntValue literal && literal.getValue().bitLength() < Long.SIZE) {
                var number = literal.getValue().longValue();
                if (isExact(number)) {
                    return number;
                }
            }
            throw new CoercingParseLiteralException(RULE);
        }

        private static boolean isExact(long number) {
            return -MAX <= number && number <= MAX;
        }
    }
}
