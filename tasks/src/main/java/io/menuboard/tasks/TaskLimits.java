package io.menuboard.tasks;

import java.time.Duration;

/**
 * Settings of {@code menuboard.tasks.*} that bound what packages of this context do together.
 *
 * @param maxTypes most types of tasks that clients have, and that one claim names
 * @param maxPayloadBytes longest payload or result in UTF-8
 * @param countAtMost most tasks of one type and shard that statistics count
 * @param retention how long a finished task is kept
 */
public record TaskLimits(int maxTypes, int maxPayloadBytes, int countAtMost, Duration retention) {}
