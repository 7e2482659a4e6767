package io.menuboard.access.http;

import io.menuboard.access.CurrentAccess;
import io.menuboard.access.People;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/** What goes with {@link ConfiguredPrincipals}. */
@Factory
@Requires(property = ConfiguredPrincipals.SIGN_IN, value = "false")
final class AccessFactory {
    @Singleton
    CurrentAccess currentAccess() {
        return CurrentAccess.EVERYTHING;
    }

    @Singleton
    People people() {
        return People.NOBODY;
    }
}
