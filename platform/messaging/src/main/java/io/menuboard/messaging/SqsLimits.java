package io.menuboard.messaging;

import java.time.Duration;

/**
 * Needs of the SQS client, derived from the settings of the queues.
 *
 * @param connections requests that may be in progress at the same time
 * @param longPoll how long a request for messages waits for the first one
 * @param responseTime the longest that an answer may take: a long poll, and a reserve
 */
public record SqsLimits(int connections, Duration longPoll, Duration responseTime) {}
