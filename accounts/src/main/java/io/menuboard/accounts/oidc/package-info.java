/**
 * Signing in by OpenID Connect: finds out from an issuer who a person is, with the authorization code flow (OpenID Connect Core 1.0,
 * section 3.1). What comes of it is an account and a session like any other.
 */
@NullMarked
package io.menuboard.accounts.oidc;

import org.jspecify.annotations.NullMarked;
