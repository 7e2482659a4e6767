package io.menuboard.messaging.feed;

import java.time.Instant;

/** The queue of an instance. */
record FeedQueue(String name, String url, Instant made) {}
