package io.menuboard.messaging;

import io.menuboard.querydb.coordination.InstanceLeases;
import java.time.Duration;

/**
 * A job that one instance at a time does periodically. A context provides it; the application runs it, and renews its lease
 * while it works, so that two instances do it at once only where one could not renew the lease for an interval.
 *
 * @param name of its lease ({@link InstanceLeases})
 * @param interval the least time between the beginnings of two runs
 * @param work must bear being interrupted anywhere, and being done twice at the same time
 */
public record PeriodicJob(String name, Duration interval, Runnable work) {}
