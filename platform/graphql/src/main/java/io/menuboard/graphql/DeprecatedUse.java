package io.menuboard.graphql;

import static graphql.schema.GraphQLTypeUtil.unwrapAll;

import graphql.introspection.Introspection;
import graphql.language.Argument;
import graphql.language.ArrayValue;
import graphql.language.AstPrinter;
import graphql.language.Document;
import graphql.language.EnumValue;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.InlineFragment;
import graphql.language.ObjectField;
import graphql.language.ObjectValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.TypeName;
import graphql.language.VariableDefinition;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts executions that ask for something deprecated, in {@code menuboard.graphql.deprecated} with the tag {@code element}:
 * {@code Task.workerName}, {@code Query.tasks(status:)}. Each deprecated element of the schema has its counter from the start,
 * so that one that stays at 0 is unused. Thread-safe.
 */
final class DeprecatedUse {
    private final GraphQLSchema schema;
    private final Map<String, Counter> counters = new HashMap<>();

    DeprecatedUse(GraphQLSchema schema, MeterRegistry meters) {
        this.schema = schema;
        for (var type : schema.getAllTypesAsList()) {
            if (Introspection.isIntrospectionTypes(type)) {
                continue;
            }
            switch (type) {
                case GraphQLFieldsContainer object ->
                    object.getFieldDefinitions().forEach(field -> {
                        var name = type.getName() + "." + field.getName();
                        register(meters, name, field.isDeprecated());
                        field.getArguments()
                                .forEach(argument ->
                                        register(meters, argument(name, argument.getName()), argument.isDeprecated()));
                    });
                case GraphQLInputObjectType input ->
                    input.getFields()
                            .forEach(field ->
                                    register(meters, type.getName() + "." + field.getName(), field.isDeprecated()));
                case GraphQLEnumType values ->
                    values.getValues()
                            .forEach(value ->
                                    register(meters, type.getName() + "." + value.getName(), value.isDeprecated()));
                default -> {}
            }
        }
    }

    private void register(MeterRegistry meters, String element, boolean isDeprecated) {
        if (isDeprecated) {
            counters.put(
                    element,
                    Counter.builder("menuboard.graphql.deprecated")
                            .description("Executions of operations that ask for something deprecated")
                            .tag("element", element)
                            .register(meters));
        }
    }

    private static String argument(String field, String name) {
        return field + "(" + name + ":)";
    }

    /** Traverses a valid document, once. */
    InDocument in(Document document) {
        var found = new InDocument();
        if (!counters.isEmpty()) {
            var walk = new Walk(found.elements);
            for (var operation : document.getDefinitionsOfType(OperationDefinition.class)) {
                operation.getVariableDefinitions().forEach(variable -> found.declare(variable, walk));
                walk.selections(operation.getSelectionSet(), root(operation));
            }
            for (var fragment : document.getDefinitionsOfType(FragmentDefinition.class)) {
                walk.selections(fragment.getSelectionSet(), type(fragment.getTypeCondition()));
            }
        }
        return found;
    }

    private @Nullable GraphQLType root(OperationDefinition operation) {
        return switch (operation.getOperation()) {
            case QUERY -> schema.getQueryType();
            case MUTATION -> schema.getMutationType();
            case SUBSCRIPTION -> schema.getSubscriptionType();
        };
    }

    private @Nullable GraphQLType type(TypeName name) {
        return schema.getType(name.getName());
    }

    /** What a document asks for that is deprecated, in whichever of its operations. */
    final class InDocument {
        private final Set<String> elements = new HashSet<>();
        private final Map<String, GraphQLType> inputs = new HashMap<>();

        private void declare(VariableDefinition variable, Walk walk) {
            var type = schema.getType(AstPrinter.printAst(variable.getType()).replaceAll("[\\[\\]!]", ""));
            if (type instanceof GraphQLInputObjectType || type instanceof GraphQLEnumType) {
                inputs.put(variable.getName(), type);
                walk.value(variable.getDefaultValue(), type);
            }
        }

        /** Counts an execution with these variables. */
        void executed(Map<String, Object> variables) {
            var all = elements;
            if (!inputs.isEmpty()) {
                all = new HashSet<>(elements);
                var walk = new Walk(all);
                inputs.forEach((name, type) -> walk.value(variables.get(name), type));
            }
            all.forEach(element -> Objects.requireNonNull(counters.get(element)).increment());
        }
    }

    /** Collects the elements that are deprecated among those that it comes by. */
    private final class Walk {
        private final Set<String> found;

        Walk(Set<String> found) {
            this.found = found;
        }

        private void add(String element) {
            if (counters.containsKey(element)) {
                found.add(element);
            }
        }

        void selections(@Nullable SelectionSet selections, @Nullable GraphQLType type) {
            if (selections == null) {
                return;
            }
            for (Selection<?> selection : selections.getSelections()) {
                if (selection instanceof Field field && type instanceof GraphQLFieldsContainer object) {
                    field(field, object);
                } else if (selection instanceof InlineFragment fragment) {
                    var condition = fragment.getTypeCondition();
                    selections(fragment.getSelectionSet(), condition == null ? type : type(condition));
                }
            }
        }

        private void field(Field field, GraphQLFieldsContainer object) {
            var definition = object.getFieldDefinition(field.getName());
            if (definition == null) {
                return; // __typename
            }
            var name = object.getName() + "." + field.getName();
            add(name);
            for (Argument given : field.getArguments()) {
                add(argument(name, given.getName()));
                value(given.getValue(), definition.getArgument(given.getName()).getType());
            }
            selections(field.getSelectionSet(), unwrapAll(definition.getType()));
        }

        /** A value as a document or a variable has it: what is not of the type is refused elsewhere. */
        void value(@Nullable Object value, GraphQLType of) {
            var type = unwrapAll(of);
            switch (value) {
                case ArrayValue list -> list.getValues().forEach(element -> value(element, type));
                case Collection<?> list -> list.forEach(element -> value(element, type));
                case ObjectValue object -> {
                    for (ObjectField field : object.getObjectFields()) {
                        inputField(field.getName(), field.getValue(), type);
                    }
                }
                case Map<?, ?> object -> object.forEach((name, field) -> inputField(String.valueOf(name), field, type));
                case EnumValue constant -> add(type.getName() + "." + constant.getName());
                case String constant when type instanceof GraphQLEnumType -> add(type.getName() + "." + constant);
                case null, default -> {}
            }
        }

        private void inputField(String name, @Nullable Object value, GraphQLType type) {
            if (type instanceof GraphQLInputObjectType input && input.getField(name) != null) {
                add(input.getName() + "." + name);
                value(value, input.getField(name).getType());
            }
        }
    }
}
