package io.menuboard.accounts.oidc;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * The issuer that people sign in at, under {@code menuboard.oidc.*}; none without its address.
 *
 * @param issuer address of the issuer, as its discovery document and its tokens have it
 * @param clientId by which it knows Menuboard
 * @param clientSecret that it gave Menuboard
 * @param name of it, on the sign-in page
 * @param scopes to ask for, beside {@code openid}
 * @param rolesClaim claim of the token whose values are roles; dots lead into claims
 * @param grants what each value of that claim gives, as {@link ClaimedGrants} reads it
 * @param passwords whether people sign in with passwords too
 */
@ConfigurationProperties("menuboard.oidc")
record OidcConfig(
        @Nullable String issuer,
        @Nullable String clientId,
        @Nullable String clientSecret,
        @Bindable(defaultValue = "single sign-on") String name,
        @Bindable(defaultValue = "profile") String scopes,
        @Bindable(defaultValue = "roles") String rolesClaim,
        @Nullable String grants,
        @Bindable(defaultValue = "true") boolean passwords) {}
