package io.menuboard.accounts.oidc;

import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Wires signing in at an issuer; nothing of it is there without one. */
@Factory
@Requires(property = OidcFactory.ISSUER)
@Requires(property = "menuboard.sign-in", notEquals = "false")
final class OidcFactory {
    static final String ISSUER = "menuboard.oidc.issuer";

    @Context // so that settings that are wrong stop the start; the issuer is asked nothing before it is needed
    @Bean(preDestroy = "close")
    OpenIdConnect openIdConnect(OidcConfig config, Clock clock) {
        var settings = new OpenIdConnect.Settings(
                URI.create(require(ISSUER, config.issuer())),
                require("menuboard.oidc.client-id", config.clientId()),
                require("menuboard.oidc.client-secret", config.clientSecret()),
                config.name(),
                List.of(config.scopes().split("[ ,]+")),
                ClaimedGrants.parse(config.rolesClaim(), require("menuboard.oidc.grants", config.grants())));
        return new OpenIdConnect(settings, config.passwords(), clock);
    }

    private static String require(String setting, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(setting + " must be set where " + ISSUER + " is");
        }
        return value.strip();
    }
}
