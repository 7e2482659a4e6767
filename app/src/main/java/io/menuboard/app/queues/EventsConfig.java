package io.menuboard.app.queues;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;

/**
 * Bus on which events for others are published, under {@code menuboard.events.*}; without a bus they are not.
 *
 * @param bus name or ARN of the EventBridge bus
 */
@Requires(property = "menuboard.events.bus")
@ConfigurationProperties("menuboard.events")
record EventsConfig(String bus) {}
