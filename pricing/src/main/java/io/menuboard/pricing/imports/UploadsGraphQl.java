package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.kernel.UserError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code uploads.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class UploadsGraphQl implements GraphQlModule {
    private static final String KEY = "idempotencyKey";

    private final Uploads uploads;

    UploadsGraphQl(Uploads uploads) {
        this.uploads = uploads;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("uploads");
        parts.mutation("stageUpload", this::stage);
        parts.object("StageUploadPayload", Payload.class)
                .reference("existingUpload", "StagedUpload", answer -> Optional.ofNullable(answer.existing())
                        .map(UploadId::value)
                        .orElse(null));
        parts.object("UploadTarget", StagedFiles.Target.class)
                .field("headers", target -> target.headers().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(header -> new Header(header.getKey(), header.getValue()))
                        .toList());
        Function<StagedUpload, String> key = upload -> upload.id().value();
        BiFunction<Access, List<UploadId>, List<StagedUpload>> read = uploads::findAll;
        parts.node("StagedUpload", StagedUpload.class, key, SchemaParts.NodeReader.of(UploadId::new, read, key))
                .field("key", StagedUpload::id)
                .field("stagedAt", upload -> upload.id().madeAt())
                .reference("import", "Import", upload -> upload.importId().value());
    }

    /** Answer of {@code stageUpload}. */
    record Payload(
            @Nullable StagedUpload upload,
            StagedFiles.@Nullable Target target,
            @Nullable UploadId existing,
            @Nullable Boolean isNew,
            List<UserError> errors) {

        static Payload refused(@Nullable UploadId existing, String code, String message, String field) {
            return new Payload(null, null, existing, null, UserError.list(code, message, "input", field));
        }
    }

    /** A header that the request must have. */
    record Header(String name, String value) {}

    private Payload stage(Arguments args) {
        String key = args.find(KEY);
        long bytes = args.get("bytes");
        return switch (uploads.stage(args.access(), args.find("fileName"), bytes, key)) {
            case Uploads.Staged.Ready(var upload, var target, var isNew) ->
                new Payload(upload, target, null, isNew, List.of());
            case Uploads.Staged.KeyReused(var existing) ->
                Payload.refused(
                        existing,
                        "IDEMPOTENCY_KEY_REUSED",
                        KEY + " must be another one for another request: with " + key + ", upload " + existing
                                + " was staged",
                        KEY);
            case Uploads.Staged.NotAvailable() ->
                new Payload(
                        null,
                        null,
                        null,
                        null,
                        UserError.list(
                                "UPLOADS_NOT_AVAILABLE",
                                "This installation has no place for uploads (menuboard.uploads.bucket)",
                                "input"));
        };
    }
}
