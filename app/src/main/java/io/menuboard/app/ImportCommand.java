package io.menuboard.app;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSetSummary;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.Finding;
import io.menuboard.pricing.imports.ImportAbout;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.ImportListener;
import io.menuboard.pricing.imports.ImportRejection;
import io.menuboard.pricing.imports.ImportState;
import io.menuboard.pricing.imports.ImportStatus;
import io.menuboard.pricing.imports.ImportTasks;
import io.menuboard.pricing.imports.Imports;
import io.micronaut.context.ApplicationContext;
import java.io.Closeable;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code import}: brings files into the table from the command line, without a server. What a file of prices would change
 * becomes a change set, which is applied where that is asked for. Progress and problems go to standard error, what came of
 * it to standard output.
 */
final class ImportCommand {
    static final String NAME = "import";

    /** Every row is in. */
    static final int ALL_IN = 0;

    /** Some rows were rejected, and the others are in; or the change set was not applied, or not all of it. */
    static final int SOME_REJECTED = 1;

    /** It could not run, or not to its end. */
    static final int NOT_RUN = 2;

    private static final int SHOWN_REJECTIONS = 20;
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);
    private static final Set<String> OPTIONS = Set.of("--stores", "--prices", "--rejected");
    private static final String REASON = "--reason";
    private static final String APPLY = "--apply";
    private static final String ACCEPT = "--accept-suspicious";

    /** Whatever is asked for is done in this process: commands have no workers. */
    private static final Map<String, Object> EVERYTHING_HERE =
            Map.of("menuboard.pricing.changes.inline", Integer.MAX_VALUE);

    private static final String USAGE = """
            usage: java -jar menuboard.jar import [--stores FILE] [--prices FILE] [--reason TEXT]
                                                   [--apply [--accept-suspicious]] [--rejected FILE]

              --stores FILE    CSV with the columns %s
                               (needed: %s)
              --prices FILE    CSV with the columns %s
                               (needed: %s)
              --reason TEXT    why prices are to change, for their history
              --apply          applies what the prices file would change; without it that is a draft,
                               and no price changes
              --accept-suspicious
                               says that prices are meant which look like mistakes: suspicious ones, products
                               that no store has, one amount for several currencies
              --rejected FILE  where to write rows that were not imported, with the reason

            At least one of stores and prices. The table is menuboard, or what MENUBOARD_TABLE_NAME names; region,
            credentials and endpoint are those of the AWS SDK (AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB and so on).
            Exit code 0: every row is in; 1: some rows were rejected, or --apply could not apply every price;
            2: could not run.
            """;

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
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println();
            err.print(usage());
            return NOT_RUN;
        }
        if (arguments.help()) {
            out.print(usage());
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
    private int run(Arguments arguments, Map<String, Object> properties) {
        var all = new HashMap<>(EVERYTHING_HERE);
        all.putAll(properties);
        try (var context = ApplicationContext.run(all);
                var report = new Report(context.getBean(Clock.class), arguments.rejected())) {
            var imports = context.getBean(Imports.class);
            var begun = imports.begin(arguments.files(), actor());
            var ended = context.getBean(ImportTasks.class)
                    .run(begun, arguments.files(), ImportAbout.because(arguments.reason()), report);
            report.end();
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

    private static Actor actor() {
        return new Actor(Actor.Kind.USER, System.getProperty("user.name", "command line"), Actor.Source.COMMAND_LINE);
    }

    /** Says what a change set would change, and applies it where that is asked for. */
    private int changeSet(ChangeSets sets, ChangeSetId id, Arguments arguments) {
        var draft = sets.find(id).orElseThrow();
        var summary = Objects.requireNonNull(draft.summary());
        out.printf(Locale.ROOT, "change set %s: %s%n", id, found(summary));
        if (!arguments.apply()) {
            out.println("No price has changed yet. Apply it on the page /changes/" + id
                    + ", or import the file again with " + APPLY + ".");
            return ALL_IN;
        }
        return switch (sets.apply(id, String.valueOf(draft.token()), arguments.accept(), actor())) {
            case ChangeSetResult.Done(var set) -> applied(set);
            case ChangeSetResult.Suspicious _ ->
                notApplied(String.format(
                        Locale.ROOT,
                        "%,d prices look like mistakes. Look at them on the page /changes/%s, and apply it there, or"
                                + " import the file again with %s %s.",
                        summary.needsAcceptance(),
                        id,
                        APPLY,
                        ACCEPT));
            case ChangeSetResult.Stale _ -> notApplied("prices have changed since; import the file again.");
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

    private int summary(ImportStatus ended, Report report, Arguments arguments) {
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

    private static String usage() {
        return USAGE.formatted(
                String.join(",", ImportKind.STORES.columns()),
                String.join(",", ImportKind.STORES.required()),
                String.join(",", ImportKind.PRICES.columns()),
                String.join(",", ImportKind.PRICES.required()));
    }

    private record Arguments(
            List<ImportFile> files,
            @Nullable Path rejected,
            @Nullable String reason,
            boolean apply,
            boolean accept,
            boolean help) {

        /** @throws IllegalArgumentException with a sentence for people */
        static Arguments parse(List<String> args) {
            var options = new TreeMap<String, Path>();
            var flags = new HashSet<String>();
            String reason = null;
            for (var i = 0; i < args.size(); i++) {
                if (args.get(i).equals("--help")) {
                    return new Arguments(List.of(), null, null, false, false, true);
                }
                var parts = args.get(i).split("=", 2);
                var name = parts[0];
                if (args.get(i).equals(APPLY) || args.get(i).equals(ACCEPT)) {
                    flags.add(name);
                    continue;
                }
                if (name.equals(REASON)) {
                    if (reason != null) {
                        throw new IllegalArgumentException("Option " + name + " can be given once.");
                    }
                    if (parts.length == 1 && ++i == args.size()) {
                        throw new IllegalArgumentException("Option " + name + " needs a text.");
                    }
                    reason = parts.length == 2 ? parts[1] : args.get(i);
                    continue;
                }
                if (!OPTIONS.contains(name)) {
                    throw new IllegalArgumentException("There is no option " + name + ".");
                }
                if (parts.length == 1 && ++i == args.size()) {
                    throw new IllegalArgumentException("Option " + name + " needs a file.");
                }
                var value = parts.length == 2 ? parts[1] : args.get(i);
                if (options.put(name, path(name, value)) != null) {
                    throw new IllegalArgumentException("Option " + name + " can be given once.");
                }
            }
            var files = new ArrayList<ImportFile>();
            for (var kind : ImportKind.values()) {
                var path = options.get("--" + kind.label());
                if (path != null) {
                    files.add(new ImportFile(kind, path.toString(), size(path), () -> Files.newInputStream(path)));
                }
            }
            if (files.isEmpty()) {
                throw new IllegalArgumentException("Give --stores, --prices or both.");
            }
            var rejected = options.get("--rejected");
            if (rejected != null && files.stream().anyMatch(file -> same(Path.of(file.name()), rejected))) {
                throw new IllegalArgumentException("Option --rejected would write over a file that is to be imported.");
            }
            if (flags.contains(ACCEPT) && !flags.contains(APPLY)) {
                throw new IllegalArgumentException("Option " + ACCEPT + " needs " + APPLY + ".");
            }
            if ((flags.contains(APPLY) || reason != null) && !options.containsKey("--prices")) {
                throw new IllegalArgumentException("Options " + APPLY + " and " + REASON + " need --prices.");
            }
            return new Arguments(
                    List.copyOf(files), rejected, reason, flags.contains(APPLY), flags.contains(ACCEPT), false);
        }

        private static Path path(String name, String value) {
            try {
                return Path.of(value);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("Option " + name + " needs a file.", e);
            }
        }

        private static boolean same(Path one, Path other) {
            return one.toAbsolutePath()
                    .normalize()
                    .equals(other.toAbsolutePath().normalize());
        }

        /** 0 where there is no such file, which is found out and said later. */
        private static long size(Path path) {
            return path.toFile().length();
        }
    }

    /** Shows how the import goes and collects what was rejected. */
    private final class Report implements ImportListener, Closeable {
        private final Clock clock;
        private final @Nullable CsvWriter rejected;
        private final List<String> shown = new ArrayList<>();
        private Instant nextLine;
        private int count;
        private int width;

        Report(Clock clock, @Nullable Path file) throws IOException {
            this.clock = clock;
            this.nextLine = clock.instant().plus(BETWEEN_LINES);
            this.rejected = file == null ? null : new CsvWriter(Files.newBufferedWriter(file));
            if (rejected != null) {
                rejected.row(ImportRejection.COLUMNS);
            }
        }

        @Override
        public void progress(ImportStatus status) {
            var line = line(status);
            if (terminal) {
                // Over the line before, with blanks where that was longer.
                err.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
                err.flush();
                width = line.length();
            } else if (!clock.instant().isBefore(nextLine)) {
                nextLine = clock.instant().plus(BETWEEN_LINES);
                err.println(line);
            }
        }

        @Override
        public void rejected(ImportRejection rejection) {
            count++;
            if (rejected != null) {
                try {
                    rejected.row(rejection.cells());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            } else if (shown.size() < SHOWN_REJECTIONS) {
                shown.add(rejection.file().label() + " row " + rejection.row() + ": " + rejection.rule()
                        + (rejection.value().isEmpty() ? "" : ", not '" + rejection.value() + "'") + " ("
                        + rejection.code() + ")");
            }
        }

        void end() {
            if (width > 0) {
                err.println();
            }
        }

        List<String> shown() {
            return shown;
        }

        int count() {
            return count;
        }

        @Override
        public void close() throws IOException {
            if (rejected != null) {
                rejected.close();
            }
        }

        private static String line(ImportStatus status) {
            return String.format(
                    Locale.ROOT,
                    "%3d%%  %,d rows, %,d rows/s: %,d new, %,d changed, %,d unchanged, %,d rejected",
                    status.bytes() == 0 ? 100 : 100 * status.bytesRead() / status.bytes(),
                    status.rows(),
                    status.rowsPerSecond(),
                    status.created(),
                    status.changed(),
                    status.unchanged(),
                    status.rejected());
        }
    }
}
