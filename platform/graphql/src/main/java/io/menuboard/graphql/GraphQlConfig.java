package io.menuboard.graphql;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/**
 * Settings of the GraphQL endpoint, under {@code menuboard.graphql.*}. A request at a limit is served, one past it is
 * refused with the code that is named here, before anything of it is executed.
 *
 * @param maxBodyBytes longest POST body in bytes, default 1 MB; past it HTTP 413, {@code BODY_TOO_LARGE}. It is also how much
 *     of a request is read into memory, {@code micronaut.server.max-request-buffer-size}
 * @param maxDocumentChars longest document in UTF-16 code units, default 65,536; past it {@code DOCUMENT_TOO_LARGE}
 * @param maxTokens most tokens that a document may have, default 10,000; past it {@code GRAPHQL_PARSE_FAILED}
 * @param maxOperations most operations that a document may have, default 100; past it {@code TOO_MANY_OPERATIONS}
 * @param maxFragments most fragments that a document may define, default 100; past it {@code TOO_MANY_FRAGMENTS}
 * @param maxFragmentDepth most fragments that may spread each other in a row, default 20; past it
 *     {@code FRAGMENTS_TOO_DEEP}. One that spreads itself is {@code FRAGMENT_CYCLE}
 * @param maxSelections most fields, spreads and inline fragments that the operations of a document may have together, where
 *     a fragment counts each time that it is spread, default 25,000; past it {@code TOO_MANY_SELECTIONS}
 * @param maxDepth most levels of fields in an operation, default 15, of which a connection takes three (itself,
 *     {@code edges}, {@code node}); past it {@code QUERY_TOO_DEEP}. Introspection is not counted: graphql-java bounds it
 *     to 20 levels and 500 fields, {@code INTROSPECTION_REFUSED}
 * @param maxCost highest cost of an operation (see {@link OperationCost}), default 250,000: one page of 2,048 edges
 *     with 120 fields each, or 64 such pages of 64; past it {@code QUERY_TOO_COSTLY}
 * @param documentCacheBytes bound of the cache of parsed documents in bytes of heap, as {@link Documents} estimates
 *     them, default 16 MB
 * @param threads most requests that are worked on at once, default 64
 * @param maxWaiting most requests that wait for one to end, default 256; one more is answered {@code OVERLOADED}
 * @param maxWait how long they wait, default 0.5 s; then they are, too
 * @param maxSharePercent how much of the requests that are worked on, of those and the waiting together, and of the memory for
 *     bodies that are arriving, may be of one account or token, in percent, default 50, rounded up; one more waits, or is answered
 *     {@code TOO_MANY_REQUESTS}
 * @param deadline from its body's arrival on how long a request may fetch fields, read and write, default 10 s, without the
 *     time for which claims wait; the fields that are left then are {@code DEADLINE_EXCEEDED}
 * @param bodyTimeout how long a body may take to arrive, default 10 s
 * @param maxAge for how long a client may use the answer to a GET again without asking whether it has changed, where that
 *     can be asked ({@code ETag}), default 2 s; less where it is known to change earlier
 * @param sharedCaches whether caches between us and clients may keep such answers, default false. They give them to whoever
 *     has the same credentials
 * @param introspection whether the schema may be asked for ({@code __schema}, {@code __type}), default false;
 *     {@code INTROSPECTION_DISABLED}
 */
@ConfigurationProperties("menuboard.graphql")
record GraphQlConfig(
        @Bindable(defaultValue = "1MB") @ReadableBytes int maxBodyBytes,
        @Bindable(defaultValue = "65536") int maxDocumentChars,
        @Bindable(defaultValue = "10000") int maxTokens,
        @Bindable(defaultValue = "100") int maxOperations,
        @Bindable(defaultValue = "100") int maxFragments,
        @Bindable(defaultValue = "20") int maxFragmentDepth,
        @Bindable(defaultValue = "25000") int maxSelections,
        @Bindable(defaultValue = "15") int maxDepth,
        @Bindable(defaultValue = "250000") int maxCost,
        @Bindable(defaultValue = "16MB") @ReadableBytes long documentCacheBytes,
        @Bindable(defaultValue = "64") int threads,
        @Bindable(defaultValue = "256") int maxWaiting,
        @Bindable(defaultValue = "500ms") Duration maxWait,
        @Bindable(defaultValue = "50") int maxSharePercent,
        @Bindable(defaultValue = "10s") Duration deadline,
        @Bindable(defaultValue = "10s") Duration bodyTimeout,
        @Bindable(defaultValue = "2s") Duration maxAge,
        @Bindable(defaultValue = "false") boolean sharedCaches,
        @Bindable(defaultValue = "false") boolean introspection) {

    GraphQlConfig {
        requirePositive("max-body-bytes", maxBodyBytes);
        requirePositive("max-document-chars", maxDocumentChars);
        requirePositive("max-tokens", maxTokens);
        requirePositive("max-operations", maxOperations);
        requirePositive("max-fragments", maxFragments);
        requirePositive("max-fragment-depth", maxFragmentDepth);
        requirePositive("max-selections", maxSelections);
        requirePositive("max-depth", maxDepth);
        requirePositive("max-cost", maxCost);
        requirePositive("document-cache-bytes", documentCacheBytes);
        requirePositive("threads", threads);
        requirePositive("max-share-percent", maxSharePercent);
        requirePositive("deadline", deadline.toNanos());
        requirePositive("body-timeout", bodyTimeout.toNanos());
    }

    private static void requirePositive(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException("menuboard.graphql." + name + " must be at least 1, not " + value);
        }
    }
}
