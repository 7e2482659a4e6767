package io.menuboard.billing.reports;

import io.menuboard.billing.transactions.Quarter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The point that reports have reached.
 *
 * @param upTo first quarter hour that no committed run has closed
 * @param open the run that is on its way from there; null for none
 * @param interval how much time a run covers, as staff have set it
 */
public record Checkpoint(Quarter upTo, @Nullable RunId open, Duration interval) {}
