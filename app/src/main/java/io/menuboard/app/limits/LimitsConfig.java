package io.menuboard.app.limits;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings under {@code menuboard.limits.*}, of each instance by itself.
 *
 * @param requests whether requests are limited, default true; where nobody signs in they are not
 * @param principalRate requests a second of one account or token that are served on average, default 500
 * @param principalBurst requests of one account or token that are served at once after a quiet time, default 1,000
 * @param addressRate the same for requests of nobody who is known, and of everybody where nobody has to be, by the address that
 *     they come from, default 200
 * @param addressBurst the same at once, default 400
 * @param connections most connections that are open at once, default 10,000; one more is closed. Those at a port that operations have of
 *     their own do not count
 * @param connectionsPerAddress most of them from one address, default 1,000. Not where
 *     {@code micronaut.server.client-address-header} is set, because they are all from what sets it
 */
@ConfigurationProperties("menuboard.limits")
public record LimitsConfig(
        @Bindable(defaultValue = "true") boolean requests,
        @Bindable(defaultValue = "500") int principalRate,
        @Bindable(defaultValue = "1000") int principalBurst,
        @Bindable(defaultValue = "200") int addressRate,
        @Bindable(defaultValue = "400") int addressBurst,
        @Bindable(defaultValue = "10000") int connections,
        @Bindable(defaultValue = "1000") int connectionsPerAddress) {

    public LimitsConfig {
        if (principalRate < 1
                || principalBurst < 1
                || addressRate < 1
                || addressBurst < 1
                || connections < 1
                || connectionsPerAddress < 1) {
            throw new IllegalArgumentException("menuboard.limits: every number must be at least 1");
        }
    }
}
