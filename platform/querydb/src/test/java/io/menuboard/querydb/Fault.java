package io.menuboard.querydb;

/** What DynamoDB Local cannot do wrong on its own. */
public enum Fault {
    /** 400 ProvisionedThroughputExceededException; nothing is forwarded. */
    TABLE_THROTTLED,
    /** 400 ThrottlingException; nothing is forwarded. */
    ACCOUNT_THROTTLED,
    /** 500 InternalServerError; nothing is forwarded. */
    SERVER_ERROR,
    /** 500 InternalServerError after the request was forwarded and took effect. */
    SERVER_ERROR_AFTERWARDS,
    /** No connection comes about. */
    NOT_CONNECTED,
    /** All connections of the pool are in use for too long. */
    NO_CONNECTION_FREE,
    /** The connection breaks before the request is forwarded. */
    REQUEST_LOST,
    /** The connection breaks after the request was forwarded and took effect. */
    REPLY_LOST,
    /** 400 TransactionCanceledException, every reason TransactionConflict; nothing is forwarded. */
    TRANSACTION_CONFLICT,
    /** 400 IdempotentParameterMismatchException; nothing is forwarded. */
    TOKEN_MISMATCH,
    /** Only the first half of a batch, rounded up, is forwarded; the rest comes back as unprocessed. */
    HALF_PROCESSED,
    /** The whole batch comes back as unprocessed; nothing is forwarded. */
    UNPROCESSED
}
