package io.menuboard.webadmin.uploads;

import io.menuboard.webadmin.ui.AdminConfig;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires what takes uploads in. */
@Factory
final class UploadsFactory {

    @Singleton
    UploadPlaces uploadPlaces(AdminConfig config) {
        return new UploadPlaces(config.importsAtOnce());
    }
}
