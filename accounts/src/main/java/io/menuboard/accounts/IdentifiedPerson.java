package io.menuboard.accounts;

import io.menuboard.access.Grant;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import java.util.Set;

/**
 * A person as an issuer of identities has just described them.
 *
 * @param name for people
 * @param username that the account is to have when it is made; another one if that is taken
 * @param grants all that the person is to have
 */
public record IdentifiedPerson(ExternalIdentity identity, String name, Username username, Set<Grant> grants) {

    /**
     * @throws InvalidInput for a name that breaks the rules of {@link Ids#check}, and {@code INVALID_GRANT} for more grants than
     *     an account can hold
     */
    public IdentifiedPerson {
        Ids.check("name", name);
        checkGrants(grants);
        grants = Set.copyOf(grants);
    }

    /**
     * Refuses more grants than an account can hold.
     *
     * @throws InvalidInput {@code INVALID_GRANT} then
     */
    public static void checkGrants(Set<Grant> grants) {
        Accounts.checkGrants(grants);
    }
}
