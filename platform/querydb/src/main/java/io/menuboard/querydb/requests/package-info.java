/**
 * Sending of requests to DynamoDB: retries and their budget, bulkheads for interactive and background work, deadlines,
 * bounded fan-out, metering. Knows no item.
 */
@NullMarked
package io.menuboard.querydb.requests;

import org.jspecify.annotations.NullMarked;
