package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.UserError;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.ImportId;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code imports.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class ImportsGraphQl implements GraphQlModule {
    private final Imports imports;
    private final ImportTasks tasks;
    private final ChangeSets sets;

    ImportsGraphQl(Imports imports, ImportTasks tasks, ChangeSets sets) {
        this.imports = imports;
        this.tasks = tasks;
        this.sets = sets;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("imports");
        parts.query("import", args -> imports.find(id(args)).orElse(null));
        run(parts, "importPrices", ImportKind.PRICES);
        run(parts, "importChanges", ImportKind.CHANGES);
        // A name that Java keeps for itself.
        parts.object("ImportPricesPayload", ImportPricesPayload.class).field("import", ImportPricesPayload::status);
        parts.object("Import", ImportStatus.class)
                .field("changeSet", this::changeSet)
                .field("rejections", (status, args) -> {
                    try (var rejections = imports.rejections(status.id())) {
                        return rejections.limit(args.page().size()).toList();
                    }
                });
    }

    private void run(SchemaParts parts, String mutation, ImportKind kind) {
        parts.mutation(
                mutation,
                args -> payload(run(kind, args)),
                refused -> new ImportPricesPayload(null, null, UserError.list(refused)));
    }

    /** Answer of a mutation that imports a file. */
    record ImportPricesPayload(
            @Nullable ImportStatus status, @Nullable ChangeSet changeSet, List<UserError> errors) {}

    private ImportStatus run(ImportKind kind, Arguments args) {
        var about = new ImportAbout(args.find("name"), args.find("reason"), args.find("effectiveDate"));
        var csv = args.text("csv").getBytes(UTF_8);
        var files =
                List.of(new ImportFile(kind, kind.label() + ".csv", csv.length, () -> new ByteArrayInputStream(csv)));
        return tasks.run(imports.begin(files, args.actor()), files, about, ImportListener.NONE);
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

    private static ImportId id(Arguments args) {
        return Arguments.named("id", () -> new ImportId(args.text("id")));
    }
}
