package io.menuboard.billing.transactions;

import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.querydb.UnreadableItem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Transactions by the quarter hour in which they arrived, for reports. Thread-safe. */
public interface ArrivedTransactions {

    /** Number of partitions that share a quarter hour, from 0 on. */
    int shards();

    /**
     * A whole partition in its order, without who recorded what, read as it is consumed; half a read unit per 4 KB. What
     * reports do not say is not read, which is a third of the attributes, and of the time.
     *
     * <p>Throws {@link UnreadableItem} at one that another version wrote and this one cannot read: it belongs in the report of
     * this range, and nobody would miss it there. So all reports of the range wait for an instance of that version, and not
     * its agency's alone, because they are made of one ledger.
     */
    Stream<Transaction> partition(Quarter quarter, int shard);

    /** The transactions at some places, in the order of the places; empty where nothing is. */
    List<Optional<Transaction>> at(List<Place> places);
}
