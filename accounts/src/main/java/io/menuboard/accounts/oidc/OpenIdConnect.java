package io.menuboard.accounts.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenErrorResponse;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationErrorResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.AuthenticationSuccessResponse;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.NetworkPlaces;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one issuer who a person is. What fails is logged with its reason, and nothing of codes and tokens. The issuer may take five
 * seconds for all that one call asks it for, and only so many calls wait for it at once, of one network fewer. Clocks may differ by
 * five minutes. Thread-safe.
 */
public final class OpenIdConnect implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OpenIdConnect.class);
    private static final int WAITING_AT_ONCE = 16;
    private static final int WAITING_OF_NETWORK = 4;

    private final Settings settings;
    private final boolean takesPasswords;
    private final IssuerHttp http = new IssuerHttp();
    private final Discovery discovery;
    private final SecureRandom random = new SecureRandom();
    private final NetworkPlaces places = new NetworkPlaces(WAITING_AT_ONCE, WAITING_OF_NETWORK);

    /** @throws IllegalArgumentException for an issuer whose address has no TLS, and is not this machine */
    OpenIdConnect(Settings settings, boolean takesPasswords, Clock clock) {
        this.settings = settings;
        this.takesPasswords = takesPasswords;
        discovery = new Discovery(settings.issuer(), settings.clientId(), http, clock);
    }

    /** @param name of the issuer, for people */
    record Settings(
            URI issuer, String clientId, String clientSecret, String name, List<String> scopes, ClaimedGrants grants) {
        /** Without the secret. */
        @Override
        public String toString() {
            return "Settings[" + issuer + ", " + clientId + "]";
        }
    }

    /** Of the issuer, for people. */
    public String name() {
        return settings.name();
    }

    /** Whether people sign in with passwords too. */
    public boolean takesPasswords() {
        return takesPasswords;
    }

    /**
     * Leads a browser to the issuer.
     *
     * @param client where that browser is
     * @param callback where the issuer sends it back to; one that the issuer knows
     */
    public BeginResult begin(ClientAddress client, URI callback) {
        try {
            var provider = asking(client, discovery::provider);
            var handshake = Handshake.random(random);
            var request = new AuthenticationRequest.Builder(
                            ResponseType.CODE, scope(), new ClientID(settings.clientId()), callback)
                    .endpointURI(provider.authorization())
                    .state(new State(handshake.state()))
                    .nonce(new Nonce(handshake.nonce()))
                    .codeChallenge(new CodeVerifier(handshake.verifier()), CodeChallengeMethod.S256)
                    .build();
            return new BeginResult.Begun(request.toURI(), handshake);
        } catch (OidcFailed e) {
            return new BeginResult.Failed(logged(e));
        }
    }

    private Scope scope() {
        return new Scope(Stream.concat(Stream.of("openid"), settings.scopes().stream())
                .distinct()
                .toArray(String[]::new));
    }

    /**
     * Takes what the issuer says when it sends the browser back. The issuer is asked nothing where that is no answer to the
     * handshake.
     *
     * @param client where that browser is
     * @param answer the address that it sent the browser to
     * @param callback as {@link #begin} had it
     * @param handshake that the browser kept
     */
    public FinishResult finish(ClientAddress client, URI answer, URI callback, Handshake handshake) {
        try {
            var code = code(answer, handshake);
            return new FinishResult.Identified(asking(client, () -> {
                var provider = discovery.provider();
                var token = token(provider, code, callback, handshake);
                var claims = claims(provider, token, handshake);
                return DescribedPerson.of(settings.issuer().toString(), claims, settings.grants());
            }));
        } catch (OidcFailed e) {
            return new FinishResult.Failed(logged(e));
        }
    }

    private <T> T asking(ClientAddress client, ScopedValue.CallableOp<T, OidcFailed> work) throws OidcFailed {
        var place = places.take(client)
                .orElseThrow(() -> new OidcFailed(OidcFailure.UNAVAILABLE, "too many wait for the issuer"));
        try (place) {
            return Deadline.within(work);
        }
    }

    private AuthorizationCode code(URI answer, Handshake handshake) throws OidcFailed {
        var response = parse(answer);
        if (!new State(handshake.state()).equals(response.getState())) {
            throw new OidcFailed(OidcFailure.STALE, "another state");
        }
        var issuer = response.getIssuer();
        if (issuer != null && !issuer.getValue().equals(settings.issuer().toString())) {
            throw new OidcFailed(OidcFailure.UNTRUSTED, "an answer of another issuer");
        }
        return switch (response) {
            case AuthenticationSuccessResponse success
            when success.getAuthorizationCode() != null -> success.getAuthorizationCode();
            case AuthenticationErrorResponse error -> throw refused(error.getErrorObject());
            default -> throw new OidcFailed(OidcFailure.STALE, "no code");
        };
    }

    private static AuthenticationResponse parse(URI answer) throws OidcFailed {
        try {
            return AuthenticationResponseParser.parse(answer);
        } catch (ParseException | IllegalArgumentException _) {
            // The latter for an empty code, of which the parser makes an identifier.
            throw new OidcFailed(OidcFailure.STALE, "no answer of an issuer");
        }
    }

    private static OidcFailed refused(ErrorObject error) {
        if (OAuth2Error.ACCESS_DENIED.equals(error)) {
            return new OidcFailed(OidcFailure.CANCELLED, "access_denied");
        }
        return OAuth2Error.SERVER_ERROR.equals(error) || OAuth2Error.TEMPORARILY_UNAVAILABLE.equals(error)
                ? new OidcFailed(OidcFailure.UNAVAILABLE, "authorization: " + name(error))
                : new OidcFailed(OidcFailure.UNTRUSTED, "authorization: " + name(error));
    }

    /** As the issuer names an error, if it is a name that a log can have. */
    private static String name(ErrorObject error) {
        var code = error.getCode();
        return code != null && code.matches("[a-z_]{1,40}") ? code : "an error without a name";
    }

    private JWT token(Discovery.Provider provider, AuthorizationCode code, URI callback, Handshake handshake)
            throws OidcFailed {
        var grant = new AuthorizationCodeGrant(code, callback, new CodeVerifier(handshake.verifier()));
        var request = new TokenRequest.Builder(provider.token(), client(provider), grant).build();
        try {
            var answer = request.toHTTPRequest().send(http);
            if (answer.getStatusCode() >= 500) {
                throw new OidcFailed(OidcFailure.UNAVAILABLE, "token: status " + answer.getStatusCode());
            }
            return token(answer);
        } catch (IOException e) {
            throw new OidcFailed(OidcFailure.UNAVAILABLE, "token: " + e.getMessage());
        }
    }

    private ClientAuthentication client(Discovery.Provider provider) {
        var id = new ClientID(settings.clientId());
        var secret = new Secret(settings.clientSecret());
        var methods = provider.metadata().getTokenEndpointAuthMethods();
        return methods != null
                        && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST)
                        && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                ? new ClientSecretPost(id, secret)
                : new ClientSecretBasic(id, secret);
    }

    private static JWT token(HTTPResponse answer) throws OidcFailed {
        try {
            return switch (OIDCTokenResponseParser.parse(answer)) {
                case OIDCTokenResponse success
                when success.getOIDCTokens().getIDToken() != null ->
                    success.getOIDCTokens().getIDToken();
                case TokenErrorResponse error
                when error.getErrorObject() != null ->
                    throw OAuth2Error.INVALID_GRANT.equals(error.getErrorObject())
                            ? new OidcFailed(OidcFailure.STALE, "token: invalid_grant")
                            : new OidcFailed(OidcFailure.UNTRUSTED, "token: " + name(error.getErrorObject()));
                default -> throw new OidcFailed(OidcFailure.UNAVAILABLE, "token: no ID token");
            };
        } catch (ParseException _) {
            throw new OidcFailed(OidcFailure.UNAVAILABLE, "token: no answer of an issuer");
        }
    }

    private static IDTokenClaimsSet claims(Discovery.Provider provider, JWT token, Handshake handshake)
            throws OidcFailed {
        try {
            var claims = provider.tokens().validate(token, null);
            if (!new Nonce(handshake.nonce()).equals(claims.getNonce())) {
                throw new OidcFailed(OidcFailure.UNTRUSTED, "ID token: another nonce");
            }
            return claims;
        } catch (KeySourceException e) {
            throw new OidcFailed(OidcFailure.UNAVAILABLE, "keys: " + e.getMessage());
        } catch (BadJOSEException | JOSEException e) {
            throw new OidcFailed(OidcFailure.UNTRUSTED, "ID token: " + e.getMessage());
        }
    }

    private OidcFailure logged(OidcFailed failed) {
        log.warn(
                "nobody identified: issuer={} failure={} reason={}",
                settings.issuer(),
                failed.why(),
                failed.getMessage());
        return failed.why();
    }

    @Override
    public void close() {
        http.close();
    }
}
