package io.menuboard.accounts;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.querydb.QueryDbException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it, before this instance serves, that somebody can sign in. Starts all the same where the table cannot be reached, and
 * looks again until it can.
 */
final class AdministratorAtStart implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdministratorAtStart.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final FirstAdministrator first;
    private final Username username;
    private final @Nullable String password;
    private final Duration pause;
    private final Thread later = Thread.ofVirtual().name("first administrator").unstarted(this::lookAgain);

    AdministratorAtStart(FirstAdministrator first, AdministratorConfig config) {
        this(first, config, PAUSE);
    }

    /**
     * @param pause between looking once and again
     * @throws InvalidInput for a username or a password that breaks a rule; without one of them nobody would get in
     */
    AdministratorAtStart(FirstAdministrator first, AdministratorConfig config, Duration pause) {
        this.first = first;
        this.username = new Username(config.username());
        this.password = config.password();
        this.pause = pause;
        if (!isDecided()) {
            later.start();
        }
    }

    /** False where the table did not answer. */
    private boolean isDecided() {
        try {
            if (password != null && first.create(username, password)) {
                log.info("first administrator added: username={}", username);
            } else if (!first.isThere()) {
                log.warn("nobody can sign in yet: set MENUBOARD_ADMINISTRATOR_PASSWORD, and start again");
            }
            return true;
        } catch (QueryDbException e) {
            log.warn("first administrator not looked for, which is tried again soon: cause={}", e.getMessage());
            return false;
        }
    }

    private void lookAgain() {
        try {
            do {
                Thread.sleep(pause);
            } while (!isDecided());
        } catch (InterruptedException _) {
            // The instance ends.
        } catch (RuntimeException e) {
            log.error("first administrator not added", e);
        }
    }

    @Override
    public void close() {
        later.interrupt();
    }
}
