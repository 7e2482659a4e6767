package io.menuboard.webadmin.uploads;

import io.menuboard.webadmin.ui.Counts;
import io.menuboard.webadmin.ui.errors.Explained;
import io.micronaut.http.HttpStatus;

/** Why an upload is not taken in, as its client is told; nothing of it was stored. */
final class UploadRefused extends RuntimeException implements Explained {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final String title;

    private UploadRefused(HttpStatus status, String code, String title, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.title = title;
    }

    static UploadRefused tooMany() {
        return new UploadRefused(
                HttpStatus.SERVICE_UNAVAILABLE,
                "TOO_MANY_IMPORTS",
                "Too many uploads at once",
                "As many uploads and imports as this instance can run are running. Nothing of this one was stored. Try again"
                        + " when one of them is done.");
    }

    static UploadRefused tooLarge(long maxBytes) {
        return new UploadRefused(
                HttpStatus.REQUEST_ENTITY_TOO_LARGE,
                "FILE_TOO_LARGE",
                "That is too big",
                "An upload here may have at most " + Counts.bytes(maxBytes) + ". Send a big file in parts.");
    }

    static UploadRefused withoutLength() {
        return new UploadRefused(
                HttpStatus.LENGTH_REQUIRED,
                "LENGTH_REQUIRED",
                "How long is it?",
                "An upload must say how long it is, with the header Content-Length, and must not be compressed.");
    }

    HttpStatus status() {
        return status;
    }

    String code() {
        return code;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public String text() {
        return String.valueOf(getMessage());
    }

    @Override
    public String backLabel() {
        return "Back to the upload";
    }
}
