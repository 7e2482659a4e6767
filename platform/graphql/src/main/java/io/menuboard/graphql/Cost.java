package io.menuboard.graphql;

import graphql.language.ArrayValue;
import graphql.language.EnumValue;
import graphql.language.IntValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import io.menuboard.graphql.OperationCost.Limits;
import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Cost of some fields: a fixed number, and lists whose length is a variable or that hold such lists. */
record Cost(long fixed, List<Items> lists) {
    record Items(Length length, Cost each) {}

    static Cost of(long fixed) {
        return new Cost(Math.min(fixed, Integer.MAX_VALUE), List.of());
    }

    Cost plus(Cost other) {
        var fixed = of(this.fixed + other.fixed).fixed;
        return other.lists.isEmpty()
                ? new Cost(fixed, lists)
                : new Cost(
                        fixed,
                        Stream.concat(lists.stream(), other.lists.stream()).toList());
    }

    Cost times(Length length) {
        return length.variables.isEmpty() && lists.isEmpty()
                ? of(length.least * fixed)
                : new Cost(0, List.of(new Items(length, this)));
    }

    long of(Map<String, Object> variables, Limits limits) {
        var cost = fixed;
        for (var list : lists) {
            cost += list.length.of(variables, limits) * list.each.of(variables, limits);
            cost = Math.min(cost, Integer.MAX_VALUE);
        }
        return cost;
    }

    /**
     * Number of items that a list may have.
     *
     * @param least what the document says, 0 if it leaves that to variables
     * @param variables those that may say more, with their defaults; with a point, a field of an input object
     * @param otherwise length where these say nothing
     */
    record Length(long least, Map<String, Long> variables, long otherwise) {
        /** Of a number of items that does not depend on variables. */
        static Length fixed(long items) {
            return new Length(items, Map.of(), items);
        }

        long of(Map<String, Object> values, Limits limits) {
            var largest = least;
            for (var variable : variables.entrySet()) {
                var name = variable.getKey().split("\\.", 2);
                var value = values.get(name[0]);
                var given = name.length == 1 ? value : value instanceof Map<?, ?> object ? object.get(name[1]) : null;
                largest = Math.max(largest, values.containsKey(name[0]) ? sent(given) : (long) variable.getValue());
            }
            return variables.isEmpty() ? least : bounded(largest, otherwise, limits);
        }

        /** As {@link #size} of a variable; a text is one element where a list is asked for, which has none where it is absent. */
        private long sent(@Nullable Object given) {
            return otherwise == 0 && given instanceof String ? 1 : size(given);
        }

        static long bounded(long asked, long otherwise, Limits limits) {
            return asked == 0 ? otherwise : Math.min(asked, limits.maxPageSize());
        }

        /**
         * Number or number of elements of a value, in a document or of a variable; 0 if it has none. One element may come without the
         * brackets of its list.
         */
        static long size(@Nullable Object value) {
            return switch (value) {
                case IntValue literal -> size(literal.getValue());
                case ArrayValue list -> list.getValues().size();
                case BigInteger number ->
                    number.max(BigInteger.ZERO)
                            .min(BigInteger.valueOf(Integer.MAX_VALUE))
                            .intValue();
                case Number number -> Math.max(0, number.longValue());
                case Collection<?> list -> list.size();
                case StringValue _, EnumValue _, ObjectValue _, Map<?, ?> _ -> 1;
                case null, default -> 0;
            };
        }
    }
}
