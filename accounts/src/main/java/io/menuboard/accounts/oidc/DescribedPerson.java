package io.menuboard.accounts.oidc;

import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import io.menuboard.accounts.ExternalIdentity;
import io.menuboard.accounts.IdentifiedPerson;
import io.menuboard.accounts.Username;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes names of ours of what issuers call people, which may be anything. */
final class DescribedPerson {
    private static final String UNNAMED = "user";
    private static final int MAX_USERNAME = 40;

    private DescribedPerson() {}

    static IdentifiedPerson of(String issuer, IDTokenClaimsSet claims, ClaimedGrants grants) {
        var preferred = claims.getStringClaim("preferred_username");
        var name = Stream.of(claims.getStringClaim("name"), preferred)
                .map(DescribedPerson::name)
                .filter(DescribedPerson::isName)
                .findFirst()
                .orElse(UNNAMED);
        return new IdentifiedPerson(
                new ExternalIdentity(issuer, claims.getSubject().getValue()),
                name,
                username(preferred == null ? name : preferred),
                grants.of(all(claims)));
    }

    private static Map<String, Object> all(IDTokenClaimsSet claims) {
        try {
            return claims.toJWTClaimsSet().getClaims();
        } catch (ParseException e) {
            throw new IllegalStateException("claims that were those of a token", e);
        }
    }

    private static String name(@Nullable String text) {
        var visible = new StringBuilder();
        Objects.requireNonNullElse(text, "")
                .codePoints()
                .filter(DescribedPerson::isVisible)
                .takeWhile(codePoint -> visible.length() + Character.charCount(codePoint) <= Ids.MAX_LENGTH)
                .forEachOrdered(visible::appendCodePoint);
        return visible.toString().strip();
    }

    private static boolean isVisible(int codePoint) {
        return codePoint != '#'
                && switch (Character.getType(codePoint)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
    }

    private static boolean isName(String name) {
        try {
            Ids.check("name", name);
            return true;
        } catch (InvalidInput _) {
            return false;
        }
    }

    private static Username username(String text) {
        var allowed = text.replaceAll("[^A-Za-z0-9._@+-]", "").replaceFirst("^[^A-Za-z0-9]+", "");
        var username = allowed.substring(0, Math.min(MAX_USERNAME, allowed.length()));
        return new Username(username.isEmpty() ? UNNAMED : username);
    }
}
