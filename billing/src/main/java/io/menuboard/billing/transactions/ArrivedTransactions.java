package io.menuboard.billing.transactions;

import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.querydb.UnreadableItem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Transactions by the quarter hour in which they arrived, for whoever reports them. Thread-safe. */
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

    /** Those at some places, in the order of the places; empty where nothing is. */
    List<Optional<Transaction>> at(List<Place> places);

    /**
     * Loads control totals, which are right at any instant; strongly consistent: a read unit for the quarter hour and one for
     * each shard, in as many requests at the same time.
     *
     * @throws UnreadableItem where another version wrote some of it and this one cannot read it: a sum without it would be
     *     wrong
     */
    QuarterCounts counts(Quarter quarter);

    /**
     * Sees to it that nothing is recorded in the quarter hour from now on: whoever is late enough to try is refused, and
     * records it in the present one. Two write units for each counter. Doing it again changes nothing.
     */
    void seal(Quarter quarter);
}
