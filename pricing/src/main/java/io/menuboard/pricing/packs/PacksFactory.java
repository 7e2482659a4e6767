package io.menuboard.pricing.packs;

import io.menuboard.pricing.current.Menus;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires price packs. */
@Factory
final class PacksFactory {

    @Singleton
    PricePacks pricePacks(Menus menus, PacksConfig config) {
        return new PricePacks(menus, config.length(), config.signer());
    }

    @Context // so that a key that is none stops the start
    PackKeys packKeys(PacksConfig config) {
        return new PackKeys(config.signer());
    }
}
