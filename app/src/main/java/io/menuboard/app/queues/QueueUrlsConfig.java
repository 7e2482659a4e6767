package io.menuboard.app.queues;

import io.micronaut.context.annotation.ConfigurationProperties;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this instance consumes, under {@code menuboard.queues.*}. A queue without a URL is not consumed. Endpoint,
 * region and credentials come from the SDK's own configuration ({@code AWS_ENDPOINT_URL_SQS} and so on).
 *
 * @param changesUrl of the queue with those records of the table's stream that are handled one by one
 * @param dueUrl of the queue with batches of prices whose time has come
 * @param favoritesUrl of the queue with those records that are counted, many at a time
 */
@ConfigurationProperties("menuboard.queues")
record QueueUrlsConfig(
        @Nullable String changesUrl,
        @Nullable String dueUrl,
        @Nullable String favoritesUrl) {}
