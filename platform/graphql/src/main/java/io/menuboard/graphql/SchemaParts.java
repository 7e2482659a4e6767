package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import graphql.language.Description;
import graphql.language.EnumTypeDefinition;
import graphql.language.EnumValueDefinition;
import graphql.language.ObjectTypeDefinition;
import graphql.language.TypeName;
import graphql.schema.DataFetcher;
import graphql.schema.FieldCoordinates;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.FieldWiringEnvironment;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeDefinitionRegistry;
import graphql.schema.idl.TypeUtil;
import graphql.schema.idl.WiringFactory;
import io.menuboard.access.Access;
import io.menuboard.graphql.conditional.Dependencies;
import io.menuboard.graphql.introspection.HiddenDirectives;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Collects what modules contribute to the schema. A field that is not named here is read from the accessor of the same name
 * ({@link AccessorFetcher}).
 */
public final class SchemaParts {
    private static final String SUBSCRIPTION = "Subscription";

    private final TypeDefinitionRegistry types = new TypeDefinitionRegistry();
    private final Nodes nodes = new Nodes();
    private final List<FieldCoordinates> reading = new ArrayList<>();
    private final RuntimeWiring.Builder wiring = RuntimeWiring.newRuntimeWiring()
            .codeRegistry(HiddenDirectives.introspection())
            .wiringFactory(new WiringFactory() {
                @Override
                public DataFetcher<?> getDefaultDataFetcher(FieldWiringEnvironment field) {
                    return new AccessorFetcher(field.getFieldDefinition().getName());
                }
            });

    SchemaParts() {}

    /** Reads a field of a root type. */
    @FunctionalInterface
    public interface Fetcher {
        @Nullable
        Object fetch(Arguments args);
    }

    /** Reads a field of an object. */
    @FunctionalInterface
    public interface Reader<S> {
        @Nullable
        Object read(S object);
    }

    /** Reads a field of an object that has arguments. */
    @FunctionalInterface
    public interface FetcherOf<S> {
        @Nullable
        Object fetch(S object, Arguments args);
    }

    /**
     * Finds nodes of a type by their keys, all different, in as few reads as it takes. Where it fails because of one of them
     * ({@link DataAccess#isOfOneThing}), it is asked for the others without that one.
     */
    @FunctionalInterface
    public interface NodeReader<T> {
        /** Those that there are and that whoever asks may see, by key. A key that none can have is one that none has. */
        Map<String, T> read(Access access, List<String> keys);

        /**
         * Reads by ids.
         *
         * @param id refuses with {@link InvalidInput} what no id can be
         * @param key of what was found
         */
        static <I, T> NodeReader<T> of(
                Function<String, I> id, Function<List<I>, List<T>> read, Function<? super T, String> key) {
            return of(id, (_, ids) -> read.apply(ids), key);
        }

        /** As {@link #of(Function, Function, Function)}, with who asks. */
        static <I, T> NodeReader<T> of(
                Function<String, I> id, BiFunction<Access, List<I>, List<T>> read, Function<? super T, String> key) {
            return (access, keys) -> {
                var ids = new ArrayList<I>();
                for (var text : keys) {
                    try {
                        ids.add(id.apply(text));
                    } catch (InvalidInput _) {
                        // Nothing has it.
                    }
                }
                return ids.isEmpty()
                        ? Map.of()
                        : read.apply(access, ids).stream()
                                .collect(Collectors.toMap(key, Function.identity(), (one, _) -> one));
            };
        }
    }

    /** Reads a field of many objects, in their order. Asked again as a {@link NodeReader} is. */
    @FunctionalInterface
    public interface BatchReader<S> {
        /** Values in the order of the objects; null for none, and an exception for one that fails alone. */
        List<? extends @Nullable Object> read(List<S> objects, Arguments args);
    }

    /** Adds the definitions of {@code graphql/<name>.graphqls} on the class path. */
    public void definitions(String name) {
        var path = "/graphql/" + name + ".graphqls";
        try (var resource = SchemaParts.class.getResourceAsStream(path)) {
            if (resource == null) {
                throw new IllegalStateException(path + " is not on the class path");
            }
            types.merge(new SchemaParser().parse(new InputStreamReader(resource, UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void scalar(GraphQLScalarType scalar) {
        wiring.scalar(scalar);
    }

    /** Reads a field of {@code Query}. A {@link java.util.concurrent.CompletionStage} is waited for without a thread. */
    public void query(String field, Fetcher read) {
        fetch("Query", field, args -> read.fetch(Arguments.of(args)));
    }

    /**
     * Reads a field of {@code Query} for all its aliases in a document together.
     *
     * @param asked what the arguments of one of them ask for
     * @param read answers, for who asks, all that are asked for, all different, in their order; null for none
     */
    public <K> void query(
            String field,
            Function<Arguments, K> asked,
            BiFunction<Access, List<K>, List<? extends @Nullable Object>> read) {
        fetch("Query", field, environment -> {
            var args = Arguments.of(environment);
            return Batches.load(
                    environment,
                    "Query." + field,
                    asked.apply(args),
                    keys -> new ArrayList<>(read.apply(args.access(), keys)));
        });
    }

    /**
     * Reads a field of {@code Query} that answers nodes of a type: a list in the order of their keys, with null for what is not
     * there, and for what cannot be read, which has an error of its own.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // graphql-java waits for it
    public void query(String field, String type, Function<Arguments, List<String>> keys) {
        query(field, args -> nodes.loadAll(args.field(), type, keys.apply(args)));
    }

    /**
     * Subscribes to a field of {@code Subscription}, which a module adds by {@code extend type Subscription}. The publisher
     * emits what the selections of the field are read from, only as much as is requested, and lets go of what it holds when it is
     * cancelled. What it fails with is told as if the field had thrown it. It is subscribed to once, or never.
     */
    public void subscription(String field, Function<Arguments, ? extends Publisher<?>> subscribe) {
        fetch(SUBSCRIPTION, field, environment -> {
            var event = SubscriptionStrategy.event(environment.getGraphQlContext());
            return event == null ? subscribe.apply(Arguments.of(environment)) : event;
        });
    }

    /**
     * Executes a field of {@code Mutation}.
     *
     * @param refused payload that tells what was wrong with the input
     */
    public <P> void mutation(String field, Function<Arguments, P> change, Function<InvalidInput, P> refused) {
        fetch("Mutation", field, args -> {
            try {
                return change.apply(Arguments.of(args));
            } catch (InvalidInput e) {
                return refused.apply(e);
            }
        });
    }

    /**
     * Executes a field of {@code Mutation} that has one argument, {@code input}. Where a rule refuses it, the payload has
     * that as its only error, with its path in the input, and null in all other fields.
     *
     * @param change is given the fields of the input; a {@link CompletionStage} of the payload is waited for without a thread
     */
    public <P> void mutation(String field, Function<Arguments, P> change) {
        fetch("Mutation", field, args -> {
            try {
                var payload = change.apply(Arguments.ofInput(args));
                return payload instanceof CompletionStage<?> later ? orRefused(later) : payload;
            } catch (InvalidInput e) {
                return refused(e);
            }
        });
    }

    private static AccessorFetcher.Refused refused(InvalidInput e) {
        return new AccessorFetcher.Refused(UserError.list(e, Arguments.INPUT));
    }

    /** The same of a payload that is waited for without a thread. */
    private static CompletionStage<Object> orRefused(CompletionStage<?> later) {
        return later.<Object>thenApply(payload -> payload).exceptionally(failure -> {
            if (failure instanceof CompletionException wrapper && wrapper.getCause() instanceof InvalidInput e) {
                return refused(e);
            }
            throw failure instanceof RuntimeException known ? known : new CompletionException(failure);
        });
    }

    /**
     * An object type that implements {@code Node}: {@code Query.node} finds its objects, and so do fields of other types,
     * by {@link ObjectFields#reference}.
     *
     * @param key what identifies an object in its type, as {@link GlobalId} has it
     */
    public <T> ObjectFields<T> node(
            String type, Class<T> source, Function<? super T, String> key, NodeReader<T> reader) {
        nodes.add(type, source, key, reader);
        wiring.type(type, fields -> fields.dataFetcher("id", nodes.id(type, source, key)));
        return object(type, source);
    }

    /** Names the fields of an object type that are not read from the accessor of their name. */
    public <S> ObjectFields<S> object(String type, Class<S> source) {
        return new ObjectFields<>(type, source);
    }

    /** What is read together: a field, with the same arguments. */
    private record FieldWith(String type, String name, Map<String, Object> arguments) {}

    /** Fields of one object type. */
    public final class ObjectFields<S> {
        private final String type;
        private final Class<S> source;

        private ObjectFields(String type, Class<S> source) {
            this.type = type;
            this.source = source;
        }

        /** Reads a field without arguments from the object itself, at once: from nothing that takes time. */
        public ObjectFields<S> field(String name, Reader<S> read) {
            wiring.type(
                    type,
                    fields -> fields.dataFetcher(name, (PlainFetcher) source -> {
                        var object = object(source);
                        return object == null ? null : read.read(object);
                    }));
            return this;
        }

        /** Reads a field with arguments. */
        public ObjectFields<S> field(String name, FetcherOf<S> read) {
            fetch(type, name, args -> {
                var object = object(args.getSource());
                return object == null ? null : read.fetch(object, Arguments.of(args));
            });
            return this;
        }

        /**
         * Leads to a node; null where the object names none, or there is none with that key. All nodes of the type that
         * fields of the same level ask for are read together. The schema says with {@code @cost} what that costs.
         */
        public ObjectFields<S> reference(String name, String target, Function<? super S, @Nullable String> key) {
            reading.add(FieldCoordinates.coordinates(type, name));
            fetch(type, name, args -> {
                var object = object(args.getSource());
                var found = object == null ? null : key.apply(object);
                return found == null ? null : nodes.load(args, target, found);
            });
            return this;
        }

        /**
         * Reads a field of all objects on the same level of the document together. Where it is no connection, whose price is its
         * page, the schema says with {@code @cost} what that costs.
         */
        public ObjectFields<S> batch(String name, BatchReader<S> read) {
            reading.add(FieldCoordinates.coordinates(type, name));
            fetch(type, name, args -> {
                var object = object(args.getSource());
                if (object == null) {
                    return null;
                }
                var kind = new FieldWith(type, name, args.getArguments());
                return Batches.load(
                        args, kind, object, objects -> new ArrayList<>(read.read(objects, Arguments.of(args))));
            });
            return this;
        }

        /** Null for the payload of input that was refused, in which all but the errors is null. */
        private @Nullable S object(@Nullable Object read) {
            var object = Objects.requireNonNull(read);
            return object instanceof AccessorFetcher.Refused ? null : source.cast(object);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // graphql-java waits for it
    GraphQLSchema schema() {
        query("node", args -> nodes.find(args.field(), args.text("id")));
        query("nodes", args -> nodes.findAll(args.field(), args.get("ids", List.of())));
        wiring.type("Node", type -> type.typeResolver(nodes::typeOf));
        wiring.type("UserError", type -> type.typeResolver(_ -> null));
        types.getTypes(ObjectTypeDefinition.class).forEach(this::userError);
        if (types.objectTypeExtensions().containsKey(SUBSCRIPTION) && types.getTypeOrNull(SUBSCRIPTION) == null) {
            types.add(subscriptions());
        }
        var schema = new SchemaGenerator().makeExecutableSchema(types, wiring.build());
        InputRules.requireBounds(schema);
        for (var name : reading) {
            var field = Objects.requireNonNull(schema.getFieldDefinition(name), name::toString);
            if (field.getAppliedDirective("cost") == null && !OperationCost.isPaged(field)) {
                throw new IllegalStateException(name + " reads without a @cost");
            }
        }
        return schema;
    }

    /** No type may be without fields, so that there is none where no module has any. */
    private static ObjectTypeDefinition subscriptions() {
        return ObjectTypeDefinition.newObjectTypeDefinition()
                .name(SUBSCRIPTION)
                .description(new Description(
                        "What is told as it happens: as `text/event-stream` (graphql-sse, distinct connections), or over a"
                                + " WebSocket (`graphql-transport-ws`, `/graphql/ws`).",
                        null,
                        false))
                .build();
    }

    /** Lets the enum of an error have a value for every code, also for an unknown one. */
    private void userError(ObjectTypeDefinition type) {
        var isUserError = type.getImplements().stream()
                .anyMatch(implemented ->
                        implemented instanceof TypeName name && name.getName().equals("UserError"));
        if (!isUserError) {
            return;
        }
        var codes = type.getFieldDefinitions().stream()
                .filter(field -> field.getName().equals("code"))
                .flatMap(field -> Optional.ofNullable(
                        types.getTypeOrNull(TypeUtil.unwrapAll(field.getType()), EnumTypeDefinition.class))
                        .stream())
                .flatMap(values -> values.getEnumValueDefinitions().stream())
                .map(EnumValueDefinition::getName)
                .collect(Collectors.toUnmodifiableSet());
        wiring.type(
                type.getName(),
                fields -> fields.dataFetcher("code", (PlainFetcher) error -> {
                    var code = ((UserError) Objects.requireNonNull(error)).code();
                    return codes.contains(code) ? code : "INVALID";
                }));
    }

    private void fetch(String type, String field, DataFetcher<@Nullable Object> fetcher) {
        wiring.type(
                type,
                fields -> fields.dataFetcher(field, environment -> {
                    RequestTime.check(environment.getGraphQlContext());
                    Dependencies.fetched(environment.getGraphQlContext());
                    return fetcher.get(environment);
                }));
    }
}
