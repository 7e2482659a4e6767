package io.menuboard.graphql;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.ExecutionInput;
import graphql.GraphQLError;
import graphql.ParseAndValidate;
import graphql.execution.preparsed.PreparsedDocumentEntry;
import graphql.execution.preparsed.PreparsedDocumentProvider;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.parser.ParserOptions;
import graphql.schema.GraphQLSchema;
import io.menuboard.access.Access;
import io.menuboard.graphql.introspection.IntrospectionSwitch;
import io.menuboard.graphql.permissions.RequiredPermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns source text into documents that are ready to execute. Valid ones are kept, so that each is parsed, validated
 * and measured once while the cache has room for it; the rest is done again each time, since who sends it is not
 * meant to be served faster. Nothing is executed that goes past a limit, by whichever way it reaches graphql-java. Thread-safe.
 */
final class Documents implements PreparsedDocumentProvider {
    /**
     * Heap that a cached document takes for each UTF-16 code unit of its source, which is kept too: rather too much than
     * too little. Measured with graphql-java 25.0 on JDK 25 with compressed pointers: 12 to 18 for documents as clients
     * send them, 36 for rows of fields with names of two letters. A list of numbers of one digit comes to 62.
     */
    static final int BYTES_PER_CHAR = 64;

    /** Heap that a cached document takes whatever its length. */
    static final int BYTES_PER_DOCUMENT = 1_024;

    /** In the context of an execution that may only be a query. */
    static final String QUERIES_ONLY = Documents.class.getName() + ".queriesOnly";

    /** In the context of an execution whose answer may be a stream: it may be a subscription. */
    static final String STREAMS = Documents.class.getName() + ".streams";

    /** Code of the error that the others get. */
    static final String METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED";

    /** Code of the error of an operation that whoever asks may not execute. */
    static final String PERMISSION_DENIED = "PERMISSION_DENIED";

    private final GraphQLSchema schema;
    private final GraphQlConfig config;
    private final OperationCost.Limits limits;
    private final DeprecatedUse deprecated;
    private final ParserOptions parserOptions;
    private final Cache<String, Prepared> cache;

    Documents(GraphQLSchema schema, GraphQlConfig config, OperationCost.Limits limits, DeprecatedUse deprecated) {
        this.schema = schema;
        this.config = config;
        this.limits = limits;
        this.deprecated = deprecated;
        this.parserOptions = ParserOptions.newParserOptions()
                .captureIgnoredChars(false)
                .captureLineComments(false)
                .captureSourceLocation(true)
                .readerTrackData(false)
                .maxCharacters(config.maxDocumentChars())
                .maxTokens(config.maxTokens())
                .maxWhitespaceTokens(config.maxDocumentChars())
                .build();
        this.cache = Caffeine.newBuilder()
                .maximumWeight(config.documentCacheBytes())
                .weigher((String source, Prepared prepared) -> weight(source))
                // Evict in the thread that adds, so that the bound holds at every moment.
                .executor(Runnable::run)
                .recordStats()
                .build();
    }

    /**
     * A document that was parsed, with everything about it that does not depend on the request.
     *
     * @param errors why it is not valid; empty if it may be executed
     * @param operations by name, in the order of the document; an anonymous one has the empty name
     * @param deprecated what it asks for that is deprecated; null where it is not valid
     */
    record Prepared(
            PreparsedDocumentEntry entry,
            List<? extends GraphQLError> errors,
            Map<String, Operation> operations,
            DeprecatedUse.@Nullable InDocument deprecated) {}

    /** One operation of a document. */
    record Operation(OperationDefinition.Operation kind, OperationCost cost, RequiredPermissions permissions) {}

    Cache<String, Prepared> cache() {
        return cache;
    }

    /** The document with this source, from the cache if it is there. Parses and validates on the calling thread. */
    Prepared prepare(String source) {
        if (source.length() > config.maxDocumentChars()) {
            return refused(GraphQlError.of(
                    "DOCUMENT_TOO_LARGE",
                    "the document has %d characters, at most %d are allowed"
                            .formatted(source.length(), config.maxDocumentChars())));
        }
        var cached = cache.getIfPresent(source);
        if (cached != null) {
            return cached;
        }
        var prepared = parse(source);
        if (prepared.errors.isEmpty()) {
            cache.put(source, prepared);
        }
        return prepared;
    }

    @Override
    public CompletableFuture<PreparsedDocumentEntry> getDocumentAsync(
            ExecutionInput input, Function<ExecutionInput, PreparsedDocumentEntry> parseAndValidate) {
        var prepared = prepare(input.getQuery());
        return CompletableFuture.completedFuture(
                refusal(input, prepared).map(PreparsedDocumentEntry::new).orElse(prepared.entry));
    }

    private static Optional<GraphQlError> refusal(ExecutionInput input, Prepared document) {
        var name = input.getOperationName();
        var operation = operation(document, name);
        if (operation != null
                && operation.kind() != OperationDefinition.Operation.QUERY
                && input.getGraphQLContext().hasKey(QUERIES_ONLY)
                && !isSubscribed(operation, input)) {
            return Optional.of(GraphQlError.of(
                    METHOD_NOT_ALLOWED, "a GET request may only execute a query: send this operation as POST"));
        }
        if (!document.errors.isEmpty()) {
            return Optional.empty(); // it has its own
        }
        if (operation == null) {
            return Optional.of(unknownOperation(document, name));
        }
        if (operation.kind() == OperationDefinition.Operation.SUBSCRIPTION && !isSubscribed(operation, input)) {
            return Optional.of(
                    GraphQlError.of(
                            "SUBSCRIPTION_NEEDS_STREAM",
                            "a subscription is answered as text/event-stream (Accept, or /graphql/stream) or over graphql-transport-ws (/graphql/ws)"));
        }
        var missing = operation.permissions().missing(input.getGraphQLContext().get(Access.class));
        if (missing.isPresent()) {
            return Optional.of(GraphQlError.of(
                    PERMISSION_DENIED,
                    missing.get().place() + " needs the permission "
                            + missing.get().permission()));
        }
        var answer = input.getGraphQLContext().<AnswerCost>get(AnswerCost.class);
        if (answer != null) {
            answer.requested(operation.cost(), input.getVariables());
        }
        var refusal = operation.cost().refusal(input.getVariables());
        // Once for a subscription, not for each of its events.
        if (refusal.isEmpty() && document.deprecated != null && !SubscriptionStrategy.isEvent(input)) {
            document.deprecated.executed(input.getVariables());
        }
        return refusal;
    }

    private static boolean isSubscribed(Operation operation, ExecutionInput input) {
        return operation.kind() == OperationDefinition.Operation.SUBSCRIPTION
                && input.getGraphQLContext().hasKey(STREAMS);
    }

    /** GetOperation of the GraphQL specification; null where it raises an error. */
    private static @Nullable Operation operation(Prepared document, @Nullable String name) {
        var operations = document.operations();
        if (name != null) {
            return operations.get(name);
        }
        return operations.size() == 1 ? operations.values().iterator().next() : null;
    }

    private static GraphQlError unknownOperation(Prepared document, @Nullable String name) {
        var message = name == null
                ? "the document has %d operations: name one of them in operationName"
                        .formatted(document.operations().size())
                : "operationName: the document has no operation of this name";
        return GraphQlError.of("OPERATION_RESOLUTION_FAILED", message);
    }

    /** Estimated heap of a cached document in bytes. */
    static int weight(String source) {
        return Math.addExact(BYTES_PER_DOCUMENT, Math.multiplyExact(source.length(), BYTES_PER_CHAR));
    }

    private Prepared parse(String source) {
        var input = ExecutionInput.newExecutionInput(source)
                .graphQLContext(context -> context.of(ParserOptions.class, parserOptions))
                .locale(Locale.ENGLISH)
                .build();
        var parsed = ParseAndValidate.parse(input);
        if (parsed.isFailure()) {
            return refused(parsed.getSyntaxException().toInvalidSyntaxError());
        }
        var document = parsed.getDocument();
        // Before validation and cost, which take time that grows faster than the document.
        var tooLarge = DocumentShape.refusal(document, config);
        if (tooLarge.isPresent()) {
            return refused(tooLarge.get());
        }
        if (!config.introspection() && IntrospectionSwitch.isAskedBy(document)) {
            return refused(
                    GraphQlError.of(
                            "INTROSPECTION_DISABLED",
                            "the schema cannot be asked for here (menuboard.graphql.introspection): it is docs/schema.graphql"));
        }
        if (SubscriptionStrategy.mayBeSkipped(document)) {
            return refused(GraphQlError.of(
                    "GRAPHQL_VALIDATION_FAILED",
                    "@skip and @include must not be on the field of a subscription: do not subscribe instead"));
        }
        var operations = operations(document);
        for (var operation : operations.values()) {
            var refusal = operation.cost.refusal();
            if (refusal.isPresent()) {
                return refused(refusal.get());
            }
        }
        var errors = ParseAndValidate.validate(schema, document, Locale.ENGLISH);
        return errors.isEmpty()
                ? new Prepared(new PreparsedDocumentEntry(document), errors, operations, deprecated.in(document))
                : new Prepared(new PreparsedDocumentEntry(document, errors), errors, operations, null);
    }

    private Map<String, Operation> operations(Document document) {
        var fragments = new HashMap<String, FragmentDefinition>();
        for (var fragment : document.getDefinitionsOfType(FragmentDefinition.class)) {
            fragments.put(fragment.getName(), fragment);
        }
        var operations = new LinkedHashMap<String, Operation>();
        for (var operation : document.getDefinitionsOfType(OperationDefinition.class)) {
            var name = operation.getName() == null ? "" : operation.getName();
            operations.put(
                    name,
                    new Operation(
                            operation.getOperation(),
                            OperationCost.of(operation, fragments, schema, limits),
                            RequiredPermissions.of(operation, document, schema)));
        }
        return operations;
    }

    private static Prepared refused(GraphQLError error) {
        return new Prepared(new PreparsedDocumentEntry(error), List.of(error), Map.of(), null);
    }
}
