package io.menuboard.tasks.statistics;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Backlog of work.
 *
 * @param at when it was read
 * @param clients since when the client's task could be claimed that has waited longest of those that are next in their
 *     queues; null where nothing waits
 * @param operations the same of Menuboard's own operations, other than deliveries to webhooks, which may wait for their receivers
 * @param overdue since when the scheduled or running task is to be moved whose time has passed longest: it is due, or its lease
 *     has ended; null where there is none
 * @param deadOperations operations that gave up, other than deliveries to webhooks, and are kept until somebody retries them or
 *     their retention ends
 */
public record TaskBacklog(
        Instant at,
        @Nullable Instant clients,
        @Nullable Instant operations,
        @Nullable Instant overdue,
        long deadOperations) {}
