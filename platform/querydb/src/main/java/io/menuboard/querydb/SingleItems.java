package io.menuboard.querydb;

import io.menuboard.querydb.requests.Requests;
import io.menuboard.querydb.requests.Requests.Failed;
import io.menuboard.querydb.requests.Requests.Reply;
import io.menuboard.querydb.requests.Requests.Request;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Reads and writes of one item; {@link QueryDb} says what each of them promises. */
final class SingleItems {

    private final TableDefinition table;
    private final Clock clock;
    private final Requests requests;

    SingleItems(TableDefinition table, Clock clock, Requests requests) {
        this.table = table;
        this.clock = clock;
        this.requests = requests;
    }

    Optional<Item> get(Key key, Consistency consistency) {
        var request = GetItemRequest.builder()
                .tableName(table.name())
                .key(attributes(key))
                .consistentRead(consistency == Consistency.STRONG)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        var response = requests.send(
                        Request.read("get", null, client -> client.getItem(request), r -> one(r.consumedCapacity())))
                .orThrow(failed -> new NotLoaded("get", List.of(key), failed));
        return response.hasItem() ? visible(response.item()) : Optional.empty();
    }

    void save(Item item, SaveMode mode) {
        if (put(item, conditions().of(mode)) instanceof Failed<?> failed) {
            failedSave(item, "save " + mode, mode, failed);
        }
    }

    void save(Item item, Condition condition) {
        if (put(item, conditions().andAlive(condition)) instanceof Failed<?> failed) {
            failedSave(item, "save", SaveMode.ANY, failed);
        }
    }

    Item insert(Supplier<Item> item) {
        var attempts = new ArrayList<Item>();
        var absent = conditions().of(SaveMode.INIT);
        var reply = requests.send(Request.write(
                "save",
                client -> {
                    attempts.add(item.get());
                    return client.putItem(putRequest(attempts.getLast(), absent));
                },
                r -> one(r.consumedCapacity())));
        if (reply instanceof Failed<?> failed) {
            var there = failed.cause() instanceof ConditionalCheckFailedException refused
                    ? Item.fromResponse(refused.item())
                    : null;
            var saved = attempts.stream()
                    .filter(attempt -> there != null && there.storedAs(attempt))
                    .findFirst();
            if (saved.isEmpty()) {
                failedSave(item.get(), "save " + SaveMode.INIT, SaveMode.INIT, failed);
            }
            return saved.orElseThrow();
        }
        return attempts.getLast();
    }

    private Reply<?> put(Item item, @Nullable Condition condition) {
        var request = putRequest(item, condition);
        return requests.send(Request.write("save", client -> client.putItem(request), r -> one(r.consumedCapacity())));
    }

    private PutItemRequest putRequest(Item item, @Nullable Condition condition) {
        var bound = new Placeholders();
        return PutItemRequest.builder()
                .tableName(table.name())
                .item(item.attributes())
                .conditionExpression(bound.text(condition))
                .expressionAttributeNames(bound.names())
                .expressionAttributeValues(bound.values())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
    }

    private void failedSave(Item item, String operation, SaveMode mode, Failed<?> failed) {
        var key = item.key();
        if (!(failed.cause() instanceof ConditionalCheckFailedException refused)) {
            throw new NotSaved(operation, List.of(key), failed);
        }
        if (failed.maybeApplied() && Item.fromResponse(refused.item()).storedAs(item)) {
            return;
        }
        var current = current(refused);
        throw mode == SaveMode.INIT
                ? new AlreadyExists(key, failed.maybeApplied(), current)
                : new ConditionFailed(operation, key, failed.maybeApplied(), current);
    }

    long count(Key key, String attribute, long delta) {
        var conditions = conditions();
        Reply<Long> reply;
        var rounds = 0;
        do {
            reply = add(key, attribute, delta, conditions.alive());
            if (conditionFailed(reply)) {
                // Expired. The first caller to replace it starts the new count; the others add to that one.
                reply = restart(key, attribute, delta, conditions.expired());
            }
        } while (conditionFailed(reply) && ++rounds < requests.maxAttempts());
        return reply.orThrow(failed -> new NotCounted(key, failed));
    }

    private static boolean conditionFailed(Reply<?> reply) {
        return reply instanceof Failed<?> failed && Requests.conditionFailed(failed.cause());
    }

    private Reply<Long> add(Key key, String attribute, long delta, @Nullable Condition alive) {
        var bound = new Placeholders();
        var request = UpdateItemRequest.builder()
                .tableName(table.name())
                .key(attributes(key))
                .updateExpression(Update.of(key).add(attribute, delta).text(bound))
                .conditionExpression(bound.text(alive))
                .expressionAttributeNames(bound.names())
                .expressionAttributeValues(bound.values())
                .returnValues(ReturnValue.UPDATED_NEW)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        return requests.send(Request.writeOnce(
                        "count", client -> client.updateItem(request), r -> one(r.consumedCapacity())))
                .map(response -> Item.fromResponse(response.attributes()).integer(attribute));
    }

    private Reply<Long> restart(Key key, String attribute, long delta, Condition expired) {
        var bound = new Placeholders();
        var request = PutItemRequest.builder()
                .tableName(table.name())
                .item(Item.at(key).number(attribute, delta).build().attributes())
                .conditionExpression(bound.text(expired))
                .expressionAttributeNames(bound.names())
                .expressionAttributeValues(bound.values())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        return requests.send(
                        Request.writeOnce("count", client -> client.putItem(request), r -> one(r.consumedCapacity())))
                .map(_ -> delta);
    }

    void delete(Key key) {
        var request = DeleteItemRequest.builder()
                .tableName(table.name())
                .key(attributes(key))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
        requests.send(Request.writeOnce("delete", client -> client.deleteItem(request), r -> one(r.consumedCapacity())))
                .orThrow(failed -> new NotDeleted("delete", List.of(key), failed));
    }

    boolean delete(Key key, Condition condition) {
        var request = deletion(key, Condition.absent().or(condition));
        var reply = requests.send(
                Request.writeOnce("delete", client -> client.deleteItem(request), r -> one(r.consumedCapacity())));
        if (conditionFailed(reply)) {
            return false;
        }
        reply.orThrow(failed -> new NotDeleted("delete", List.of(key), failed));
        return true;
    }

    Optional<QueryDb.Removed> remove(Key key, String id) {
        for (var round = 1; ; round++) {
            var found = get(key, Consistency.STRONG);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            var reply = remove(found.get());
            if (!conditionFailed(reply)) {
                reply.orThrow(failed -> new NotDeleted("remove", List.of(key), failed));
                return Optional.of(new QueryDb.Removed(found.get(), true));
            }
            var failed = (Failed<?>) reply;
            if (failed.maybeApplied() && isGone(found.get(), id, failed)) {
                // An earlier attempt removed it, or another writer did.
                return Optional.of(new QueryDb.Removed(found.get(), false));
            }
            if (round == requests.maxAttempts()) {
                throw new NotDeleted("remove", List.of(key), failed);
            }
        }
    }

    /** False where it is still there and has changed. */
    private static boolean isGone(Item item, String id, Failed<?> failed) {
        return !(failed.cause() instanceof ConditionalCheckFailedException refused
                && refused.hasItem()
                && Item.fromResponse(refused.item()).findString(id).equals(item.findString(id)));
    }

    private DeleteItemRequest deletion(Key key, Condition condition) {
        var bound = new Placeholders();
        return DeleteItemRequest.builder()
                .tableName(table.name())
                .key(attributes(key))
                .conditionExpression(bound.text(condition))
                .expressionAttributeNames(bound.names())
                .expressionAttributeValues(bound.values())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
    }

    private Reply<?> remove(Item item) {
        var same = item.isUnchanged();
        var request = deletion(item.key(), same).toBuilder()
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        return requests.send(
                Request.write("remove", client -> client.deleteItem(request), r -> one(r.consumedCapacity())));
    }

    Item update(Update update) {
        return updated(update, changed(update, Request::writeOnce));
    }

    Item update(Update update, Predicate<Item> applied) {
        var reply = changed(update, Request::write);
        if (reply instanceof Failed<?> failed
                && failed.maybeApplied()
                && failed.cause() instanceof ConditionalCheckFailedException refused) {
            var current = current(refused);
            if (current.filter(applied).isPresent()) {
                return current.get();
            }
        }
        return updated(update, reply);
    }

    private Item updated(Update update, Reply<UpdateItemResponse> reply) {
        return Item.fromResponse(
                reply.orThrow(failed -> notUpdated(update.key(), failed)).attributes());
    }

    /** Way to send a change: {@link Request#write} or {@link Request#writeOnce}. */
    private interface Sending {
        Request<UpdateItemResponse> of(
                String operation,
                Function<DynamoDbClient, UpdateItemResponse> call,
                Function<UpdateItemResponse, Collection<@Nullable ConsumedCapacity>> consumed);
    }

    private Reply<UpdateItemResponse> changed(Update update, Sending sending) {
        var conditions = conditions();
        var condition = update.condition();
        var request = updateRequest(update, conditions.andAlive(condition));
        var sent = sending.of("update", client -> client.updateItem(request), r -> one(r.consumedCapacity()));
        var reply = requests.send(sent);
        if (!(reply instanceof Failed<?> failed
                && failed.cause() instanceof ConditionalCheckFailedException refused
                && refused.hasItem()
                && current(refused).isEmpty()
                && (condition == null || condition.allowsAbsence()))) {
            return reply;
        }
        // Where somebody has replaced it meanwhile, the condition is about that.
        var removed = removeExpired(update.key(), conditions.expired());
        return removed instanceof Failed<?>(var cause, var no, var _, var attempts) && !Requests.conditionFailed(cause)
                ? new Failed<>(cause, no, false, attempts)
                : requests.send(sent);
    }

    private Reply<?> removeExpired(Key key, Condition expired) {
        var request = deletion(key, expired);
        return requests.send(
                Request.write("update", client -> client.deleteItem(request), r -> one(r.consumedCapacity())));
    }

    private QueryDbException notUpdated(Key key, Failed<?> failed) {
        return failed.cause() instanceof ConditionalCheckFailedException refused
                ? new ConditionFailed("update", key, failed.maybeApplied(), current(refused))
                : new NotSaved("update", List.of(key), failed);
    }

    private UpdateItemRequest updateRequest(Update update, @Nullable Condition condition) {
        var bound = new Placeholders();
        return UpdateItemRequest.builder()
                .tableName(table.name())
                .key(attributes(update.key()))
                .updateExpression(update.text(bound))
                .conditionExpression(bound.text(condition))
                .expressionAttributeNames(bound.names())
                .expressionAttributeValues(bound.values())
                .returnValues(ReturnValue.ALL_NEW)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
    }

    private Conditions conditions() {
        return new Conditions(table, clock.instant());
    }

    private Optional<Item> visible(Map<String, AttributeValue> attributes) {
        return Optional.of(Item.fromResponse(attributes)).filter(item -> !item.expiredAt(clock.instant()));
    }

    private Optional<Item> current(ConditionalCheckFailedException refused) {
        return refused.hasItem() ? visible(refused.item()) : Optional.empty();
    }

    static Map<String, AttributeValue> attributes(Key key) {
        return Map.of(
                Item.PARTITION, AttributeValue.fromS(key.partition()), Item.SORT, AttributeValue.fromS(key.sort()));
    }

    private static Collection<@Nullable ConsumedCapacity> one(@Nullable ConsumedCapacity capacity) {
        return Collections.singletonList(capacity);
    }
}
