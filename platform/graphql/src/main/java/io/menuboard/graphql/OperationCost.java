package io.menuboard.graphql;

import graphql.introspection.Introspection;
import graphql.language.Argument;
import graphql.language.ArrayValue;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import graphql.language.TypeName;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLSchema;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How deep an operation goes and how much it may cost, worked out once from its document; what depends on variables
 * (page sizes) is left open and costs a few multiplications per request. Knows only upper bounds: {@code @skip},
 * {@code @include} and fields that merge are not looked at.
 *
 * <p>The cost is the number of fields that the answer may have, where a field that reads the table (every field of a
 * root type, and every connection) counts {@value #READ}, and one with {@code @cost} its weight. The items of a connection count once per item of the page
 * that is asked for, those of any other list {@value #LIST} times. A mutation of many things, which it is given in
 * {@code inputs} or up to {@code max}, counts {@value #CHANGE} for each, and answers with that many items. Introspection
 * counts 1: graphql-java bounds it.
 */
final class OperationCost {
    /** A request to DynamoDB takes about as long as completing this many fields. */
    static final int READ = 1_000;

    /** What is changed together is changed side by side, which takes less time than one after the other. */
    static final int CHANGE = 100;

    /** Assumed length of a list that is not paged. */
    static final int LIST = 10;

    private static final Set<String> PAGE_SIZES = Set.of("first", "last");
    private static final Set<String> CHANGED = Set.of("inputs", "max");

    private static final String COST = "cost";
    private static final String WEIGHT = "weight";

    private final int depth;
    private final Part whole;
    private final Limits limits;

    private OperationCost(int depth, Part whole, Limits limits) {
        this.depth = depth;
        this.whole = whole;
        this.limits = limits;
    }

    /**
     * What an operation may ask for, both inclusive.
     *
     * @param pageSize size of a page where the operation names none
     * @param maxPageSize larger pages count as this: their field refuses them with a better message
     */
    record Limits(int maxDepth, int maxCost, int pageSize, int maxPageSize) {}

    /** Takes documents that are not valid too: what the schema does not know costs nothing. */
    static OperationCost of(
            OperationDefinition operation,
            Map<String, FragmentDefinition> fragments,
            GraphQLSchema schema,
            Limits limits) {
        var root =
                switch (operation.getOperation()) {
                    case QUERY -> schema.getQueryType();
                    case MUTATION -> schema.getMutationType();
                    case SUBSCRIPTION -> schema.getSubscriptionType();
                };
        var mutation = operation.getOperation() == OperationDefinition.Operation.MUTATION;
        var walk = new Walk(fragments, schema, limits, defaults(operation), mutation);
        var whole = root == null
                ? new Part(0, List.of())
                : walk.selections(operation.getSelectionSet(), root, new Context(1, null, true));
        return new OperationCost(walk.deepest, walk.exhausted() ? TOO_MUCH : whole, limits);
    }

    /** The error to answer with if the operation goes past a limit; empty if it may be executed. */
    Optional<GraphQlError> refusal(Map<String, Object> variables) {
        return refusal(cost(variables));
    }

    /** The error to answer with if the operation goes past a limit whatever its variables are. */
    Optional<GraphQlError> refusal() {
        return refusal(whole.fixed);
    }

    private Optional<GraphQlError> refusal(long cost) {
        if (depth > limits.maxDepth) {
            return Optional.of(GraphQlError.of(
                    "QUERY_TOO_DEEP", "the operation has more than %d levels of fields".formatted(limits.maxDepth)));
        }
        if (cost > limits.maxCost) {
            return Optional.of(GraphQlError.of(
                    "QUERY_TOO_COSTLY",
                    "the operation may cost more than %d: ask for smaller pages or for fewer fields"
                            .formatted(limits.maxCost)));
        }
        return Optional.empty();
    }

    /** Levels of fields, at most one more than allowed: deeper ones are not looked at. */
    int depth() {
        return depth;
    }

    /** Cost with these variables, exact up to the limit. */
    long cost(Map<String, Object> variables) {
        return whole.cost(variables, limits);
    }

    /** Cost of some selections: a fixed number, and lists whose length is a variable or that hold such lists. */
    private record Part(long fixed, List<Items> lists) {
        long cost(Map<String, Object> variables, Limits limits) {
            var cost = fixed;
            for (var list : lists) {
                cost += list.length.of(variables, limits) * list.each.cost(variables, limits);
                if (cost > limits.maxCost) {
                    return cost;
                }
            }
            return cost;
        }
    }

    private record Items(Length length, Part each) {}

    private static final Part TOO_MUCH = new Part(Integer.MAX_VALUE, List.of());

    /** How many items a list may have. */
    private sealed interface Length {
        long of(Map<String, Object> variables, Limits limits);

        record Fixed(int value) implements Length {
            @Override
            public long of(Map<String, Object> variables, Limits limits) {
                return value;
            }
        }

        /** What arguments like {@code first} and {@code last} of a connection say, the largest if several are given. */
        record Page(List<Value<?>> sizes, Map<String, Value<?>> defaults) implements Length {
            @Override
            public long of(Map<String, Object> variables, Limits limits) {
                var largest = 0L;
                for (var size : sizes) {
                    largest = Math.max(largest, number(size, variables));
                }
                return largest == 0 ? limits.pageSize : Math.min(largest, limits.maxPageSize);
            }

            private long number(Value<?> size, Map<String, Object> variables) {
                return switch (size) {
                    case IntValue literal -> saturated(literal.getValue());
                    case ArrayValue list -> list.getValues().size();
                    case VariableReference reference
                    when variables.get(reference.getName()) instanceof Number n -> Math.max(0, n.longValue());
                    case VariableReference reference
                    when variables.get(reference.getName()) instanceof Collection<?> list -> list.size();
                    case VariableReference reference
                    when !variables.containsKey(reference.getName())
                            && defaults.get(reference.getName()) instanceof IntValue literal ->
                        saturated(literal.getValue());
                    case VariableReference reference
                    when !variables.containsKey(reference.getName())
                            && defaults.get(reference.getName()) instanceof ArrayValue list ->
                        list.getValues().size();
                    default -> 0;
                };
            }

            private static long saturated(BigInteger value) {
                return value.signum() < 0 ? 0 : value.bitLength() > 31 ? Integer.MAX_VALUE : value.intValue();
            }
        }
    }

    private static Map<String, Value<?>> defaults(OperationDefinition operation) {
        var defaults = new HashMap<String, Value<?>>();
        for (var variable : operation.getVariableDefinitions()) {
            if (variable.getDefaultValue() != null) {
                defaults.put(variable.getName(), variable.getDefaultValue());
            }
        }
        return Map.copyOf(defaults);
    }

    /**
     * Where a selection set stands.
     *
     * @param level 1 for the fields of the operation itself
     * @param page length of the lists among these fields, if it is known: page size of the connection that these are the
     *     fields of, or the number of things that a mutation changes; else null
     */
    private record Context(int level, @Nullable Length page, boolean root) {}

    private static final class Walk {
        private final Map<String, FragmentDefinition> fragments;
        private final GraphQLSchema schema;
        private final Limits limits;
        private final Map<String, Value<?>> defaults;
        private final boolean mutation;
        private final Set<String> open = new HashSet<>();
        private int deepest;
        private int visited;

        Walk(
                Map<String, FragmentDefinition> fragments,
                GraphQLSchema schema,
                Limits limits,
                Map<String, Value<?>> defaults,
                boolean mutation) {
            this.fragments = fragments;
            this.schema = schema;
            this.limits = limits;
            this.defaults = defaults;
            this.mutation = mutation;
        }

        /** Fragments that use each other twice make exponentially many fields: give up where the cost is exceeded. */
        boolean exhausted() {
            return visited > limits.maxCost;
        }

        Part selections(SelectionSet selections, @Nullable GraphQLType type, Context context) {
            var fixed = 0L;
            var lists = new ArrayList<Items>();
            for (Selection<?> selection : selections.getSelections()) {
                visited++;
                if (exhausted()) {
                    return TOO_MUCH;
                }
                var part =
                        switch (selection) {
                            case Field field -> field(field, type, context);
                            case InlineFragment fragment ->
                                selections(
                                        fragment.getSelectionSet(), typeOf(fragment.getTypeCondition(), type), context);
                            case FragmentSpread spread -> spread(spread, context);
                            default -> throw new IllegalStateException("not a selection: " + selection);
                        };
                fixed = Math.min(fixed + part.fixed, Integer.MAX_VALUE);
                lists.addAll(part.lists);
            }
            return new Part(fixed, List.copyOf(lists));
        }

        private Part spread(FragmentSpread spread, Context context) {
            var fragment = fragments.get(spread.getName());
            if (fragment == null || !open.add(spread.getName())) {
                return new Part(0, List.of());
            }
            var part = selections(fragment.getSelectionSet(), typeOf(fragment.getTypeCondition(), null), context);
            open.remove(spread.getName());
            return part;
        }

        private Part field(Field field, @Nullable GraphQLType parent, Context context) {
            if (field.getName().equals(Introspection.SchemaMetaFieldDef.getName())
                    || field.getName().equals(Introspection.TypeMetaFieldDef.getName())) {
                return new Part(1, List.of());
            }
            deepest = Math.max(deepest, context.level);
            var definition = parent instanceof GraphQLFieldsContainer container
                    ? container.getFieldDefinition(field.getName())
                    : null;
            var page = definition != null && has(definition, PAGE_SIZES) ? length(field, PAGE_SIZES) : null;
            var own = weight(definition, context.root || page != null ? READ : 1);
            if (context.level > limits.maxDepth || field.getSelectionSet() == null || definition == null) {
                return new Part(own, List.of());
            }
            var changed = mutation && context.root && has(definition, CHANGED) ? length(field, CHANGED) : null;
            var each = selections(
                    field.getSelectionSet(),
                    GraphQLTypeUtil.unwrapAll(definition.getType()),
                    new Context(context.level + 1, page == null ? changed : page, false));
            if (changed != null) {
                var changes = times(own, changed, new Part(CHANGE, List.of()));
                return new Part(changes.fixed + each.fixed, both(changes.lists, each.lists));
            }
            if (!GraphQLTypeUtil.isList(GraphQLTypeUtil.unwrapNonNull(definition.getType()))) {
                return new Part(own + each.fixed, each.lists);
            }
            return times(own, context.page == null ? new Length.Fixed(LIST) : context.page, each);
        }

        private static long weight(@Nullable GraphQLFieldDefinition definition, long otherwise) {
            var cost = definition == null ? null : definition.getAppliedDirective(COST);
            return cost == null ? otherwise : cost.getArgument(WEIGHT).<Integer>getValue();
        }

        private Part times(long own, Length length, Part each) {
            return length instanceof Length.Fixed(int n) && each.lists.isEmpty()
                    ? new Part(own + Math.min(n * each.fixed, Integer.MAX_VALUE), List.of())
                    : new Part(own, List.of(new Items(length, each)));
        }

        private static List<Items> both(List<Items> some, List<Items> others) {
            return Stream.concat(some.stream(), others.stream()).toList();
        }

        private static boolean has(GraphQLFieldDefinition definition, Set<String> arguments) {
            return arguments.stream().anyMatch(name -> definition.getArgument(name) != null);
        }

        private Length length(Field field, Set<String> arguments) {
            var sizes = new ArrayList<Value<?>>();
            for (Argument argument : field.getArguments()) {
                if (arguments.contains(argument.getName()) && !(argument.getValue() instanceof NullValue)) {
                    sizes.add(argument.getValue());
                }
            }
            var page = new Length.Page(List.copyOf(sizes), defaults);
            var literal = sizes.stream().noneMatch(VariableReference.class::isInstance);
            return literal ? new Length.Fixed((int) page.of(Map.of(), limits)) : page;
        }

        private @Nullable GraphQLType typeOf(@Nullable TypeName condition, @Nullable GraphQLType otherwise) {
            return condition == null ? otherwise : schema.getType(condition.getName());
        }
    }
}
