package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import graphql.schema.DataFetcher;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.idl.TypeRuntimeWiring;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageLimits;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.ImportId;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code imports.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ImportsGraphQl {
    private final Imports imports;
    private final ImportTasks tasks;
    private final ChangeSets sets;
    private final PageLimits limits;

    ImportsGraphQl(Imports imports, ImportTasks tasks, ChangeSets sets, PageLimits limits) {
        this.imports = imports;
        this.tasks = tasks;
        this.sets = sets;
        this.limits = limits;
    }

    TypeRuntimeWiring query() {
        return TypeRuntimeWiring.newTypeWiring("Query")
                .dataFetcher("import", args -> imports.find(id(args)).orElse(null))
                .build();
    }

    TypeRuntimeWiring mutation() {
        return TypeRuntimeWiring.newTypeWiring("Mutation")
                .dataFetcher("importPrices", run(ImportKind.PRICES))
                .dataFetcher("importChanges", run(ImportKind.CHANGES))
                .build();
    }

    /** A name that Java keeps for itself. */
    TypeRuntimeWiring payload() {
        return TypeRuntimeWiring.newTypeWiring("ImportPricesPayload")
                .dataFetcher("import", args -> Objects.requireNonNull(args.<ImportPricesPayload>getSource())
                        .status())
                .build();
    }

    TypeRuntimeWiring type() {
        return TypeRuntimeWiring.newTypeWiring("Import")
                .dataFetcher("changeSet", args -> changeSet(status(args)))
                .dataFetcher("rejections", args -> {
                    var first = PageRequest.of(args.getArgument("first"), null, null, null, limits);
                    try (var rejections = imports.rejections(status(args).id())) {
                        return rejections.limit(first.size()).toList();
                    }
                })
                .build();
    }

    /** Answer of a mutation that imports a file. */
    record ImportPricesPayload(
            @Nullable ImportStatus status, @Nullable ChangeSet changeSet, List<UserError> errors) {}

    private DataFetcher<ImportPricesPayload> run(ImportKind kind) {
        return args -> {
            try {
                return payload(run(kind, args));
            } catch (InvalidInput e) {
                return new ImportPricesPayload(null, null, UserError.list(e));
            }
        };
    }

    private ImportStatus run(ImportKind kind, DataFetchingEnvironment args) {
        var about = new ImportAbout(
                args.getArgument("name"), args.getArgument("reason"), args.getArgument("effectiveDate"));
        var csv = PricingInput.text(args, "csv").getBytes(UTF_8);
        var files =
                List.of(new ImportFile(kind, kind.label() + ".csv", csv.length, () -> new ByteArrayInputStream(csv)));
        var actor = args.getGraphQlContext().<Actor>getOrEmpty(Actor.class).orElseThrow();
        return tasks.run(imports.begin(files, actor), files, about, ImportListener.NONE);
    }

    private ImportPricesPayload payload(ImportStatus ended) {
        var errors =
                switch (ended.state()) {
                    case REFUSED -> UserError.list("IMPORT_REFUSED", message(ended), "csv");
                    case FAILED, INTERRUPTED -> UserError.list("IMPORT_FAILED", message(ended));
                    case WAITING, RUNNING, FINISHED -> List.<UserError>of();
                };
        return new ImportPricesPayload(ended, changeSet(ended), errors);
    }

    private static String message(ImportStatus ended) {
        return Optional.ofNullable(ended.message()).orElse(ended.state().name());
    }

    private @Nullable ChangeSet changeSet(ImportStatus status) {
        return Optional.ofNullable(status.changeSet()).flatMap(sets::find).orElse(null);
    }

    private static ImportStatus status(DataFetchingEnvironment field) {
        return Objects.requireNonNull(field.getSource());
    }

    private static ImportId id(DataFetchingEnvironment args) {
        try {
            return new ImportId(PricingInput.text(args, "id"));
        } catch (InvalidInput e) {
            throw e.renamed("id");
        }
    }
}
