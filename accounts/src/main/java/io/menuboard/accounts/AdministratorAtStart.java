package io.menuboard.accounts;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.QueryDbException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it, before this instance serves, that somebody can sign in. Starts all the same where the table cannot be reached. */
final class AdministratorAtStart {
    private static final Logger log = LoggerFactory.getLogger(AdministratorAtStart.class);

    /** @throws InvalidInput for a username or a password that breaks a rule; without one of them nobody would get in */
    AdministratorAtStart(FirstAdministrator first, AdministratorConfig config) {
        try {
            var password = config.password();
            if (password != null && first.create(new Username(config.username()), password)) {
                log.info("first administrator added: username={}", config.username());
            } else if (!first.isThere()) {
                log.warn("nobody can sign in yet: set MENUBOARD_ADMINISTRATOR_PASSWORD, and start again");
            }
        } catch (QueryDbException e) {
            log.warn("first administrator not looked for: cause={}", e.getMessage());
        }
    }
}
