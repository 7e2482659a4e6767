package io.menuboard.accounts.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Grant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimedGrantsTest {
    private static final String SETTING = """
            pricing-berlin: PRICING_EDITOR STORES#DE-0001#DE-0002;
            urn:example:admins: ADMINISTRATOR ALL, VIEWER ALL
            """;

    @Test
    void givesWhatTheValuesOfTheClaimSay() {
        var grants = ClaimedGrants.parse("roles", SETTING);

        assertThat(grants.of(Map.of("roles", List.of("pricing-berlin", "other", 7))))
                .isEqualTo(grants("PRICING_EDITOR STORES#DE-0001#DE-0002"));
        assertThat(grants.of(Map.of("roles", List.of("pricing-berlin", "urn:example:admins"))))
                .isEqualTo(grants("PRICING_EDITOR STORES#DE-0001#DE-0002", "ADMINISTRATOR ALL", "VIEWER ALL"));
        assertThat(grants.of(Map.of("roles", "urn:example:admins"))).hasSize(2);
        assertThat(grants.of(Map.of("roles", List.of("URN:EXAMPLE:ADMINS", "pricing"))))
                .isEmpty();
        assertThat(grants.of(Map.of("roles", Map.of("pricing-berlin", true)))).isEmpty();
        assertThat(grants.of(Map.of())).isEmpty();
    }

    @Test
    void findsClaimsInsideClaims() {
        Map<String, Object> inside = Map.of("realm_access", Map.of("roles", List.of("pricing-berlin")));
        Map<String, Object> named = Map.of("https://example.com/roles", List.of("pricing-berlin"));

        assertThat(ClaimedGrants.parse("realm_access.roles", SETTING).of(inside))
                .hasSize(1);
        assertThat(ClaimedGrants.parse("realm_access.groups", SETTING).of(inside))
                .isEmpty();
        assertThat(ClaimedGrants.parse("realm_access.roles.x", SETTING).of(inside))
                .isEmpty();
        assertThat(ClaimedGrants.parse("https://example.com/roles", SETTING).of(named))
                .hasSize(1);
        assertThat(ClaimedGrants.parse("https://example.com/roles", SETTING)
                        .of(Map.of("https://example", Map.of("com/roles", "pricing-berlin"))))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pricing",
                "pricing:",
                ": VIEWER ALL",
                "pricing: VIEWER",
                "pricing: VIEWER ALL,",
                "pricing: EMPEROR ALL",
                "pricing: ADMINISTRATOR STORES#DE-0001",
                "pricing: VIEWER ALL; pricing: BILLING ALL"
            })
    void refusesWhatItCannotRead(String setting) {
        assertThatThrownBy(() -> ClaimedGrants.parse("roles", setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("menuboard.oidc.grants");
    }

    private static Set<Grant> grants(String... texts) {
        return Arrays.stream(texts).map(Grant::parse).collect(Collectors.toSet());
    }
}
