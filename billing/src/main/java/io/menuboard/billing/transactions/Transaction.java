package io.menuboard.billing.transactions;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A recorded transaction. It never changes.
 *
 * @param amount what was sold for, negative for a refund; the two shares add up to it
 * @param commission rate used, with its rounding rule
 * @param recordedBy null in lines of reports, which do not say that, and for who sees one agency only
 */
public record Transaction(
        TransactionId id,
        AgencyId agency,
        String product,
        String customer,
        Money amount,
        Instant occurredAt,
        Commission commission,
        Money agencyShare,
        @Nullable TransactionId corrects,
        @Nullable Actor recordedBy,
        Place place) {

    /** Columns of files with transactions, in their order; {@link #cells} are those of one. */
    public static final List<String> COLUMNS = List.of(
            "transaction",
            "agency",
            "product",
            "customer",
            "currency",
            "amount",
            "commissionRate",
            "commissionRule",
            "rounding",
            "agencyShare",
            "houseShare",
            "occurredAt",
            "corrects");

    /**
     * Place in the table.
     *
     * @param quarter that it arrived in, by the clock of the instance which recorded it
     * @param sortKey {@code yyyy-MM-ddTHH:mm:ss.} and 16 random characters of base58
     */
    public record Place(Quarter quarter, int shard, String sortKey) implements Comparable<Place> {
        static final int SECONDS = "2026-11-22T00:00:00".length();

        public Instant receivedAt() {
            return LocalDateTime.parse(sortKey.substring(0, SECONDS)).toInstant(ZoneOffset.UTC);
        }

        /** Compares by arrival, to the second. */
        @Override
        public int compareTo(Place other) {
            var bySortKey = sortKey.compareTo(other.sortKey);
            return bySortKey != 0 ? bySortKey : Integer.compare(shard, other.shard);
        }
    }

    /** The cells of {@link #COLUMNS}; empty for what is null. */
    public List<Object> cells() {
        return List.of(
                id,
                agency,
                product,
                customer,
                amount.currency(),
                amount.amount(),
                commission.rate(),
                Objects.requireNonNullElse(commission.rule(), ""),
                commission.rounding(),
                agencyShare.amount(),
                houseShare().amount(),
                occurredAt,
                corrects == null ? "" : corrects);
    }

    public Money houseShare() {
        return new Money(amount.amount().subtract(agencyShare.amount()), amount.currency());
    }

    /** The same transaction, which does not say who recorded it. */
    Transaction withoutRecorder() {
        return new Transaction(
                id, agency, product, customer, amount, occurredAt, commission, agencyShare, corrects, null, place);
    }

    /** Its arrival, to the second. */
    public Instant receivedAt() {
        return place.receivedAt();
    }

    /** The same transaction with the share that another commission gives. */
    public Transaction with(Commission other) {
        return new Transaction(
                id,
                agency,
                product,
                customer,
                amount,
                occurredAt,
                other,
                other.agencyShare(amount),
                corrects,
                recordedBy,
                place);
    }
}
