package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * A client of a table that shows what a transaction has written item after item, as DynamoDB may while it commits: it isolates
 * transactions from each other, and from requests for one item, but promises no more of a Query than that each item which it finds
 * was committed. What must be seen of some partitions is there already, while others are still answered as before; a transaction is
 * answered once all of it is to be seen. Transactions come one after another.
 */
public final class HalfVisibleTransactions {
    private final DynamoDbClient client;
    private final Predicate<String> isEarly;
    private final Predicate<String> isLate;
    private final Runnable meanwhile;
    private final Map<Asked, QueryResponse> before = new HashMap<>();
    private boolean isCommitting;
    private int transactions;

    private HalfVisibleTransactions(
            DynamoDbClient client, Predicate<String> isEarly, Predicate<String> isLate, Runnable meanwhile) {
        this.client = client;
        this.isEarly = isEarly;
        this.isLate = isLate;
        this.meanwhile = meanwhile;
    }

    /**
     * A client that does something in the middle of each transaction.
     *
     * @param isEarly of the partitions of an item that is to be seen first; transactions without one are seen as a whole
     * @param isLate of partitions whose items are not to be seen yet by who has queried them before
     * @param meanwhile while it is so
     */
    public static DynamoDbClient of(
            DynamoDbClient client, Predicate<String> isEarly, Predicate<String> isLate, Runnable meanwhile) {
        var table = new HalfVisibleTransactions(client, isEarly, isLate, meanwhile);
        return (DynamoDbClient) Proxy.newProxyInstance(
                HalfVisibleTransactions.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> table.call(method, arguments));
    }

    /** What of a Query decides on its answer. */
    private record Asked(
            @Nullable String condition,
            Map<String, AttributeValue> values,
            Map<String, AttributeValue> after,
            @Nullable Integer limit,
            @Nullable Boolean isForward) {
        static Asked of(QueryRequest query) {
            return new Asked(
                    query.keyConditionExpression(),
                    query.expressionAttributeValues(),
                    query.exclusiveStartKey(),
                    query.limit(),
                    query.scanIndexForward());
        }
    }

    private Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && arguments.length == 1) {
            if (arguments[0] instanceof QueryRequest query && isLate(query)) {
                return query(query, method, arguments);
            }
            if (arguments[0] instanceof TransactWriteItemsRequest transaction && isEarly(transaction)) {
                return transact(method, arguments);
            }
        }
        return send(method, arguments);
    }

    private boolean isLate(QueryRequest query) {
        return query.indexName() == null
                && query.expressionAttributeValues().values().stream()
                        .anyMatch(value -> value.s() != null && isLate.test(value.s()));
    }

    private boolean isEarly(TransactWriteItemsRequest transaction) {
        return transaction.transactItems().stream()
                .flatMap(HalfVisibleTransactions::keys)
                .flatMap(key -> key.values().stream())
                .anyMatch(value -> value.s() != null && isEarly.test(value.s()));
    }

    private static Stream<Map<String, AttributeValue>> keys(TransactWriteItem item) {
        return item.update() == null ? Stream.empty() : Stream.of(item.update().key());
    }

    private Object query(QueryRequest query, Method method, Object[] arguments) throws Throwable {
        var asked = Asked.of(query);
        int seen;
        synchronized (this) {
            seen = transactions;
            var known = isCommitting ? before.get(asked) : null;
            if (known != null) {
                return known;
            }
        }
        var answer = (QueryResponse) send(method, arguments);
        synchronized (this) {
            if (!isCommitting && seen == transactions) {
                before.put(asked, answer);
            }
        }
        return answer;
    }

    private Object transact(Method method, Object[] arguments) throws Throwable {
        synchronized (this) {
            isCommitting = true;
            transactions++;
        }
        try {
            var answer = send(method, arguments);
            meanwhile.run();
            return answer;
        } finally {
            synchronized (this) {
                isCommitting = false;
                before.clear();
            }
        }
    }

    private Object send(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
