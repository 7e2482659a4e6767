package io.menuboard.graphql;

import graphql.Scalars;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLAppliedDirective;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectField;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLList;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules that hold for the input of every field, whichever module has it. Null means the default where there is one, lists have
 * at most as many elements as {@code @length} says, and what has the type {@code ID} can be one ({@link Ids#checkGlobal}); ids
 * within lists of input objects are left to the module, which answers for each object alone.
 */
final class InputRules {
    private static final String LENGTH = "length";

    private InputRules() {}

    /** Arguments of a field. Throws {@link InvalidInput} for what breaks a rule. */
    static Map<String, @Nullable Object> arguments(DataFetchingEnvironment field) {
        var given = field.getArguments();
        if (given.isEmpty()) {
            return Map.of();
        }
        var read = new LinkedHashMap<String, @Nullable Object>(given);
        for (var argument : field.getFieldDefinition().getArguments()) {
            var name = argument.getName();
            if (!read.containsKey(name)) {
                continue;
            }
            var value = read.get(name);
            if (value == null && argument.hasSetDefaultValue()) {
                value = GraphQLArgument.getArgumentDefaultValue(argument);
            }
            checkLength(name, value, argument.getAppliedDirective(LENGTH));
            checkIds(name, argument.getType(), value);
            read.put(name, objects(name, argument.getType(), value));
        }
        return read;
    }

    /** Fields of an argument that is an input object, which the schema requires; paths begin in it. */
    static Map<String, @Nullable Object> input(DataFetchingEnvironment field, String name) {
        var argument = field.getFieldDefinition().getArgument(name);
        var type = (GraphQLInputObjectType) GraphQLTypeUtil.unwrapAll(argument.getType());
        var read = object("", type, Objects.requireNonNull(field.<Map<?, ?>>getArgument(name), name));
        for (var member : type.getFields()) {
            checkIds(member.getName(), member.getType(), read.get(member.getName()));
        }
        return read;
    }

    /** The same value with its input objects read. */
    private static @Nullable Object objects(String path, GraphQLType type, @Nullable Object value) {
        return switch (GraphQLTypeUtil.unwrapNonNull(type)) {
            case GraphQLList list
            when value instanceof List<?> elements && isInputObject(list) -> {
                var read = new ArrayList<@Nullable Object>(elements.size());
                for (var element : elements) {
                    read.add(objects(path + "." + read.size(), list.getWrappedType(), element));
                }
                yield read;
            }
            case GraphQLInputObjectType object when value instanceof Map<?, ?> members -> object(path, object, members);
            default -> value;
        };
    }

    private static boolean isInputObject(GraphQLList list) {
        return GraphQLTypeUtil.unwrapAll(list) instanceof GraphQLInputObjectType;
    }

    private static Map<String, @Nullable Object> object(String path, GraphQLInputObjectType type, Map<?, ?> members) {
        var read = new LinkedHashMap<String, @Nullable Object>();
        for (var member : type.getFields()) {
            var name = member.getName();
            if (!members.containsKey(name)) {
                continue;
            }
            Object value = members.get(name);
            if (value == null && member.hasSetDefaultValue()) {
                value = GraphQLInputObjectField.getInputFieldDefaultValue(member);
            }
            if (value instanceof List<?> || value instanceof Map<?, ?>) {
                var inner = path.isEmpty() ? name : path + "." + name;
                checkLength(inner, value, member.getAppliedDirective(LENGTH));
                value = objects(inner, member.getType(), value);
            }
            read.put(name, value);
        }
        return read;
    }

    private static void checkLength(String path, @Nullable Object value, @Nullable GraphQLAppliedDirective length) {
        if (length != null && value instanceof List<?> list) {
            int max = length.getArgument("max").<Integer>getValue();
            if (list.size() > max) {
                String code = length.getArgument("code").getValue();
                throw new InvalidInput(code, path, "must have at most %d elements, not %d".formatted(max, list.size()));
            }
        }
    }

    private static void checkIds(String path, GraphQLType type, @Nullable Object value) {
        if (!GraphQLTypeUtil.unwrapAll(type).getName().equals(Scalars.GraphQLID.getName())) {
            return;
        }
        if (value instanceof String id) {
            Ids.checkGlobal(path, id);
        } else if (value instanceof List<?> ids) {
            for (var i = 0; i < ids.size(); i++) {
                checkIds(path + "." + i, type, ids.get(i));
            }
        }
    }

    /** Throws {@link IllegalStateException} for a schema with a list of input that {@code @length} does not bound. */
    static void requireBounds(GraphQLSchema schema) {
        for (var type : schema.getAllTypesAsList()) {
            var unbounded =
                    switch (type) {
                        case GraphQLInputObjectType object
                        when !isOfGraphQl(type.getName()) ->
                            object.getFields().stream()
                                    .filter(field -> isUnbounded(field.getType(), field.getAppliedDirective(LENGTH)))
                                    .map(GraphQLInputObjectField::getName);
                        case GraphQLFieldsContainer fields
                        when !isOfGraphQl(type.getName()) ->
                            fields.getFieldDefinitions().stream().flatMap(InputRules::unbounded);
                        default -> Stream.<String>empty();
                    };
            unbounded.findFirst().ifPresent(name -> {
                throw new IllegalStateException(type.getName() + "." + name + " is a list without @length");
            });
        }
    }

    private static boolean isOfGraphQl(String type) {
        return type.startsWith("__");
    }

    private static Stream<String> unbounded(GraphQLFieldDefinition field) {
        return field.getArguments().stream()
                .filter(argument -> isUnbounded(argument.getType(), argument.getAppliedDirective(LENGTH)))
                .map(argument -> field.getName() + "." + argument.getName());
    }

    private static boolean isUnbounded(GraphQLType type, @Nullable GraphQLAppliedDirective length) {
        return length == null && GraphQLTypeUtil.unwrapNonNull(type) instanceof GraphQLList;
    }
}
