package io.menuboard.tasks.statistics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Backlog of work.
 *
 * @param at when it was read
 * @param clients since when the client's task could be claimed that has waited longest of those that are next in their
 *     queues; null where nothing waits
 * @param operations the same of Menuboard's own operations
 * @param deadOperations operations that gave up, other than deliveries to webhooks, and are kept until somebody retries them or
 *     their retention ends
 */
public record TaskBacklog(
        Instant at, @Nullable Instant clients, @Nullable Instant operations, long deadOperations) {}
