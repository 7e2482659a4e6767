package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.Quarter;
import io.menuboard.billing.transactions.Transaction.Place;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Versions of runs in the table: beside the run {@code V0001#AGENCY#{agency}} for each agency, {@code V0002#ABSENT#{agency}} for
 * each that has nothing in it any more, and {@code V0002#PART#{quarter}} for each part of a ledger. Thread-safe.
 */
final class DynamoRunVersions {
    private static final String TOTALS = "totals";
    private static final char BEHIND_DASH = '.';
    private static final int SAVED_TOGETHER = 1_000;

    private final QueryDb db;

    DynamoRunVersions(QueryDb db) {
        this.db = db;
    }

    /** Two write units for each. Saying it again changes nothing. */
    void saveAgencies(List<AgencyTotals> agencies) {
        // Of a hundred thousand agencies, not all items at once.
        for (var from = 0; from < agencies.size(); from += SAVED_TOGETHER) {
            saveSome(agencies.subList(from, Math.min(from + SAVED_TOGETHER, agencies.size())));
        }
    }

    private void saveSome(List<AgencyTotals> agencies) {
        db.saveBatch(agencies.stream()
                        .map(agency -> saved(agency, agencyPrefix(agency.version())))
                        .toList())
                .orThrow();
    }

    /**
     * Notes agencies that have something in an earlier version, and nothing in this one, where {@link #ofAgency} alone finds them. Two
     * write units for each. Saying it again changes nothing.
     */
    void saveAbsent(RunId run, int version, Set<AgencyId> agencies) {
        // As long as the prefix of those that are there, as earlier versions cut the agency out of the key.
        var prefix = DynamoRuns.version(version) + "#ABSENT#";
        db.saveBatch(agencies.stream()
                        .map(agency -> saved(new AgencyTotals(run, version, agency, List.of()), prefix))
                        .toList())
                .orThrow();
    }

    private static Save saved(AgencyTotals agency, String prefix) {
        return new Save(
                Item.at(new Key(DynamoRuns.partition(agency.run()), prefix + agency.agency()))
                        .type("billingAgencyTotals")
                        .index(
                                "BILLAGENCY#" + agency.agency(),
                                agency.run() + "#" + DynamoRuns.version(agency.version()))
                        .stringMap(TOTALS, Totals.written(agency.totals()))
                        .build(),
                SaveMode.ANY);
    }

    /** Totals by agency, strongly consistent; a read unit per 4 KB, which is about twenty. */
    Page<AgencyTotals> agencies(RunId run, int version, PageRequest page) {
        return db.query(agenciesOf(run, version), DynamoRunVersions::agencyTotals, page);
    }

    /** Agencies that have something in that version, strongly consistent. A read unit per 4 KB, about twenty. */
    Set<AgencyId> agencies(RunId run, int version) {
        try (var items = db.all(agenciesOf(run, version), Consistency.STRONG)) {
            return items.map(item -> readTotals(item).agency()).collect(Collectors.toSet());
        }
    }

    private static Query agenciesOf(RunId run, int version) {
        return Query.table("agencies of a run", DynamoRuns.partition(run))
                .beginsWith(agencyPrefix(version))
                .consistency(Consistency.STRONG);
    }

    /** Strongly consistent, as the run is: what was just committed must not look as if it was empty. One read unit. */
    Optional<AgencyTotals> agency(RunId run, int version, AgencyId agency) {
        return db.get(new Key(DynamoRuns.partition(run), agencyPrefix(version) + agency), Consistency.STRONG)
                .map(this::readTotals);
    }

    /** An agency in a version of a run. */
    record AgencyKey(RunId run, int version, AgencyId agency) {}

    /** Totals of those that there are, in their order, as {@link #agency}; one read unit each. */
    List<AgencyTotals> agencies(List<AgencyKey> keys) {
        return db
                .getBatch(
                        keys.stream()
                                .map(key -> new Key(
                                        DynamoRuns.partition(key.run()), agencyPrefix(key.version()) + key.agency()))
                                .toList(),
                        Consistency.STRONG)
                .stream()
                .flatMap(Optional::stream)
                .map(this::readTotals)
                .toList();
    }

    /**
     * Totals in the order of runs and versions, those not committed included, to be added up, so that none is left out; without any
     * where the agency has nothing in that version any more. Half a read unit per 4 KB, about twenty.
     */
    Stream<AgencyTotals> ofAgency(AgencyId agency, YearMonth from, YearMonth to) {
        return db.all(Query.index("reports of an agency", "gsi1", "BILLAGENCY#" + agency)
                        .between(
                                Quarter.of(from).label(),
                                Quarter.of(to.plusMonths(1)).plus(-1).label() + BEHIND_DASH))
                .map(this::readTotals);
    }

    private AgencyTotals readTotals(Item item) {
        return db.read(item, DynamoRunVersions::agencyTotals);
    }

    /**
     * Notes the place of each quarter hour's lines in the ledger of a version from 2 on; of version 1, what is reported of a
     * quarter hour says it. A write unit or two for each. Saying it again changes nothing.
     */
    void saveParts(int version, List<LedgerPart> parts) {
        db.saveBatch(parts.stream()
                        .map(part -> Item.at(part(part.run(), version, part.quarter()))
                                .type("billingLedgerPart")
                                .number("offset", part.offset())
                                .number("length", part.length())
                                .string("index", part.index().written())
                                .build())
                        .map(item -> new Save(item, SaveMode.ANY))
                        .toList())
                .orThrow();
    }

    /** Part of the ledger of a version from 2 on: the lines of a quarter hour. */
    record PartKey(RunId run, int version, Quarter quarter) {}

    /** Place of a part in its ledger, and of lines in the part. */
    record PartPlace(long offset, long length, LineIndex index) {
        /** Range of the ledger in which a line with that place is, if it is in the part. */
        LineIndex.Range around(Place place) {
            return index.around(place, length).after(offset);
        }
    }

    /** Places of those parts of which somebody noted it; half a read unit each. */
    Map<PartKey, PartPlace> parts(Set<PartKey> keys) {
        var asked = List.copyOf(keys);
        var items = db.getBatch(asked.stream()
                .map(key -> part(key.run(), key.version(), key.quarter()))
                .toList());
        var places = new HashMap<PartKey, PartPlace>();
        for (var i = 0; i < items.size(); i++) {
            var key = asked.get(i);
            items.get(i)
                    .map(item -> db.read(
                            item,
                            part -> new PartPlace(
                                    part.integer("offset"),
                                    part.integer("length"),
                                    LineIndex.read(part.string("index")))))
                    .ifPresent(place -> places.put(key, place));
        }
        return places;
    }

    private static Key part(RunId run, int version, Quarter quarter) {
        return new Key(DynamoRuns.partition(run), DynamoRuns.version(version) + "#PART#" + quarter.label());
    }

    private static String agencyPrefix(int version) {
        return DynamoRuns.version(version) + "#AGENCY#";
    }

    private static AgencyTotals agencyTotals(Item item) {
        var sort = item.key().sort();
        return new AgencyTotals(
                DynamoRuns.id(item),
                Integer.parseInt(sort.substring(1, 5)),
                new AgencyId(sort.substring(agencyPrefix(1).length())),
                Totals.read(item.stringMap(TOTALS)));
    }
}
