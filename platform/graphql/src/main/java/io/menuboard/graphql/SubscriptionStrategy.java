package io.menuboard.graphql;

import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.ExecutionResultImpl;
import graphql.GraphQLContext;
import graphql.execution.DataFetcherExceptionHandler;
import graphql.execution.ExecutionContext;
import graphql.execution.ExecutionStrategyParameters;
import graphql.execution.SubscriptionExecutionStrategy;
import graphql.execution.reactive.SubscriptionPublisher;
import graphql.language.DirectivesContainer;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.OperationDefinition;
import graphql.language.SelectionSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Executes a subscription in two kinds of executions: one that subscribes, whose data is the publisher of its events as the
 * field returned it, and one for each event, of the selections alone. So each event has a context of its own, with its own
 * deadline, batches and access, and goes through every check of an operation again.
 */
final class SubscriptionStrategy extends SubscriptionExecutionStrategy {
    private static final String EVENT = SubscriptionStrategy.class.getName() + ".event";

    private final ListStrategy fields;

    SubscriptionStrategy(DataFetcherExceptionHandler faults, ListStrategy fields) {
        super(faults);
        this.fields = fields;
    }

    /** Makes the execution of a subscription that of one event. */
    static void event(GraphQLContext.Builder context, Object event) {
        context.of(EVENT, event);
    }

    /** The event that is executed; null where none is. */
    static @Nullable Object event(GraphQLContext context) {
        return context.get(EVENT);
    }

    static boolean isEvent(ExecutionInput input) {
        return input.getGraphQLContext().hasKey(EVENT);
    }

    /**
     * Whether a subscription of the document may turn out to have no field, which GraphQL forbids since 2025; graphql-java
     * fails on it where it validates.
     *
     * @param document without fragments that spread themselves
     */
    static boolean mayBeSkipped(Document document) {
        return document.getDefinitionsOfType(OperationDefinition.class).stream()
                .filter(operation -> operation.getOperation() == OperationDefinition.Operation.SUBSCRIPTION)
                .anyMatch(operation -> mayBeSkipped(operation.getSelectionSet(), document));
    }

    private static boolean mayBeSkipped(SelectionSet selections, Document document) {
        return selections.getSelections().stream()
                .anyMatch(selection -> (selection instanceof DirectivesContainer<?> container
                                && (container.hasDirective("skip") || container.hasDirective("include")))
                        || switch (selection) {
                            case InlineFragment inline -> mayBeSkipped(inline.getSelectionSet(), document);
                            case FragmentSpread spread ->
                                document.getDefinitionsOfType(FragmentDefinition.class).stream()
                                        .filter(fragment -> fragment.getName().equals(spread.getName()))
                                        .anyMatch(fragment -> mayBeSkipped(fragment.getSelectionSet(), document));
                            default -> false;
                        });
    }

    @Override
    public CompletableFuture<ExecutionResult> execute(
            ExecutionContext context, ExecutionStrategyParameters parameters) {
        if (context.getGraphQLContext().hasKey(EVENT)) {
            return fields.execute(context, parameters);
        }
        return super.execute(context, parameters).thenApply(SubscriptionStrategy::source);
    }

    private static ExecutionResult source(ExecutionResult result) {
        return result.getData() instanceof SubscriptionPublisher mapped
                ? new ExecutionResultImpl(mapped.getUpstreamPublisher(), result.getErrors())
                : result;
    }
}
