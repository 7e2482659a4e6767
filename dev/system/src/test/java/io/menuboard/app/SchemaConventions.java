package io.menuboard.app;

import static graphql.schema.GraphQLTypeUtil.isList;
import static graphql.schema.GraphQLTypeUtil.isNonNull;
import static graphql.schema.GraphQLTypeUtil.simplePrint;
import static graphql.schema.GraphQLTypeUtil.unwrapAll;
import static graphql.schema.GraphQLTypeUtil.unwrapNonNull;

import graphql.introspection.Introspection;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLDirectiveContainer;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLFieldsContainer;
import graphql.schema.GraphQLInputObjectField;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLInputValueDefinition;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLSchema;
import io.menuboard.graphql.permissions.Rules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of ADR 26, as far as a program can see them. */
final class SchemaConventions {
    /** Words with which the names of instants end, or which they are. */
    private static final List<String> INSTANTS = List.of("At", "from", "From", "to", "Until");

    /** Instants of which an answer tells how it was: named as the argument that asks for one, which is no event. */
    private static final Set<String> MOMENTS = Set.of("Menu.at");

    /** Instants beside who did something that have another word: it is not when they did it, but when it came. */
    private static final Map<String, String> WHEN = Map.of("BillableTransaction.recordedBy", "receivedAt");

    /** Fields that say what they are by a scalar with a rule. */
    private static final Map<String, String> SCALARS = Map.of(
            "timeZone", "TimeZone",
            "country", "CountryCode",
            "month", "YearMonth",
            "currency", "CurrencyCode");

    /** A deprecated element says since when, and what is there instead. */
    private static final Pattern REASON = Pattern.compile(
            "Since \\d{4}-\\d{2}-\\d{2}: use `(\\w+)(?:\\.(\\w+))?(\\(\\w+:\\))?`\\..*", Pattern.DOTALL);

    private static final Set<String> PLAIN_PARTS = Set.of("code", "message", "path");

    /** Fields that answer nodes of many types, which have rules of their own. */
    private static final Set<String> BY_TYPE = Set.of("node", "nodes");

    private final GraphQLSchema schema;
    private final KnownPermissions known;
    private final List<String> violations = new ArrayList<>();

    private SchemaConventions(GraphQLSchema schema) {
        this.schema = schema;
        this.known = new KnownPermissions(schema);
    }

    /** Sentences that begin with the coordinate of what is wrong. */
    static List<String> violations(GraphQLSchema schema) {
        var conventions = new SchemaConventions(schema);
        conventions.check();
        return conventions.violations.stream().sorted().toList();
    }

    private void check() {
        for (var type : schema.getAllTypesAsList()) {
            if (Introspection.isIntrospectionTypes(type)) {
                continue;
            }
            deprecations(type);
            permissions(type);
            switch (type) {
                case GraphQLObjectType object
                when object.equals(schema.getMutationType()) ->
                    object.getFieldDefinitions().forEach(this::mutation);
                case GraphQLObjectType object -> object(object);
                case GraphQLInputObjectType input ->
                    input.getFields().forEach(field -> optional(input.getName() + "." + field.getName(), field));
                default -> {}
            }
        }
    }

    /** What an answer has is reached through a field of a root type, or as a node. */
    private void permissions(GraphQLNamedType type) {
        if (isRoot(type)) {
            ((GraphQLObjectType) type)
                    .getFieldDefinitions().stream()
                            .filter(field -> !BY_TYPE.contains(field.getName()))
                            .forEach(field -> requirePermission(type.getName() + "." + field.getName(), field));
        } else if (type instanceof GraphQLObjectType object
                && object.getInterfaces().stream().anyMatch(one -> one.getName().equals("Node"))) {
            requirePermission(object.getName(), object);
        }
    }

    private boolean isRoot(GraphQLNamedType type) {
        return type.equals(schema.getQueryType())
                || type.equals(schema.getMutationType())
                || type.equals(schema.getSubscriptionType());
    }

    private void requirePermission(String coordinate, GraphQLDirectiveContainer place) {
        require(!Rules.of(place).isEmpty(), coordinate, "must say with @requires what permission it needs");
    }

    private void deprecations(GraphQLNamedType type) {
        var name = type.getName() + ".";
        switch (type) {
            case GraphQLFieldsContainer object ->
                object.getFieldDefinitions().forEach(field -> {
                    deprecation(name + field.getName(), field.getDeprecationReason());
                    field.getArguments()
                            .forEach(argument -> deprecation(
                                    "%s%s(%s:)".formatted(name, field.getName(), argument.getName()),
                                    argument.getDeprecationReason()));
                });
            case GraphQLInputObjectType input ->
                input.getFields().forEach(field -> deprecation(name + field.getName(), field.getDeprecationReason()));
            case GraphQLEnumType values ->
                values.getValues().forEach(value -> deprecation(name + value.getName(), value.getDeprecationReason()));
            default -> {}
        }
    }

    private void deprecation(String coordinate, @Nullable String reason) {
        if (reason != null) {
            var parts = REASON.matcher(reason);
            require(
                    parts.matches() && exists(Objects.requireNonNull(parts.group(1)), parts.group(2)),
                    coordinate,
                    "must say since when, and what to use: Since 2026-11-30: use `Type.field`.");
        }
    }

    private boolean exists(String type, @Nullable String member) {
        return switch (schema.getType(type)) {
            case GraphQLFieldsContainer object -> member == null || object.getFieldDefinition(member) != null;
            case GraphQLInputObjectType input -> member == null || input.getField(member) != null;
            case GraphQLEnumType values -> member == null || values.getValue(member) != null;
            case null -> false;
            default -> member == null;
        };
    }

    private void object(GraphQLObjectType type) {
        var name = type.getName();
        var isQuery = type.equals(schema.getQueryType());
        var isSubscription = type.equals(schema.getSubscriptionType());
        for (var field : type.getFieldDefinitions()) {
            var coordinate = name + "." + field.getName();
            field.getArguments().forEach(argument -> optional(coordinate + "(" + argument.getName() + ")", argument));
            require(
                    isSubscription || !isNonNull(field.getType()) || !(isQuery || mayFail(field)),
                    coordinate,
                    "must be nullable: it may fail");
            field(type, field, coordinate);
        }
        if (type.getField("id") != null) {
            require(has(type, "Node"), name, "must implement Node, as it has an id");
            type.getFieldDefinitions().stream()
                    .filter(field -> isOf(field, "Actor") && field.getName().endsWith("By"))
                    .forEach(field -> when(type, field.getName()));
        }
        if (name.endsWith("Connection")) {
            for (var part : List.of("edges", "nodes", "pageInfo")) {
                require(type.getField(part) != null, name, "must have " + part);
            }
        }
        require(
                name.equals("Money")
                        || type.getField("currency") == null
                        || type.getFieldDefinitions().stream().noneMatch(field -> isOf(field, "Decimal")),
                name,
                "must have Money for its amounts");
    }

    /** Who did something stands beside when. */
    private void when(GraphQLObjectType type, String who) {
        var when = WHEN.getOrDefault(type.getName() + "." + who, who.substring(0, who.length() - "By".length()) + "At");
        require(type.getField(when) != null, type.getName() + "." + who, "must have " + when + " beside it");
    }

    /** What reads has a price: by {@code @cost}, or as a connection, by the size of its page. Arguments can be wrong. */
    private static boolean mayFail(GraphQLFieldDefinition field) {
        return field.getAppliedDirective("cost") != null
                || !field.getArguments().isEmpty();
    }

    private void field(GraphQLObjectType type, GraphQLFieldDefinition field, String coordinate) {
        var name = field.getName();
        var of = unwrapAll(field.getType()).getName();
        var description = Objects.requireNonNullElse(field.getDescription(), "");
        known.missing(type, field)
                .forEach(permission -> require(
                        description.contains(permission.name()),
                        coordinate,
                        "must say in its description that its fields take " + permission));
        require(!of.equals("ID") || name.equals("id"), coordinate, "must lead to an object instead of its id");
        if (of.equals("DateTime")) {
            require(
                    INSTANTS.stream().anyMatch(name::endsWith) || MOMENTS.contains(coordinate) || field.isDeprecated(),
                    coordinate,
                    "must be named as an instant, …At");
        }
        if (name.equals("by") || name.endsWith("By")) {
            require(!of.equals("String"), coordinate, "must be an Actor");
        }
        if (of.equals("Actor")) {
            require(name.endsWith("By"), coordinate, "must end in By");
        }
        var scalar = SCALARS.get(name);
        require(scalar == null || !of.equals("String"), coordinate, "must be a " + scalar);
        var isPart = Set.of("edges", "nodes").contains(name) && type.getName().endsWith("Connection");
        var isPayload = type.getName().endsWith("Payload");
        if (isList(unwrapNonNull(field.getType())) && !isPart && !isPayload && !PLAIN_PARTS.contains(name)) {
            require(
                    field.getAppliedDirective("bounded") != null
                            || (type.equals(schema.getQueryType()) && name.equals("nodes")),
                    coordinate,
                    "must be a connection, or have @bounded");
        }
    }

    private void mutation(GraphQLFieldDefinition mutation) {
        var coordinate = "Mutation." + mutation.getName();
        var base = Character.toUpperCase(mutation.getName().charAt(0))
                + mutation.getName().substring(1);
        var input = mutation.getArguments().size() == 1 ? mutation.getArgument("input") : null;
        require(
                input != null && simplePrint(input.getType()).equals(base + "Input!"),
                coordinate,
                "must have one argument, input: " + base + "Input!");
        require(
                simplePrint(mutation.getType()).equals(base + "Payload"),
                coordinate,
                "must answer " + base + "Payload");
        if (!(schema.getType(base + "Payload") instanceof GraphQLObjectType payload)) {
            return;
        }
        for (var field : payload.getFieldDefinitions()) {
            var part = payload.getName() + "." + field.getName();
            if (field.getName().equals("errors")) {
                require(
                        simplePrint(field.getType()).equals("[" + base + "Error!]!"),
                        part,
                        "must be " + base + "Error");
            } else {
                require(!isNonNull(field.getType()), part, "must be nullable: it is null where input is refused");
            }
        }
        require(payload.getField("errors") != null, payload.getName(), "must have errors");
        var error = schema.getType(base + "Error") instanceof GraphQLObjectType found ? found : null;
        require(error != null && has(error, "UserError"), base + "Error", "must be a UserError");
        var codes = schema.getType(base + "ErrorCode") instanceof GraphQLEnumType found ? found : null;
        require(codes != null && codes.getValue("INVALID") != null, base + "ErrorCode", "must have INVALID");
        if (codes != null && input != null) {
            var answered = new TreeSet<String>();
            codesOfLengths(input, answered, new HashSet<>());
            answered.removeIf(code -> codes.getValue(code) != null);
            require(answered.isEmpty(), codes.getName(), "must have " + answered + ", of lists that are too long");
        }
        if (codes != null && codes.getValue("IDEMPOTENCY_KEY_REUSED") != null && !base.startsWith("Claim")) {
            require(payload.getField("isNew") != null, payload.getName(), "must have isNew, as the input has a key");
            require(
                    payload.getFieldDefinitions().stream()
                            .anyMatch(field -> field.getName().startsWith("existing")),
                    payload.getName(),
                    "must lead to what the key belongs to, existing…");
        }
    }

    /** Codes that are answered where lists of an input are too long. */
    private static void codesOfLengths(
            GraphQLInputValueDefinition value, Set<String> codes, Set<GraphQLInputObjectType> seen) {
        var length = value.getAppliedDirective("length");
        if (length != null) {
            codes.add(Objects.requireNonNull(length.getArgument("code").getValue()));
        }
        if (unwrapAll(value.getType()) instanceof GraphQLInputObjectType type && seen.add(type)) {
            type.getFields().forEach(field -> codesOfLengths(field, codes, seen));
        }
    }

    private void optional(String coordinate, GraphQLInputValueDefinition value) {
        var hasDefault =
                switch (value) {
                    case GraphQLArgument argument -> argument.hasSetDefaultValue();
                    case GraphQLInputObjectField field -> field.hasSetDefaultValue();
                    default -> false;
                };
        require(!hasDefault || !isNonNull(value.getType()), coordinate, "must be nullable, as it has a default");
    }

    private static boolean has(GraphQLObjectType type, String implemented) {
        return type.getInterfaces().stream().anyMatch(one -> one.getName().equals(implemented));
    }

    private static boolean isOf(@Nullable GraphQLFieldDefinition field, String type) {
        return field != null && unwrapAll(field.getType()).getName().equals(type);
    }

    private void require(boolean holds, String coordinate, String rule) {
        if (!holds) {
            violations.add(coordinate + " " + rule);
        }
    }
}
