package io.menuboard.app;

import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Arguments of {@code import}.
 *
 * @param rejected where rows that were not imported are written
 * @param accept whether prices are meant that look like mistakes
 */
record ImportArguments(
        List<ImportFile> files,
        @Nullable Path rejected,
        @Nullable String reason,
        boolean apply,
        boolean accept,
        boolean help) {

    static final String APPLY = "--apply";
    static final String ACCEPT = "--accept-suspicious";

    private static final String REASON = "--reason";
    private static final String REJECTED = "--rejected";
    private static final String HELP = "--help";

    /**
     * Parses arguments; that a file exists is not demanded.
     *
     * @throws IllegalArgumentException with a sentence for people
     */
    static ImportArguments parse(List<String> args) {
        var parsed = parsed(args);
        if (parsed.hasMatchedOption(HELP)) {
            return new ImportArguments(List.of(), null, null, false, false, true);
        }
        var files = files(parsed);
        if (files.isEmpty()) {
            throw new IllegalArgumentException("Give --stores, --prices or both.");
        }
        @Nullable Path rejected = parsed.matchedOptionValue(REJECTED, (Path) null);
        if (rejected != null && files.stream().anyMatch(file -> same(Path.of(file.name()), rejected))) {
            throw new IllegalArgumentException("Option --rejected would write over a file that is to be imported.");
        }
        var apply = parsed.hasMatchedOption(APPLY);
        var accept = parsed.hasMatchedOption(ACCEPT);
        if (accept && !apply) {
            throw new IllegalArgumentException("Option " + ACCEPT + " needs " + APPLY + ".");
        }
        @Nullable String reason = parsed.matchedOptionValue(REASON, (String) null);
        if ((apply || reason != null) && !parsed.hasMatchedOption(option(ImportKind.PRICES))) {
            throw new IllegalArgumentException("Options " + APPLY + " and " + REASON + " need --prices.");
        }
        return new ImportArguments(files, rejected, reason, apply, accept, false);
    }

    static String usage() {
        return new CommandLine(spec()).getUsageMessage(CommandLine.Help.Ansi.OFF);
    }

    private static CommandLine.ParseResult parsed(List<String> args) {
        try {
            return new CommandLine(spec()).parseArgs(args.toArray(String[]::new));
        } catch (CommandLine.OverwrittenOptionException e) {
            throw new IllegalArgumentException("Option " + name(e.getOverwritten()) + " can be given once.", e);
        } catch (CommandLine.UnmatchedArgumentException e) {
            throw new IllegalArgumentException(
                    "There is no option " + e.getUnmatched().getFirst().split("=", 2)[0] + ".", e);
        } catch (CommandLine.MissingParameterException e) {
            var option = e.getMissing().getFirst();
            throw new IllegalArgumentException(
                    "Option " + name(option) + " needs a " + (option.type() == Path.class ? "file" : "text") + ".", e);
        } catch (CommandLine.ParameterException e) {
            throw new IllegalArgumentException(e.getMessage() + ".", e);
        }
    }

    private static String name(CommandLine.Model.ArgSpec option) {
        return ((OptionSpec) option).longestName();
    }

    private static String option(ImportKind kind) {
        return "--" + kind.label();
    }

    private static List<ImportFile> files(CommandLine.ParseResult parsed) {
        var files = new ArrayList<ImportFile>();
        for (var kind : ImportKind.values()) {
            @Nullable Path path = parsed.matchedOptionValue(option(kind), (Path) null);
            if (path != null) {
                // 0 bytes where there is no such file, which is found out and said later.
                files.add(new ImportFile(
                        kind, path.toString(), path.toFile().length(), () -> Files.newInputStream(path)));
            }
        }
        return List.copyOf(files);
    }

    /** By what they lead to, where both exist: a link has another name. */
    private static boolean same(Path one, Path other) {
        try {
            return one.toAbsolutePath()
                            .normalize()
                            .equals(other.toAbsolutePath().normalize())
                    || (Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "It cannot be told whether " + other + " is a file that is to be imported.", e);
        }
    }

    /** Made by hand, not from annotations: nothing is read by reflection. */
    private static CommandSpec spec() {
        var spec = CommandSpec.create().name("java -jar menuboard.jar " + ImportCommand.NAME);
        for (var kind : List.of(ImportKind.STORES, ImportKind.PRICES)) {
            spec.addOption(file(option(kind))
                    .description(
                            "CSV with the columns " + String.join(",", kind.columns()),
                            "(needed: " + String.join(",", kind.required()) + ")")
                    .build());
        }
        spec.addOption(OptionSpec.builder(REASON)
                        .type(String.class)
                        .paramLabel("TEXT")
                        .description("why prices are to change, for their history")
                        .build())
                .addOption(flag(APPLY)
                        .description(
                                "applies what the prices file would change; without it that is a draft, and no price"
                                        + " changes")
                        .build())
                .addOption(flag(ACCEPT)
                        .description(
                                "says that prices are meant which look like mistakes: suspicious ones, products that"
                                        + " no store has, amounts of perhaps another currency")
                        .build())
                .addOption(file(REJECTED)
                        .description("where to write rows that were not imported, with the reason")
                        .build())
                .addOption(flag(HELP)
                        .usageHelp(true)
                        .description("shows this text")
                        .build());
        spec.usageMessage()
                .width(110)
                .sortOptions(false)
                .sortSynopsis(false)
                .synopsisHeading("usage: ")
                .optionListHeading("%n")
                .footerHeading("%n")
                .footer(
                        "At least one of stores and prices. The table is menuboard, or what MENUBOARD_TABLE_NAME names;"
                                + " region, credentials and endpoint are those of the AWS SDK (AWS_REGION,"
                                + " AWS_ENDPOINT_URL_DYNAMODB and so on).",
                        "Exit code 0: every row is in; 1: some rows were rejected, or --apply could not apply every"
                                + " price; 2: could not run.");
        return spec;
    }

    private static OptionSpec.Builder file(String name) {
        return OptionSpec.builder(name).type(Path.class).paramLabel("FILE");
    }

    private static OptionSpec.Builder flag(String name) {
        return OptionSpec.builder(name).type(boolean.class).arity("0");
    }
}
