package io.menuboard.billing.transactions;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.billing.transactions.DynamoTransactionItems.Marker;
import io.menuboard.billing.transactions.DynamoTransactions.Draft;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.UnreadableItem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in what partners have a share of, once for each id. To record takes {@link Permission#BILLING_RECORD}, all else
 * {@link Permission#BILLING_READ}; whoever has that for one agency finds what is of that agency, without who recorded it, and
 * everything else as if it was not there. Thread-safe.
 */
public final class Transactions {
    private static final Logger log = LoggerFactory.getLogger(Transactions.class);

    static final String CORRECTS_UNKNOWN = "CORRECTS_UNKNOWN";

    /** Longest time in the future at which something may have happened: clocks of tills are wrong, too. */
    private static final Duration TOLERANCE = Duration.ofDays(1);

    /** Whoever may record may use every rule. */
    private static final Access RECORDING = Access.ofSystem("billing", Actor.Source.WORKER);

    private final DynamoTransactions transactions;
    private final CommissionRules rules;
    private final BillingStart reports;
    private final DynamoAgencies agencies;
    private final Clock clock;
    private final int maxRecord;
    private volatile boolean begun;

    Transactions(
            DynamoTransactions transactions,
            CommissionRules rules,
            DynamoAgencies agencies,
            BillingStart reports,
            Clock clock,
            int maxRecord) {
        this.transactions = transactions;
        this.rules = rules;
        this.agencies = agencies;
        this.reports = reports;
        this.clock = clock;
        this.maxRecord = maxRecord;
    }

    /**
     * Records transactions; one outcome per input, in input order, as if they came one after the other: the second of two
     * with the same id finds the first, and what is corrected may come in the same call; where that is not saved, the
     * correction is not either. Five write units for each of up to 1 KB and two for every 49; a read unit for each rule that
     * they name and each transaction that they correct, in requests of a hundred.
     *
     * @throws InvalidInput {@code TOO_MANY_TRANSACTIONS} on {@code transactions} for more than
     *     {@code menuboard.billing.max-record}; nothing is written
     * @throws QueryDbException where the table fails before any of them is recorded; after that it is an outcome
     */
    public List<RecordOutcome> record(Access access, List<RecordTransaction> commands) {
        return recordEach(
                access,
                commands.stream()
                        .<Supplier<RecordTransaction>>map(command -> () -> command)
                        .toList());
    }

    /** Records commands that are still to be read, as {@link #record} does; a refusal to read one is its outcome. */
    List<RecordOutcome> recordEach(Access access, List<Supplier<RecordTransaction>> commands) {
        return recordEach(access, commands, new HashSet<>());
    }

    /**
     * Records some of many commands.
     *
     * @param notSaved what calls before it could not save, to which it adds its own: what corrects that is not saved either
     */
    List<RecordOutcome> recordEach(
            Access access, List<Supplier<RecordTransaction>> commands, Set<TransactionId> notSaved) {
        access.requireForAll(Permission.BILLING_RECORD);
        if (commands.size() > maxRecord) {
            throw new InvalidInput(
                    "TOO_MANY_TRANSACTIONS",
                    "transactions",
                    "must have at most " + maxRecord + " entries, not " + commands.size());
        }
        begin();
        var outcomes = new TreeMap<Integer, RecordOutcome>();
        var left = new LinkedHashMap<Integer, RecordTransaction>();
        for (var i = 0; i < commands.size(); i++) {
            try {
                left.put(i, commands.get(i).get());
            } catch (InvalidInput e) {
                outcomes.put(i, new RecordOutcome.Refused(e));
            }
        }
        var known = rules.find(
                RECORDING,
                left.values().stream()
                        .map(RecordTransaction::commissionRule)
                        .filter(Objects::nonNull)
                        .toList());
        for (var isFirst = true; !left.isEmpty(); isFirst = false) {
            var wave = nextWave(left);
            try {
                var recorded = record(wave, known, notSaved, access.actor());
                outcomes.putAll(recorded);
                recorded.values().forEach(outcome -> {
                    if (outcome instanceof RecordOutcome.NotSaved(var id)) {
                        notSaved.add(id);
                    }
                });
            } catch (QueryDbException e) {
                if (isFirst) {
                    throw e;
                }
                // Waves before have outcomes, which the caller must hear.
                QueryDbException.warn(log, e, "transactions not recorded: count={}", left.size());
                left.forEach((i, command) -> {
                    outcomes.put(i, new RecordOutcome.NotSaved(command.id()));
                    notSaved.add(command.id());
                });
                break;
            }
            left.keySet().removeAll(wave.keySet());
        }
        return List.copyOf(outcomes.values());
    }

    /** Begins reports before the first transaction, which none may miss. */
    private void begin() {
        if (!begun) {
            reports.begin();
            begun = true;
        }
    }

    /** The commands that need wait for no other: the first of each id, unless what they correct is still to come. */
    private static Map<Integer, RecordTransaction> nextWave(Map<Integer, RecordTransaction> left) {
        var ids = left.values().stream().map(RecordTransaction::id).collect(Collectors.toSet());
        var taken = new HashSet<TransactionId>();
        var wave = new LinkedHashMap<Integer, RecordTransaction>();
        left.forEach((i, command) -> {
            if (taken.add(command.id()) && !ids.contains(command.corrects())) {
                wave.put(i, command);
            }
        });
        if (wave.isEmpty()) {
            // A circle. What the first of them corrects was recorded before, or is refused.
            var first = left.entrySet().iterator().next();
            wave.put(first.getKey(), first.getValue());
        }
        return wave;
    }

    /** @param notSaved what was tried before them, and could not be saved */
    private Map<Integer, RecordOutcome> record(
            Map<Integer, RecordTransaction> wave,
            Map<String, Supplier<CommissionRule>> known,
            Set<TransactionId> notSaved,
            Actor actor) {
        var outcomes = new LinkedHashMap<Integer, RecordOutcome>();
        var drafts = new LinkedHashMap<Integer, Draft>();
        var corrected = transactions.findMarkers(wave.values().stream()
                .map(RecordTransaction::corrects)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet()));
        wave.forEach((i, command) -> {
            try {
                var corrects = command.corrects();
                if (corrects != null && notSaved.contains(corrects) && !corrected.containsKey(corrects)) {
                    // It must come again as what it corrects does: refused as one of nothing, it would be given up.
                    outcomes.put(i, new RecordOutcome.NotSaved(command.id()));
                    return;
                }
                check(command, corrected);
                drafts.put(i, new Draft(command, commission(command, known), actor));
            } catch (InvalidInput e) {
                outcomes.put(i, new RecordOutcome.Refused(e));
            } catch (UnreadableItem _) {
                outcomes.put(i, new RecordOutcome.NotSaved(command.id()));
            }
        });
        agencies.remember(
                drafts.values().stream().map(draft -> draft.command().agency()).collect(Collectors.toSet()));
        var recorded = transactions.record(List.copyOf(drafts.values())).iterator();
        drafts.keySet().forEach(i -> outcomes.put(i, recorded.next()));
        return outcomes;
    }

    private void check(RecordTransaction command, Map<TransactionId, Supplier<Marker>> known) {
        if (command.occurredAt().isAfter(clock.instant().plus(TOLERANCE))) {
            throw new InvalidInput("IN_THE_FUTURE", "occurredAt", "must not be later than a day from now");
        }
        var corrects = command.corrects();
        if (corrects == null) {
            return;
        }
        var marker = known.get(corrects);
        if (marker == null) {
            throw new InvalidInput(
                    CORRECTS_UNKNOWN, "corrects", "must be a recorded transaction, and there is no " + corrects);
        }
        var corrected = marker.get();
        if (!corrected.agency().equals(command.agency())
                || !corrected.currency().equals(command.amount().currency().getCurrencyCode())) {
            throw new InvalidInput(
                    "CORRECTS_OTHER",
                    "corrects",
                    "must be a transaction of the same agency and currency; " + corrects + " is of agency "
                            + corrected.agency() + " in " + corrected.currency());
        }
    }

    private static Commission commission(RecordTransaction command, Map<String, Supplier<CommissionRule>> known) {
        var id = command.commissionRule();
        if (id == null) {
            return Commission.of(Objects.requireNonNull(command.commissionRate()));
        }
        var rule = known.get(id);
        if (rule == null) {
            throw new InvalidInput(
                    "UNKNOWN_RULE", "commissionRule", "must be a commission rule, and there is no " + id);
        }
        return rule.get().commission();
    }

    /**
     * Number of times that recording took longer than {@code menuboard.billing.lag} in this process: what is recorded then may be a late
     * line of a report.
     */
    public long slowWrites() {
        return transactions.slowWrites();
    }

    /** Two read units; one where there is none, or none for who asks. */
    public Optional<Transaction> find(Access access, TransactionId id) {
        access.require(Permission.BILLING_READ);
        return transactions.find(id, agency -> isVisible(access, agency)).map(found -> shown(access, found));
    }

    /** Those that there are, as {@link #find}: two read units each, in two requests for a hundred. */
    public List<Transaction> findAll(Access access, List<TransactionId> ids) {
        access.require(Permission.BILLING_READ);
        return transactions.findAll(ids, agency -> isVisible(access, agency)).stream()
                .map(found -> shown(access, found))
                .toList();
    }

    private static boolean isVisible(Access access, AgencyId agency) {
        return access.may(Permission.BILLING_READ, Kind.AGENCY, agency.value());
    }

    /** Names of staff are none of a partner's business. */
    private static Transaction shown(Access access, Transaction transaction) {
        return access.isForAll(Permission.BILLING_READ) ? transaction : transaction.withoutRecorder();
    }

    /** Transactions that arrived for an agency in a month of UTC, latest first; half a read unit per 4 KB, which is about ten. */
    public Page<Transaction> ofAgency(Access access, AgencyId agency, YearMonth month, PageRequest page) {
        return ofAgency(
                access,
                agency,
                Quarter.of(month).start(),
                Quarter.of(month.plusMonths(1)).start(),
                page);
    }

    /**
     * As {@link #ofAgency(Access, AgencyId, YearMonth, PageRequest)}, from an instant until before another, to the second.
     *
     * @param to later than {@code from}; for each month of UTC between them, all shards are read
     */
    public Page<Transaction> ofAgency(Access access, AgencyId agency, Instant from, Instant to, PageRequest page) {
        access.require(Permission.BILLING_READ);
        return isVisible(access, agency)
                ? transactions.ofAgency(agency, from, to, page).map(found -> shown(access, found))
                : Page.empty();
    }

    /**
     * Agencies that have, or had, transactions, and some whose only ones were refused, by id; half a read unit per 4 KB, or for each
     * of those that may be seen.
     */
    public Page<AgencyId> agencies(Access access, PageRequest page) {
        access.require(Permission.BILLING_READ);
        return access.only(Permission.BILLING_READ, Kind.AGENCY)
                .map(own -> Page.of(agencies.findAll(sorted(own)), AgencyId::value, page))
                .orElseGet(() -> agencies.list(page));
    }

    private static List<AgencyId> sorted(Set<String> agencies) {
        return agencies.stream().sorted().map(AgencyId::new).toList();
    }

    /** Those of them that {@link #agencies} lists; half a read unit each. */
    public List<AgencyId> findAgencies(Access access, List<AgencyId> ids) {
        access.require(Permission.BILLING_READ);
        return agencies.findAll(
                ids.stream().filter(agency -> isVisible(access, agency)).toList());
    }

    /** Tells whether {@link #agencies} lists the agency; half a read unit. */
    public boolean isAgency(Access access, AgencyId agency) {
        access.require(Permission.BILLING_READ);
        return isVisible(access, agency) && agencies.exists(agency);
    }
}
