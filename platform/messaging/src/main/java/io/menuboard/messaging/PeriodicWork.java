package io.menuboard.messaging;

import io.menuboard.querydb.Turns;
import java.time.Duration;

/**
 * Work that one instance does every so often, in turn with the others. A context provides it; the application runs it.
 *
 * @param name of its {@link Turns}
 * @param every the least time between two turns
 * @param work must bear being cut off anywhere, and being done twice at once
 */
public record PeriodicWork(String name, Duration every, Runnable work) {}
