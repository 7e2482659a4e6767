package io.menuboard.pricing.packs;

import io.menuboard.pricing.current.Menus;
import io.menuboard.querydb.coordination.SharedSetting;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Named;
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

    @Singleton
    @Named("packDays")
    SharedSetting packDays(PacksConfig config) {
        return SharedSetting.equal("menuboard.pricing.packs.days", config.days());
    }

    @Singleton
    @Named("packKey")
    SharedSetting packKey(PacksConfig config) {
        var signer = config.signer();
        return SharedSetting.equal("menuboard.pricing.packs.signing-key", signer == null ? "none" : signer.keyId());
    }
}
