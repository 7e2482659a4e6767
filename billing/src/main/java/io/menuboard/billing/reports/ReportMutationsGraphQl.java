package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.UserError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Mutations of {@code billing.graphqls} to report runs. */
final class ReportMutationsGraphQl implements GraphQlModule {
    private final @Nullable ReportRuns runs;

    /** @param runs null where there is nowhere for reports to be */
    ReportMutationsGraphQl(@Nullable ReportRuns runs) {
        this.runs = runs;
    }

    private ReportRuns runs() {
        if (runs == null) {
            throw ReportsGraphQl.notConfigured();
        }
        return runs;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.mutation("setBillingInterval", this::setBillingInterval);
        parts.mutation("runBilling", args -> RunPayload.of(runBilling(args)));
        parts.mutation(
                "runBillingAgain",
                args -> RunPayload.of(
                        runs().runAgain(args.access(), ReportsGraphQl.run(args), args.<Integer>find("version"))));
    }

    /** Answer of setBillingInterval. */
    record SetBillingIntervalPayload(Checkpoint checkpoint, List<UserError> errors) {}

    private SetBillingIntervalPayload setBillingInterval(Arguments args) {
        var interval = Duration.ofMinutes(args.number("minutes"));
        var known = runs();
        var checkpoint = Arguments.named("minutes", () -> known.setInterval(args.access(), interval));
        return new SetBillingIntervalPayload(checkpoint, List.of());
    }

    /** Answer of runBilling and of runBillingAgain. */
    record RunPayload(ReportRun run, boolean isNew, List<UserError> errors) {
        static RunPayload of(RunResult result) {
            return switch (result) {
                case RunResult.Started(var run) -> new RunPayload(run, true, List.of());
                case RunResult.AlreadyStarted(var run) -> new RunPayload(run, false, List.of());
                case RunResult.NothingToReport(var upTo) ->
                    throw InvalidInput.sentence(
                            "NOTHING_TO_REPORT",
                            "from",
                            "everything before " + upTo.start()
                                    + " is reported, and nothing after it can be closed yet");
                case RunResult.NotFound(var id) ->
                    throw InvalidInput.sentence("NOT_FOUND", "id", "there is no run " + id);
            };
        }
    }

    private RunResult runBilling(Arguments args) {
        var from = args.<Instant>find("from");
        if (from == null) {
            return runs().runNow(args.access());
        }
        var quarter = Quarter.of(from);
        if (!quarter.start().equals(from)) {
            throw new InvalidInput("INVALID_FROM", "from", "must be the begin of a quarter hour");
        }
        return runs().runFrom(args.access(), quarter);
    }
}
