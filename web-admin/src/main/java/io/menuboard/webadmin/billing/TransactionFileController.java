package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.billing.transactions.TransactionFile;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.requests.Workload;
import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Views;
import io.menuboard.webadmin.uploads.Upload;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Part;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.multipart.CompletedFileUpload;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Records the transactions of an uploaded file. Sending it again changes nothing, so the answer needs no redirect. */
@RequiresPermission(Permission.BILLING_RECORD)
@Controller("/billing/record")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class TransactionFileController {
    /** Rows that are recorded as they are, once; the rule of the second is to be somebody's own. */
    private static final String TEMPLATE = String.join(",", TransactionFile.COLUMNS) + "\r\n"
            + "order-1001,acme,HAMBURGER,customer-7,EUR,9.90,0.15,,2026-11-20T18:05:00Z,\r\n"
            + "order-1002,acme,FRIES,customer-8,EUR,3.50,,standard,2026-11-20T19:05:00+01:00,\r\n"
            + "refund-1001,acme,HAMBURGER,customer-7,EUR,-9.90,0.15,,2026-11-21T09:00:00Z,order-1001\r\n";

    private final TransactionFile file;
    private final Views views;

    TransactionFileController(TransactionFile file, Views views) {
        this.file = file;
        this.views = views;
    }

    @Get
    HttpResponse<?> form() {
        return views.page("billing/record", TransactionFilePage.of(file, null, null));
    }

    @Get(uri = "/template.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<String> template() {
        return CsvDownload.of("transactions.csv", TEMPLATE);
    }

    @Upload(Upload.Bound.TRANSACTIONS)
    @Post
    @Consumes(MediaType.MULTIPART_FORM_DATA)
    HttpResponse<?> record(Access access, @Part("file") @Nullable CompletedFileUpload upload) throws IOException {
        try {
            return views.page(
                    "billing/record",
                    TransactionFilePage.of(file, recorded(access.through(Actor.Source.CSV), upload), null));
        } catch (InvalidInput e) {
            // The form has one place for everything that is wrong with the file as a whole.
            return views.page("billing/record", TransactionFilePage.of(file, null, Problem.of(e.renamed("file"))))
                    .status(HttpStatus.BAD_REQUEST);
        }
    }

    private TransactionFile.Recorded record(Access access, InputStream in) {
        try {
            return file.record(access, in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TransactionFile.Recorded recorded(Access access, @Nullable CompletedFileUpload upload) throws IOException {
        if (upload == null
                || upload.getFilename() == null
                || upload.getFilename().isEmpty()) {
            throw new InvalidInput("NO_FILE", "file", "must be chosen");
        }
        if (upload.getSize() > file.maxBytes()) {
            throw new InvalidInput("FILE_TOO_LARGE", "file", "must have at most " + Counts.bytes(file.maxBytes()));
        }
        if (upload.getSize() == 0) {
            return file.record(access, InputStream.nullInputStream());
        }
        try (var in = upload.getInputStream()) {
            // Most of them take longer than a page may.
            return Workload.BACKGROUND.call(() -> record(access, in));
        }
    }
}
