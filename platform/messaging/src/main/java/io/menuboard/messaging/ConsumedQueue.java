package io.menuboard.messaging;

/**
 * A queue that this instance consumes.
 *
 * @param name for logs, metrics and people
 */
public record ConsumedQueue(String name, String url) {}
