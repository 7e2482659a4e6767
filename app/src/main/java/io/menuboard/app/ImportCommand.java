package io.menuboard.app;

import io.menuboard.access.Access;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.micronaut.context.ApplicationContext;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code import}: brings files into the table from the command line, without a server. What a file of prices would change
 * becomes a change set, which is applied where that is asked for. Progress and problems go to standard error, what came of
 * it to standard output.
 */
final class ImportCommand {
    static final String NAME = "import";

    /** Of the application while it runs a command: such a process is no instance. */
    static final String ENVIRONMENT = "command";

    /** Every row is in. */
    static final int ALL_IN = 0;

    /** Some rows were rejected, and the others are in; or the change set was not applied, or not all of it. */
    static final int SOME_REJECTED = 1;

    /** It could not run, or not to its end. */
    static final int NOT_RUN = 2;

    /** Whatever is asked for is done in this process: commands have no workers. */
    private static final Map<String, Object> EVERYTHING_HERE =
            Map.of("menuboard.pricing.changes.inline", Integer.MAX_VALUE);

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;

    /** @param terminal whether {@code err} can show a line over the one before */
    ImportCommand(PrintStream out, PrintStream err, boolean terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
    }

    /** Runs on the console of this process and returns the exit code. */
    static int main(List<String> args) {
        return new ImportCommand(
                        System.out,
                        System.err,
                        Optional.ofNullable(System.console())
                                .filter(Console::isTerminal)
                                .isPresent())
                .run(args, Map.of());
    }

    /** @param properties of the application, over those of its environment */
    int run(List<String> args, Map<String, Object> properties) {
        ImportArguments arguments;
        try {
            arguments = ImportArguments.parse(args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println();
            err.print(ImportArguments.usage());
            return NOT_RUN;
        }
        if (arguments.help()) {
            out.print(ImportArguments.usage());
            return ALL_IN;
        }
        for (var file : arguments.files()) {
            var path = Path.of(file.name());
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                err.println("There is no " + file.kind().label() + " file " + path + " that can be read.");
                return NOT_RUN;
            }
        }
        return run(arguments, properties);
    }

    // The edge of the process: whatever goes wrong must become a sentence and an exit code.
    private int run(ImportArguments arguments, Map<String, Object> properties) {
        var all = new HashMap<>(EVERYTHING_HERE);
        all.putAll(properties);
        try (var context = ApplicationContext.run(all, ENVIRONMENT);
                var report = new RejectedRows(arguments.rejected())) {
            var progress = new ImportProgress(err, terminal, context.getBean(Clock.class));
            var listener = new ImportListener() {
                @Override
                public void progress(ImportStatus status) {
                    progress.show(status);
                }

                @Override
                public void rejected(ImportRejection rejection) {
                    report.add(rejection);
                }
            };
            var about = ImportAbout.because(arguments.reason());
            var imports = context.getBean(Imports.class);
            var begun = imports.begin(access(), arguments.files());
            var ended = context.getBean(ImportTasks.class).run(access(), begun, arguments.files(), about, listener);
            progress.end();
            var code = summary(ended, report, arguments);
            return ended.changeSet() == null
                    ? code
                    : Math.max(code, changeSet(context.getBean(ChangeSets.class), ended.changeSet(), arguments));
        } catch (IOException | UncheckedIOException e) {
            err.println("The rejected rows cannot be written to " + arguments.rejected() + ".");
        } catch (InvalidInput e) {
            err.println(e.getMessage() + ".");
        } catch (RuntimeException e) {
            err.println(DynamoDbFaults.explain(e).orElseGet(() -> "Something unexpected stopped the import: " + e));
        }
        return NOT_RUN;
    }

    private static Access access() {
        return Access.ofCommandLine(System.getProperty("user.name", "command line"));
    }

    /** Says what a change set would change, and applies it where that is asked for. */
    private int changeSet(ChangeSets sets, ChangeSetId id, ImportArguments arguments) {
        var draft = sets.find(access(), id).orElseThrow();
        var summary = Objects.requireNonNull(draft.summary());
        out.printf(Locale.ROOT, "change set %s: %s%n", id, found(summary));
        if (!arguments.apply()) {
            out.println("No price has changed yet. Apply it on the page /changes/" + id
                    + ", or import the file again with " + ImportArguments.APPLY + ".");
            return ALL_IN;
        }
        var token = String.valueOf(draft.token());
        return switch (arguments.accept() ? sets.applyAccepted(access(), id, token) : sets.apply(access(), id, token)) {
            case ChangeSetResult.Done(var set, var _) -> applied(set);
            case ChangeSetResult.Suspicious _ ->
                notApplied(String.format(
                        Locale.ROOT,
                        "%,d prices look like mistakes. Look at them on the page /changes/%s, and apply it there, or"
                                + " import the file again with %s %s.",
                        summary.needsAcceptance(),
                        id,
                        ImportArguments.APPLY,
                        ImportArguments.ACCEPT));
            case ChangeSetResult.Stale _ -> notApplied("prices have changed since; import the file again.");
            case ChangeSetResult.NeedsApproval _ ->
                notApplied("a second person has to approve them. Request that on the page /changes/" + id + ".");
            case ChangeSetResult.NotAllowed(var _, var rule) -> notApplied(rule + ".");
            case ChangeSetResult.NotFound _, ChangeSetResult.KeyReused _ ->
                throw new IllegalStateException("the draft of this import is gone: " + id);
        };
    }

    private static String found(ChangeSetSummary summary) {
        var findings = Stream.of(Finding.values())
                .filter(finding -> summary.count(finding) > 0)
                .map(finding -> String.format(
                        Locale.ROOT,
                        "%,d %s",
                        summary.count(finding),
                        finding.name().toLowerCase(Locale.ROOT).replace('_', ' ')))
                .collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "%,d prices would change (%s)", summary.written(), findings);
    }

    private int applied(ChangeSet set) {
        var written = Objects.requireNonNull(set.summary()).written();
        if (set.failed() > 0 || set.status() == ChangeSetStatus.FAILED || set.problem() != null) {
            return notApplied(String.format(
                    Locale.ROOT,
                    "%,d of %,d prices could not be written. The page /changes/%s has them.",
                    set.failed(),
                    written,
                    set.id()));
        }
        switch (set.status()) {
            case SCHEDULED -> out.printf(Locale.ROOT, "Scheduled: %,d prices wait for their time.%n", written);
            case APPLYING -> out.printf(Locale.ROOT, "Being applied: %,d prices.%n", written);
            default -> out.printf(Locale.ROOT, "Applied: %,d prices.%n", written);
        }
        return ALL_IN;
    }

    private int notApplied(String why) {
        err.println("Not applied: " + why);
        return SOME_REJECTED;
    }

    private int summary(ImportStatus ended, RejectedRows report, ImportArguments arguments) {
        for (var file : ended.files()) {
            out.printf(
                    Locale.ROOT,
                    file.kind() == ImportKind.PRICES
                            ? "%s: %,d rows: %,d new, %,d would change, %,d unchanged, %,d rejected%n"
                            : "%s: %,d rows: %,d created, %,d changed, %,d unchanged, %,d rejected%n",
                    file.name(),
                    file.rows(),
                    file.created(),
                    file.changed(),
                    file.unchanged(),
                    file.rejected());
        }
        out.printf(
                Locale.ROOT,
                "%,d rows in %.1f s, %,d rows/s; import %s%n",
                ended.rows(),
                ended.elapsed().toMillis() / 1000.0,
                ended.rowsPerSecond(),
                ended.id());
        var message = ended.message();
        if (message != null) {
            err.println(message);
        }
        if (arguments.rejected() == null) {
            report.shown().forEach(err::println);
            if (report.count() > report.shown().size()) {
                err.printf(
                        Locale.ROOT,
                        "… and %,d more; --rejected FILE writes all of them to a file%n",
                        report.count() - report.shown().size());
            }
        } else if (report.count() > 0) {
            err.printf(Locale.ROOT, "%,d problems are in %s%n", report.count(), arguments.rejected());
        }
        if (ended.state() != ImportState.FINISHED) {
            return NOT_RUN;
        }
        return ended.rejected() == 0 ? ALL_IN : SOME_REJECTED;
    }
}
