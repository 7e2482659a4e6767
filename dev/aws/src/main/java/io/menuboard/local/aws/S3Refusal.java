package io.menuboard.local.aws;

/** An answer that clients see as the exception of that code. */
final class S3Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    final int status;
    final String code;

    S3Refusal(int status, String code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static S3Refusal notImplemented(String message) {
        return new S3Refusal(501, "NotImplemented", message);
    }
}
