package io.menuboard.pricing;

import io.menuboard.context.ContextServer;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.imports.PriceSample;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;

/** Gives prices what the application gives them. */
@Factory
@Requires(env = ContextServer.ENVIRONMENT)
final class PricesServerFactory {
    /** Makes it {@link PriceSample#NOW} for ever. */
    static final String SAMPLES_CLOCK = "samples-clock";

    /** A bus without subscribers. */
    @Singleton
    PriceEvents events() {
        return _ -> {};
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = SAMPLES_CLOCK)
    Clock standingClock() {
        return Clock.fixed(PriceSample.NOW, ZoneOffset.UTC);
    }
}
