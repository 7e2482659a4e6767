package io.menuboard.messaging;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;

/**
 * A job that one instance at a time does periodically. A context provides it; the application runs it.
 *
 * @param name of its lease ({@link InstanceLeases})
 * @param interval the least time between two runs
 * @param work must bear being interrupted anywhere, and being done twice at the same time
 */
public record PeriodicJob(String name, Duration interval, Runnable work) {}
