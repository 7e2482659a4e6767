package io.menuboard.tasks;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.ArrayValue;
import graphql.language.BooleanValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingSerializeException;
import graphql.schema.GraphQLScalarType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scalar {@code JSON}. In arguments it is a tree for {@link Json#of(String, Object)}, which refuses what scalars of
 * other types may have put into it; in answers a {@link Json}.
 */
final class JsonGraphQl {
    static final GraphQLScalarType SCALAR = GraphQLScalarType.newScalar()
            .name("JSON")
            .coercing(new JsonCoercing())
            .build();

    private JsonGraphQl() {}

    private static final class JsonCoercing implements Coercing<Object, Object> {
        @Override
        public @Nullable Object serialize(Object value, GraphQLContext context, Locale locale) {
            if (!(value instanceof Json json)) {
                throw new CoercingSerializeException("not a Json: " + value.getClass());
            }
            try {
                return json.tree();
            } catch (IllegalStateException e) {
                // Anything else would fail the whole answer, with all that was claimed.
                throw new CoercingSerializeException("stored JSON cannot be read", e);
            }
        }

        /** Variables come as JSON, whose numbers the endpoint reads exactly. */
        @Override
        public Object parseValue(Object input, GraphQLContext context, Locale locale) {
            return input;
        }

        @Override
        public @Nullable Object parseLiteral(
                Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
            return switch (input) {
                case StringValue text -> text.getValue();
                case IntValue number -> number.getValue();
                case FloatValue number -> number.getValue();
                case BooleanValue truth -> truth.isValue();
                case NullValue _ -> null;
                case VariableReference reference -> variables.get(reference.getName());
                case ArrayValue array -> {
                    var elements = new ArrayList<@Nullable Object>();
                    for (Value<?> element : array.getValues()) {
                        elements.add(parseLiteral(element, variables, context, locale));
                    }
                    yield elements;
                }
                case ObjectValue object -> {
                    var members = new LinkedHashMap<String, @Nullable Object>();
                    for (var member : object.getObjectFields()) {
                        members.put(member.getName(), parseLiteral(member.getValue(), variables, context, locale));
                    }
                    yield members;
                }
                default -> throw new CoercingParseLiteralException("must be JSON, in which names are strings");
            };
        }
    }
}
