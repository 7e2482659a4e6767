package io.menuboard.billing.transactions;

import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * Items of a transaction: its marker {@code BILLTX#{id}}, and itself, {@code BILL#{quarter}#{shard}}/{@code {sort key}}.
 */
final class DynamoTransactionItems {
    private static final String TYPE = "billableTransaction";
    private static final String META = "META";

    /** Attributes that reports say. */
    static final String[] REPORTED = {
        "id",
        "agency",
        "product",
        "customer",
        "amount",
        "currency",
        "occurredAt",
        "rate",
        "rounding",
        "rule",
        "agencyShare",
        "corrects"
    };

    private DynamoTransactionItems() {}

    /** Contents of a marker: the transaction that an id stands for. */
    record Marker(String fingerprint, AgencyId agency, String currency, Place place) {}

    static String partitionKey(Quarter quarter, int shard) {
        return "BILL#" + quarter.label() + "#" + shard;
    }

    static String agencyPartition(AgencyId agency, YearMonth month, int shard) {
        return "AGENCY#" + agency + "#" + month + "#" + shard;
    }

    static Key key(Place place) {
        return new Key(partitionKey(place.quarter(), place.shard()), place.sortKey());
    }

    static Key marker(TransactionId id) {
        return new Key("BILLTX#" + id, META);
    }

    static Item marker(Transaction transaction, String fingerprint) {
        return Item.at(marker(transaction.id()))
                .type("billableTransactionId")
                .string("fingerprint", fingerprint)
                .string("agency", transaction.agency().value())
                .string("currency", transaction.amount().currency().getCurrencyCode())
                .string("quarter", transaction.place().quarter().label())
                .number("shard", transaction.place().shard())
                .string("sortKey", transaction.place().sortKey())
                .build();
    }

    static Marker marker(Item item) {
        return new Marker(
                item.string("fingerprint"),
                new AgencyId(item.string("agency")),
                item.string("currency"),
                new Place(
                        Quarter.parse("quarter", item.string("quarter")),
                        (int) item.integer("shard"),
                        item.string("sortKey")));
    }

    static Item item(Transaction transaction) {
        var place = transaction.place();
        var commission = transaction.commission();
        var item = Item.at(key(place))
                .type(TYPE)
                .index(agencyPartition(transaction.agency(), place.quarter().month(), place.shard()), place.sortKey())
                .string("id", transaction.id().value())
                .string("agency", transaction.agency().value())
                .string("product", transaction.product())
                .string("customer", transaction.customer())
                .number("amount", transaction.amount().amount())
                .string("currency", transaction.amount().currency().getCurrencyCode())
                .string("occurredAt", transaction.occurredAt().toString())
                .number("rate", commission.rate())
                .string("rounding", commission.rounding().name())
                .number("agencyShare", transaction.agencyShare().amount())
                .number("houseShare", transaction.houseShare().amount());
        optional(item, "recordedBy", transaction.recordedBy() == null ? null : recordedBy(transaction.recordedBy()));
        optional(item, "rule", commission.rule());
        optional(item, "corrects", transaction.corrects());
        return item.build();
    }

    /** {@code TOKEN till 7 GRAPHQL}: the only form that the version before reads here. */
    static String recordedBy(Actor actor) {
        return actor.kind() + " " + actor.name() + " " + actor.source();
    }

    private static void optional(Item.Builder item, String name, @Nullable Object value) {
        if (value != null) {
            item.string(name, value.toString());
        }
    }

    static Transaction transaction(Item item) {
        var partition = item.key().partition();
        var end = partition.lastIndexOf('#');
        return transaction(
                item,
                Quarter.parse("quarter", partition.substring("BILL#".length(), end)),
                Integer.parseInt(partition.substring(end + 1)));
    }

    static Transaction transaction(Item item, Quarter quarter, int shard) {
        var currency = Money.currencyOf(item.string("currency"));
        return new Transaction(
                new TransactionId(item.string("id")),
                new AgencyId(item.string("agency")),
                item.string("product"),
                item.string("customer"),
                new Money(item.number("amount"), currency),
                Instant.parse(item.string("occurredAt")),
                new Commission(
                        item.number("rate"),
                        Rounding.valueOf(item.string("rounding")),
                        item.findString("rule").orElse(null)),
                new Money(item.number("agencyShare"), currency),
                item.findString("corrects").map(TransactionId::new).orElse(null),
                item.findString("recordedBy").map(Actor::parse).orElse(null),
                new Place(quarter, shard, item.key().sort()));
    }
}
