package io.menuboard.pricing;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings under {@code menuboard.pricing.*}.
 *
 * @param storesRemembered how long a store that was read is taken to be as it was, and so how late an instance may see
 *     another one's change of a time zone or name; {@code menuboard.pricing.stores-remembered}, default 10 seconds
 */
@ConfigurationProperties("menuboard.pricing")
record PricingConfig(@Bindable(defaultValue = "10s") Duration storesRemembered) {}
