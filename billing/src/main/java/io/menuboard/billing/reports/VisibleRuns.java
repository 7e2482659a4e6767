package io.menuboard.billing.reports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.billing.reports.DynamoRunVersions.AgencyKey;
import io.menuboard.billing.reports.ReportRun.Result;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs as who asks may see them. Whoever may read about one agency finds every run, with what that agency has in it in place of what
 * all of them have, and not who asked for it or which task makes it. Thread-safe.
 */
final class VisibleRuns {
    /** Stands for whoever asked for a run. */
    private static final Actor HOUSE = Actor.system("billing", Actor.Source.UNKNOWN);

    private final DynamoRuns runs;
    private final DynamoRunVersions versions;

    VisibleRuns(DynamoRuns runs, DynamoRunVersions versions) {
        this.runs = runs;
        this.versions = versions;
    }

    static boolean isVisible(Access access, AgencyId agency) {
        return access.may(Permission.BILLING_READ, Kind.AGENCY, agency.value());
    }

    /** Agencies that may be seen, by id; empty for all. */
    static Optional<List<AgencyId>> agencies(Access access) {
        access.require(Permission.BILLING_READ);
        return access.only(Permission.BILLING_READ, Kind.AGENCY)
                .map(own -> own.stream().sorted().map(AgencyId::new).toList());
    }

    Optional<ReportRun> find(Access access, RunId id) {
        var own = agencies(access);
        return runs.find(id).map(run -> show(own, List.of(run)).getFirst());
    }

    List<ReportRun> findAll(Access access, List<RunId> ids) {
        return show(agencies(access), runs.findAll(ids));
    }

    Page<ReportRun> list(Access access, PageRequest request) {
        var own = agencies(access);
        var page = runs.list(request);
        if (own.isEmpty()) {
            return page;
        }
        var shown = show(own, page.nodes()).stream().collect(Collectors.toMap(ReportRun::id, Function.identity()));
        return page.map(run -> Objects.requireNonNull(shown.get(run.id())));
    }

    /** As {@link #list}, but for who may see some agencies without agencies and totals, which nothing is read for. */
    Page<ReportRun> listWithoutTotals(Access access, PageRequest request) {
        var own = agencies(access);
        var page = runs.list(request);
        return own.isEmpty() ? page : page.map(run -> part(run, Map.of()));
    }

    /** Contents of a version that was committed once. */
    Optional<Result> version(Access access, RunId id, int version) {
        var own = agencies(access);
        return runs.version(id, version).map(result -> own.map(agencies -> part(
                        result,
                        versions.agencies(agencies.stream()
                                .map(agency -> new AgencyKey(id, version, agency))
                                .toList())))
                .orElse(result));
    }

    /** The same runs, in their order. */
    List<ReportRun> show(Access access, List<ReportRun> all) {
        return show(agencies(access), all);
    }

    private List<ReportRun> show(Optional<List<AgencyId>> own, List<ReportRun> all) {
        if (own.isEmpty()) {
            return all;
        }
        var parts = versions
                .agencies(all.stream()
                        .filter(run -> run.result() != null)
                        .flatMap(run -> own.get().stream()
                                .map(agency -> new AgencyKey(run.id(), run.effectiveVersion(), agency)))
                        .toList())
                .stream()
                .collect(Collectors.groupingBy(AgencyTotals::run));
        return all.stream().map(run -> part(run, parts)).toList();
    }

    private static ReportRun part(ReportRun run, Map<RunId, List<AgencyTotals>> parts) {
        return new ReportRun(
                run.id(),
                run.status(),
                run.effectiveVersion(),
                run.latestVersion(),
                run.startedAt(),
                HOUSE,
                null,
                partOrNull(run.result(), parts.getOrDefault(run.id(), List.of())));
    }

    private static @Nullable Result partOrNull(@Nullable Result result, List<AgencyTotals> agencies) {
        return result == null ? null : part(result, agencies);
    }

    private static Result part(Result result, List<AgencyTotals> agencies) {
        return new Result(result.committedAt(), agencies.size(), ReportBuilder.sum(agencies));
    }
}
