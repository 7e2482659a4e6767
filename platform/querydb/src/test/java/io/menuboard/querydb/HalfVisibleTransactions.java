package io.menuboard.querydb;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
 * was committed. What must be seen of some items is there already, while Queries of others are still answered as before; a transaction
 * is answered once all of it is to be seen. Transactions come one after another, but for those that are made meanwhile: one that
 * writes or checks an item which is not seen yet waits until it is.
 */
public final class HalfVisibleTransactions {
    private final DynamoDbClient client;
    private final Predicate<String> isEarly;
    private final Predicate<String> isLate;
    private final Runnable meanwhile;
    private final Map<Asked, QueryResponse> before = new HashMap<>();

    /** Keys of what the transaction under way has written, and Queries do not find yet. */
    private final Set<Map<String, AttributeValue>> unseen = new HashSet<>();

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
     * @param isEarly of a part of the key of an item that is to be seen first, its partition or its sort key; transactions that
     *     write none are seen as a whole
     * @param isLate of a part of the keys of items that are not to be seen yet by who has queried them before: the partition of
     *     the Query, or what its sort keys begin with
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
            if (arguments[0] instanceof TransactWriteItemsRequest transaction) {
                return isMeanwhile(transaction) || !isEarly(transaction)
                        ? send(method, arguments)
                        : transact(transaction, method, arguments);
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
        return written(transaction).anyMatch(key -> hasPart(key, isEarly));
    }

    private static boolean hasPart(Map<String, AttributeValue> key, Predicate<String> isAsked) {
        return key.values().stream().anyMatch(value -> value.s() != null && isAsked.test(value.s()));
    }

    private static Stream<Map<String, AttributeValue>> written(TransactWriteItemsRequest transaction) {
        return transaction.transactItems().stream().flatMap(HalfVisibleTransactions::written);
    }

    private static Stream<Map<String, AttributeValue>> written(TransactWriteItem item) {
        if (item.put() != null) {
            return Stream.of(key(item.put().item()));
        }
        if (item.update() != null) {
            return Stream.of(item.update().key());
        }
        return item.delete() == null ? Stream.empty() : Stream.of(item.delete().key());
    }

    private static Map<String, AttributeValue> key(Map<String, AttributeValue> item) {
        return Map.of(
                Item.PARTITION,
                Objects.requireNonNull(item.get(Item.PARTITION)),
                Item.SORT,
                Objects.requireNonNull(item.get(Item.SORT)));
    }

    private static Stream<Map<String, AttributeValue>> checked(TransactWriteItemsRequest transaction) {
        return transaction.transactItems().stream()
                .filter(item -> item.conditionCheck() != null)
                .map(item -> item.conditionCheck().key());
    }

    /** True for a transaction that is made while another one is under way, which has ended where this one has to wait for it. */
    private synchronized boolean isMeanwhile(TransactWriteItemsRequest transaction) {
        if (!isCommitting) {
            return false;
        }
        if (Stream.concat(written(transaction), checked(transaction)).anyMatch(unseen::contains)) {
            end();
        }
        return true;
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

    private Object transact(TransactWriteItemsRequest transaction, Method method, Object[] arguments) throws Throwable {
        synchronized (this) {
            isCommitting = true;
            written(transaction).filter(key -> hasPart(key, isLate)).forEach(unseen::add);
            transactions++;
        }
        try {
            var answer = send(method, arguments);
            meanwhile.run();
            return answer;
        } finally {
            synchronized (this) {
                end();
            }
        }
    }

    /** From then on all of the transaction is seen. */
    private void end() {
        isCommitting = false;
        unseen.clear();
        before.clear();
    }

    private Object send(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
