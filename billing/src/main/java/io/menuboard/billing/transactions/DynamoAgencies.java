package io.menuboard.billing.transactions;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Agencies that have had transactions: items {@code BILLAGENCIES}/{@code {agency}}, written once per agency and instance, or
 * again after ten thousand others.
 */
final class DynamoAgencies {
    private static final String PARTITION = "BILLAGENCIES";

    /** Bounds the memory where partners send a new name as their agency each time. */
    private static final int MOST_REMEMBERED = 10_000;

    private final QueryDb db;
    private final int mostRemembered;
    private final Set<AgencyId> remembered = ConcurrentHashMap.newKeySet();

    DynamoAgencies(QueryDb db) {
        this(db, MOST_REMEMBERED);
    }

    DynamoAgencies(QueryDb db, int mostRemembered) {
        this.db = db;
        this.mostRemembered = mostRemembered;
    }

    /** Lists agencies before their transactions are written, so that none with transactions is missing from the list. */
    void remember(Set<AgencyId> agencies) {
        var unknown =
                agencies.stream().filter(agency -> !remembered.contains(agency)).toList();
        db.saveBatch(unknown.stream()
                        .map(agency -> new Save(
                                Item.at(key(agency)).type("billingAgency").build(), SaveMode.ANY))
                        .toList())
                .orThrow();
        if (remembered.size() + unknown.size() > mostRemembered) {
            remembered.clear();
        }
        remembered.addAll(unknown);
    }

    int remembered() {
        return remembered.size();
    }

    boolean exists(AgencyId agency) {
        return db.get(key(agency)).isPresent();
    }

    List<AgencyId> findAll(List<AgencyId> ids) {
        return db.getBatch(ids.stream().map(DynamoAgencies::key).toList()).stream()
                .flatMap(Optional::stream)
                .map(DynamoAgencies::agency)
                .toList();
    }

    Page<AgencyId> list(PageRequest page) {
        return db.query(Query.table("agencies", PARTITION), DynamoAgencies::agency, page);
    }

    private static AgencyId agency(Item item) {
        return new AgencyId(item.key().sort());
    }

    private static Key key(AgencyId agency) {
        return new Key(PARTITION, agency.value());
    }
}
