package io.menuboard.accounts;

/**
 * Who a person is to an issuer of identities: never changes, and nobody else ever has it (OpenID Connect Core 1.0, section 5.7).
 *
 * @param issuer its address
 * @param subject of the person at that issuer, compared case by case
 */
public record ExternalIdentity(String issuer, String subject) {
    public ExternalIdentity {
        if (issuer.isBlank() || subject.isBlank()) {
            throw new IllegalArgumentException("an identity has an issuer and a subject");
        }
    }
}
