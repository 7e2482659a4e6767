package io.menuboard.accounts.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out where an issuer has what, and with which keys it signs (OpenID Connect Discovery 1.0, section 4). It is asked when
 * somebody signs in, and no more than every hour; where it cannot be asked, what it said goes on for a day, in which it has 1.5 seconds
 * to answer once a minute. Keys are asked for every
 * five minutes at most, and when a token has one that is not known, twice in ten seconds.
 */
final class Discovery {
    private static final Logger log = LoggerFactory.getLogger(Discovery.class);
    private static final String PATH = "/.well-known/openid-configuration";
    private static final Duration FRESH = Duration.ofHours(1);
    private static final Duration LAST_RESORT = Duration.ofDays(1);
    private static final Duration REFRESH_PATIENCE = Duration.ofMillis(1500);
    private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(1);
    private static final Duration KEYS_FRESH = Duration.ofMinutes(5);
    private static final Duration KEYS_LAST_RESORT = Duration.ofHours(1);
    private static final Duration KEYS_PATIENCE = Duration.ofSeconds(3);
    private static final Duration KEYS_INTERVAL = Duration.ofSeconds(10);
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.0\\.0\\.1|\\[::1]");

    /** Those with a public key: one who only knows our secret must not sign for the issuer. */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final Issuer issuer;
    private final ClientID client;
    private final IssuerHttp http;
    private final Clock clock;
    private final AtomicReference<@Nullable Provider> known = new AtomicReference<>();

    Discovery(URI issuer, String client, IssuerHttp http, Clock clock) {
        requireSafe("menuboard.oidc.issuer", issuer);
        this.issuer = new Issuer(issuer.toString());
        this.client = new ClientID(client);
        this.http = http;
        this.clock = clock;
    }

    /** An issuer as it described itself. */
    record Provider(OIDCProviderMetadata metadata, IDTokenValidator tokens, Instant since, Instant askAgainAt) {
        URI authorization() {
            return metadata.getAuthorizationEndpointURI();
        }

        URI token() {
            return metadata.getTokenEndpointURI();
        }
    }

    private static void requireSafe(String what, @Nullable URI address) {
        var host = address == null ? null : address.getHost();
        if (address == null || host == null || !isSafe(address.getScheme(), host)) {
            throw new IllegalArgumentException(what + " must be an address with https, not " + address);
        }
    }

    private static boolean isSafe(String scheme, String host) {
        return scheme.equals("https")
                || (scheme.equals("http") && LOOPBACK.matcher(host).matches());
    }

    /** Costs nothing for an hour; then a request to the issuer, which may take long only where what it said is of no use any more. */
    Provider provider() throws OidcFailed {
        var before = known.get();
        var now = clock.instant();
        if (before == null || !before.since().plus(LAST_RESORT).isAfter(now)) {
            return refreshed(before, now);
        }
        if (before.askAgainAt().isAfter(now)) {
            return before;
        }
        try {
            return Deadline.within(REFRESH_PATIENCE, () -> refreshed(before, now));
        } catch (OidcFailed e) {
            log.warn("what the issuer said of itself is kept: issuer={} reason={}", issuer, e.getMessage());
            var kept = new Provider(before.metadata(), before.tokens(), before.since(), now.plus(REFRESH_INTERVAL));
            known.compareAndSet(before, kept);
            return kept;
        }
    }

    private Provider refreshed(@Nullable Provider before, Instant now) throws OidcFailed {
        var after = ask(before, now);
        known.set(after);
        return after;
    }

    private Provider ask(@Nullable Provider before, Instant now) throws OidcFailed {
        try {
            var address = URI.create(issuer.getValue().replaceFirst("/$", "") + PATH);
            var metadata = OIDCProviderMetadata.parse(
                    http.retrieveResource(address.toURL()).getContent());
            if (!metadata.getIssuer().equals(issuer)) {
                throw new OidcFailed(OidcFailure.UNTRUSTED, "the discovery document is of another issuer");
            }
            Stream.of(metadata.getAuthorizationEndpointURI(), metadata.getTokenEndpointURI(), metadata.getJWKSetURI())
                    .forEach(endpoint -> requireSafe("an endpoint of the issuer", endpoint));
            var keys = metadata.getJWKSetURI();
            var tokens =
                    before != null && before.metadata().getJWKSetURI().equals(keys) ? before.tokens() : tokens(keys);
            return new Provider(metadata, tokens, now, now.plus(FRESH));
        } catch (IOException | ParseException | IllegalArgumentException e) {
            throw new OidcFailed(OidcFailure.UNAVAILABLE, "discovery: " + e.getMessage());
        }
    }

    private IDTokenValidator tokens(URI keys) throws MalformedURLException {
        var source = JWKSourceBuilder.<SecurityContext>create(keys.toURL(), http)
                .cache(KEYS_FRESH.toMillis(), KEYS_PATIENCE.toMillis())
                .refreshAheadCache(false)
                .rateLimited(KEYS_INTERVAL.toMillis())
                .outageTolerant(KEYS_LAST_RESORT.toMillis())
                .build();
        var validator =
                new IDTokenValidator(issuer, client, new JWSVerificationKeySelector<>(ALGORITHMS, source), null);
        validator.setMaxClockSkew((int) CLOCK_SKEW.toSeconds());
        return validator;
    }
}
