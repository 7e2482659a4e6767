package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Requests.Request;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Writes all or nothing. */
final class Transactions {

    private final TableDefinition table;
    private final Clock clock;
    private final Requests requests;

    Transactions(TableDefinition table, Clock clock, Requests requests) {
        this.table = table;
        this.clock = clock;
        this.requests = requests;
    }

    void write(List<Write> writes) {
        var keys = writes.stream().map(Write::key).toList();
        if (keys.size() > QueryDb.MAX_TRANSACTION) {
            throw new IllegalArgumentException(
                    "a transaction has at most " + QueryDb.MAX_TRANSACTION + " writes, not " + keys.size());
        }
        if (new HashSet<>(keys).size() < keys.size()) {
            throw new IllegalArgumentException("a transaction writes every key once: " + keys);
        }
        if (!keys.isEmpty()) {
            send(writes, keys);
        }
    }

    /**
     * One token for every attempt makes DynamoDB apply them once, for ten minutes, provided that they are equal byte
     * for byte: that is why the request is built once, with one instant in its conditions. A complaint that they are
     * not could only mean that the first attempt arrived, so it counts as maybe applied.
     */
    private void send(List<Write> writes, List<Key> keys) {
        var conditions = new Conditions(table, clock.instant());
        var request = TransactWriteItemsRequest.builder()
                .transactItems(
                        writes.stream().map(write -> part(write, conditions)).toList())
                .clientRequestToken(UUID.randomUUID().toString())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        requests.send(Request.write(
                        "transact",
                        client -> client.transactWriteItems(request),
                        response ->
                                Collections.<@Nullable ConsumedCapacity>unmodifiableList(response.consumedCapacity())))
                .orThrow(failed -> failed.cause() instanceof TransactionCanceledException canceled
                                && Requests.conditionFailed(canceled)
                        ? conditionFailed(keys, canceled)
                        : new NotSaved("transact", keys, failed));
    }

    private ConditionFailed conditionFailed(List<Key> keys, TransactionCanceledException canceled) {
        var failing = new ArrayList<Key>();
        var current = new HashMap<Key, Item>();
        var now = clock.instant();
        for (var i = 0; i < keys.size(); i++) {
            var reason = canceled.cancellationReasons().get(i);
            if (Requests.CONDITION_FAILED.equals(reason.code())) {
                failing.add(keys.get(i));
                var item = Item.fromResponse(reason.item());
                if (reason.hasItem() && !item.expiredAt(now)) {
                    current.put(keys.get(i), item);
                }
            }
        }
        // Certainly not applied: a repetition with the token of an applied transaction succeeds.
        return new ConditionFailed("transact", failing, false, current);
    }

    private TransactWriteItem part(Write write, Conditions conditions) {
        var part = TransactWriteItem.builder();
        var bound = new Placeholders();
        switch (write) {
            case Write.Put(var item, var mode, var extra) -> {
                var condition = extra == null ? conditions.of(mode) : conditions.andAlive(extra);
                part.put(put -> put.tableName(table.name())
                        .item(item.attributes())
                        .conditionExpression(bound.text(condition))
                        .expressionAttributeNames(bound.names())
                        .expressionAttributeValues(bound.values())
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            }
            case Update change ->
                part.update(update -> update.tableName(table.name())
                        .key(SingleItems.attributes(change.key()))
                        .updateExpression(change.text(bound))
                        .conditionExpression(bound.text(conditions.andAlive(change.condition())))
                        .expressionAttributeNames(bound.names())
                        .expressionAttributeValues(bound.values())
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            case Write.Delete(var key, var extra) -> {
                var condition = extra == null ? null : conditions.andAlive(extra);
                part.delete(delete -> delete.tableName(table.name())
                        .key(SingleItems.attributes(key))
                        .conditionExpression(bound.text(condition))
                        .expressionAttributeNames(bound.names())
                        .expressionAttributeValues(bound.values())
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
            }
            case Write.Check(var key, var extra) ->
                part.conditionCheck(check -> check.tableName(table.name())
                        .key(SingleItems.attributes(key))
                        .conditionExpression(bound.text(conditions.andAlive(extra)))
                        .expressionAttributeNames(bound.names())
                        .expressionAttributeValues(bound.values())
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
        }
        return part.build();
    }
}
