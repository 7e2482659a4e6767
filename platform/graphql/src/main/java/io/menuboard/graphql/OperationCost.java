package io.menuboard.graphql;

import static graphql.schema.GraphQLTypeUtil.isList;
import static graphql.schema.GraphQLTypeUtil.unwrapAll;
import static graphql.schema.GraphQLTypeUtil.unwrapNonNull;

import graphql.introspection.Introspection;
import graphql.language.Argument;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.ObjectField;
import graphql.language.ObjectValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.TypeName;
import graphql.language.Value;
import graphql.language.VariableDefinition;
import graphql.language.VariableReference;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectField;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import io.menuboard.graphql.Cost.Length;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Depth of an operation and its cost, worked out once from its document; what depends on variables (page sizes) is left open
 * and costs a few multiplications per request. Knows only upper bounds: {@code @skip}, {@code @include} and fields that
 * merge are not looked at.
 *
 * <p>The cost is the number of fields that the answer may have, where a field that reads the table (every field of a
 * root type, and every connection) counts {@value #READ}, and one with {@code @cost} its weight. The items of a connection
 * count once per item of the page that is asked for, those of a list that is made of the lists which the field is given once
 * for each of their elements, and those of any other list as often as {@code @bounded} says, else {@value #LIST} times. A mutation of many things, which it is given in
 * a field of its input with {@code @changes}, counts {@value #CHANGE} for each, and answers with that many items. Elements of
 * other lists that a field is given count what {@code @length} says. Introspection counts 1: graphql-java bounds it.
 */
final class OperationCost {
    /** A request to DynamoDB takes about as long as completing this many fields. */
    static final int READ = 1_000;

    /** Items changed together are changed side by side, which takes less time than one after the other. */
    static final int CHANGE = 100;

    /** Assumed length of a list that is not paged, where nothing says more; the default of {@code @bounded}. */
    static final int LIST = 10;

    private static final Set<String> PAGE_SIZES = Set.of("first", "last");
    private static final Set<String> INTROSPECTION =
            Set.of(Introspection.SchemaMetaFieldDef.getName(), Introspection.TypeMetaFieldDef.getName());

    private final int depth;
    private final Cost cost;
    private final Limits limits;

    private OperationCost(int depth, Cost cost, Limits limits) {
        this.depth = depth;
        this.cost = cost;
        this.limits = limits;
    }

    /**
     * The most that an operation may ask for, both inclusive.
     *
     * @param pageSize size of a page where the operation names none
     * @param maxPageSize larger pages count as this: their field refuses them with a better message
     */
    record Limits(int maxDepth, int maxCost, int pageSize, int maxPageSize) {}

    /**
     * Takes documents that are not valid too, if only {@link DocumentShape} allows them: what the schema does not know costs
     * nothing.
     */
    static OperationCost of(
            OperationDefinition operation,
            Map<String, FragmentDefinition> fragments,
            GraphQLSchema schema,
            Limits limits) {
        var walk = new Walk(operation, fragments, schema, limits);
        var cost = walk.operation();
        return new OperationCost(walk.deepest, cost, limits);
    }

    /** Whether the field is a connection, or another list whose length is an argument: that is its price. */
    static boolean isPaged(GraphQLFieldDefinition field) {
        return PAGE_SIZES.stream().anyMatch(name -> field.getArgument(name) != null);
    }

    /** The error to answer with if the operation goes past a limit; empty if it may be executed. */
    Optional<GraphQlError> refusal(Map<String, Object> variables) {
        return refusal(cost(variables));
    }

    /** The error to answer with if the operation goes past a limit whatever its variables are. */
    Optional<GraphQlError> refusal() {
        return refusal(cost.fixed());
    }

    private Optional<GraphQlError> refusal(long cost) {
        if (depth > limits.maxDepth) {
            return Optional.of(GraphQlError.of(
                    "QUERY_TOO_DEEP", "the operation has more than %d levels of fields".formatted(limits.maxDepth)));
        }
        if (cost > limits.maxCost) {
            var extensions = new LinkedHashMap<String, Object>();
            extensions.put("code", "QUERY_TOO_COSTLY");
            extensions.put("cost", cost);
            extensions.put("limit", limits.maxCost);
            return Optional.of(new GraphQlError(
                    "the operation may cost %d, and at most %d: ask for smaller pages or for fewer fields"
                            .formatted(cost, limits.maxCost),
                    extensions,
                    null,
                    null));
        }
        return Optional.empty();
    }

    /** Levels of fields, at most one more than allowed: deeper ones are not checked. */
    int depth() {
        return depth;
    }

    /** The highest cost that is allowed. */
    int limit() {
        return limits.maxCost;
    }

    /** Cost with these variables, at most {@link Integer#MAX_VALUE}. */
    long cost(Map<String, Object> variables) {
        return cost.of(variables, limits);
    }

    /**
     * Place of a selection set.
     *
     * @param level 1 for the fields of the operation itself
     * @param page length of the lists among these fields, if it is known: page size of the connection that these are the
     *     fields of, or the number of things that a mutation changes; else null
     */
    private record Context(int level, @Nullable Length page) {}

    private static final class Walk {
        private final OperationDefinition operation;
        private final Map<String, FragmentDefinition> fragments;
        private final GraphQLSchema schema;
        private final Limits limits;
        private final Map<String, Long> defaults;
        private int deepest;

        Walk(
                OperationDefinition operation,
                Map<String, FragmentDefinition> fragments,
                GraphQLSchema schema,
                Limits limits) {
            this.operation = operation;
            this.fragments = fragments;
            this.schema = schema;
            this.limits = limits;
            this.defaults = operation.getVariableDefinitions().stream()
                    .collect(Collectors.toMap(
                            VariableDefinition::getName,
                            variable -> Length.size(variable.getDefaultValue()),
                            Math::max)); // a document that says it twice is not valid
        }

        Cost operation() {
            var root =
                    switch (operation.getOperation()) {
                        case QUERY -> schema.getQueryType();
                        case MUTATION -> schema.getMutationType();
                        case SUBSCRIPTION -> schema.getSubscriptionType();
                    };
            return root == null ? Cost.of(0) : selections(operation.getSelectionSet(), root, new Context(1, null));
        }

        private Cost selections(SelectionSet selections, @Nullable GraphQLType type, Context context) {
            var cost = Cost.of(0);
            for (Selection<?> selection : selections.getSelections()) {
                cost = cost.plus(
                        switch (selection) {
                            case Field field -> field(field, type, context);
                            case InlineFragment fragment ->
                                selections(
                                        fragment.getSelectionSet(), typeOf(fragment.getTypeCondition(), type), context);
                            case FragmentSpread spread -> spread(spread, context);
                            default -> throw new IllegalStateException("not a selection: " + selection);
                        });
            }
            return cost;
        }

        private Cost spread(FragmentSpread spread, Context context) {
            var fragment = fragments.get(spread.getName());
            return fragment == null
                    ? Cost.of(0)
                    : selections(fragment.getSelectionSet(), typeOf(fragment.getTypeCondition(), null), context);
        }

        private Cost field(Field field, @Nullable GraphQLType parent, Context context) {
            if (INTROSPECTION.contains(field.getName())) {
                return Cost.of(1);
            }
            deepest = Math.max(deepest, context.level);
            var definition = parent instanceof GraphQLFieldsContainer container
                    ? container.getFieldDefinition(field.getName())
                    : null;
            if (definition == null) {
                return Cost.of(context.level == 1 ? READ : 1);
            }
            var page = length(field, definition, PAGE_SIZES);
            var own = Cost.of(weight(definition, context.level == 1 || page != null ? READ : 1))
                    .plus(lists(field, definition));
            if (context.level > limits.maxDepth || field.getSelectionSet() == null) {
                return own;
            }
            var isMutation = context.level == 1 && operation.getOperation() == OperationDefinition.Operation.MUTATION;
            var changed = isMutation ? changed(field, definition) : null;
            var type = definition.getType();
            var each = selections(
                    field.getSelectionSet(),
                    unwrapAll(type),
                    new Context(context.level + 1, page == null ? changed : page));
            if (changed != null) {
                return own.plus(Cost.of(CHANGE).times(changed)).plus(each);
            }
            if (!isList(unwrapNonNull(type))) {
                return own.plus(each);
            }
            return own.plus(each.times(context.page == null ? items(field, definition) : context.page));
        }

        /** Number of items of a list that is not paged. */
        private Length items(Field field, GraphQLFieldDefinition definition) {
            var lists = definition.getArguments().stream()
                    .filter(argument -> argument.getAppliedDirective("length") != null)
                    .map(GraphQLArgument::getName)
                    .collect(Collectors.toSet());
            var given = length(field, definition, lists);
            if (given != null) {
                return given;
            }
            var bounded = definition.getAppliedDirective("bounded");
            return Length.fixed(
                    bounded == null ? LIST : bounded.getArgument("most").<Integer>getValue());
        }

        /** Cost of the elements of lists that the field is given. */
        private Cost lists(Field field, GraphQLFieldDefinition definition) {
            var cost = Cost.of(0);
            for (var argument : definition.getArguments()) {
                var directive = argument.getAppliedDirective("length");
                if (directive != null) {
                    int each = directive.getArgument("cost").<Integer>getValue();
                    var length = each == 0 ? null : length(field, definition, Set.of(argument.getName()));
                    cost = length == null ? cost : cost.plus(Cost.of(each).times(length));
                }
            }
            var input = definition.getArgument(Arguments.INPUT);
            if (input != null && unwrapAll(input.getType()) instanceof GraphQLInputObjectType type) {
                for (var part : type.getFields()) {
                    var directive = part.getAppliedDirective("length");
                    int each = directive == null
                            ? 0
                            : directive.getArgument("cost").<Integer>getValue();
                    cost = each == 0 ? cost : cost.plus(Cost.of(each).times(lengthOf(field, part)));
                }
            }
            return cost;
        }

        private static long weight(GraphQLFieldDefinition definition, long otherwise) {
            var cost = definition.getAppliedDirective("cost");
            return cost == null ? otherwise : cost.getArgument("weight").<Integer>getValue();
        }

        /** The length that these arguments ask for, the largest if several are given; null if the field has none of them. */
        private @Nullable Length length(Field field, GraphQLFieldDefinition definition, Set<String> arguments) {
            if (arguments.stream().allMatch(name -> definition.getArgument(name) == null)) {
                return null;
            }
            var literal = 0L;
            var variables = new HashMap<String, Long>();
            for (var argument : field.getArguments()) {
                if (!arguments.contains(argument.getName())) {
                    continue;
                }
                if (argument.getValue() instanceof VariableReference variable) {
                    variables.put(variable.getName(), defaults.getOrDefault(variable.getName(), 0L));
                } else {
                    literal = Math.max(literal, Length.size(argument.getValue()));
                }
            }
            return variables.isEmpty()
                    ? Length.fixed(Length.bounded(literal, limits.pageSize, limits))
                    : new Length(literal, Map.copyOf(variables), limits.pageSize);
        }

        /** Number of things that a mutation changes; null if no field of its input says that. */
        private @Nullable Length changed(Field field, GraphQLFieldDefinition definition) {
            if (definition.getArgument(Arguments.INPUT) == null
                    || !(unwrapAll(definition.getArgument(Arguments.INPUT).getType())
                            instanceof GraphQLInputObjectType type)) {
                return null;
            }
            return type.getFields().stream()
                    .filter(part -> part.getAppliedDirective("changes") != null)
                    .findFirst()
                    .map(part -> lengthOf(field, part))
                    .orElse(null);
        }

        /**
         * The length that a field of the input asks for, whether the input is written in the document or a variable: its default where
         * it is absent, and none where it is an empty list.
         */
        private Length lengthOf(Field field, GraphQLInputObjectField input) {
            var part = input.getName();
            var otherwise = Length.size(input.getInputFieldDefaultValue().getValue());
            var value = field.getArguments().stream()
                    .filter(argument -> argument.getName().equals(Arguments.INPUT))
                    .findFirst()
                    .<Value<?>>map(Argument::getValue)
                    .orElse(null);
            return switch (value) {
                case VariableReference variable ->
                    new Length(
                            0, Map.of(variable.getName() + "." + part, defaultOf(variable.getName(), part)), otherwise);
                case ObjectValue object
                when member(object, part) instanceof VariableReference variable ->
                    new Length(0, Map.of(variable.getName(), defaults.getOrDefault(variable.getName(), 0L)), otherwise);
                case ObjectValue object ->
                    Length.fixed(Length.bounded(Length.size(member(object, part)), otherwise, limits));
                case null, default -> Length.fixed(0);
            };
        }

        private long defaultOf(String variable, String part) {
            return operation.getVariableDefinitions().stream()
                    .filter(definition -> definition.getName().equals(variable))
                    .findFirst()
                    .map(definition -> definition.getDefaultValue() instanceof ObjectValue object
                            ? Length.size(member(object, part))
                            : 0L)
                    .orElse(0L);
        }

        private static @Nullable Value<?> member(ObjectValue object, String name) {
            return object.getObjectFields().stream()
                    .filter(member -> member.getName().equals(name))
                    .findFirst()
                    .<Value<?>>map(ObjectField::getValue)
                    .orElse(null);
        }

        private @Nullable GraphQLType typeOf(@Nullable TypeName condition, @Nullable GraphQLType otherwise) {
            return condition == null ? otherwise : schema.getType(condition.getName());
        }
    }
}
