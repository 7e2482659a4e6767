package io.menuboard.app.files;

import io.menuboard.access.http.OpenToAll;
import io.menuboard.access.http.TakesNoForms;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.imports.StagedUpload;
import io.menuboard.pricing.imports.UploadId;
import io.menuboard.pricing.imports.Uploads;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Where clients send uploads that are files of a folder. They go to the disk as they arrive. */
@OpenToAll // who stages an upload gets an address that nobody else can guess, as of a bucket
@Controller(UploadController.PATH)
@Requires(beans = FolderStagedFiles.class)
final class UploadController {
    static final String PATH = "/uploads";

    private final Uploads uploads;
    private final FolderStagedFiles files;
    private final ArrivingUploads arriving = new ArrivingUploads();

    UploadController(Uploads uploads, FolderStagedFiles files) {
        this.uploads = uploads;
        this.files = files;
    }

    /**
     * Takes a file, as often as it is sent before it is imported: {@code 204}. Nothing is stored where it cannot be sent, or no
     * longer ({@code 404}), says nothing of its size ({@code 411}), has another one than was said ({@code 400}), or comes with too many
     * others ({@code 503}).
     */
    @Put("/{id}")
    @TakesNoForms
    @Consumes(MediaType.ALL)
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> receive(String id, HttpRequest<?> request, @Body InputStream content) throws IOException {
        var upload = require(id);
        var length = request.getHeaders().contentLength();
        if (length.isEmpty()) {
            throw new HttpStatusException(HttpStatus.LENGTH_REQUIRED, "an upload must have the header Content-Length");
        }
        if (length.getAsLong() != upload.bytes() || !store(upload, content)) {
            require(id);
            throw new HttpStatusException(
                    HttpStatus.BAD_REQUEST, "the file must have " + upload.bytes() + " bytes, as was said");
        }
        return HttpResponse.noContent();
    }

    private boolean store(StagedUpload upload, InputStream content) throws IOException {
        var place = arriving.take(upload.id()).orElse(null);
        if (place == null) {
            throw new HttpStatusException(HttpStatus.SERVICE_UNAVAILABLE, "too many uploads arrive: try again");
        }
        try (place) {
            return files.receive(upload.id(), upload.bytes(), content, () -> uploads.findOpen(upload.id())
                    .isPresent());
        }
    }

    private StagedUpload require(String id) {
        return find(id).orElseThrow(() -> new HttpStatusException(
                HttpStatus.NOT_FOUND, "no upload waits for this file: it may have expired, or be imported"));
    }

    private Optional<StagedUpload> find(String id) {
        try {
            return uploads.findOpen(new UploadId(id));
        } catch (InvalidInput _) {
            return Optional.empty();
        }
    }
}
