package io.menuboard.access;

import io.menuboard.kernel.Actor;

/**
 * Tells what somebody may do now who asked for something that is done later: change sets, imports, reports, recounts, operations on
 * many tasks. Such work asks again when it runs, because roles may have been taken away since.
 */
@FunctionalInterface
public interface CurrentAccess {
    /** Lets everybody do everything; for tests, and where nobody signs in. */
    CurrentAccess EVERYTHING = actor ->
            new Access(new Principal(actor.id(), actor.kind(), actor.name(), Principal.EVERY_ROLE), actor.source());

    /**
     * The access that the actor has now: without grants where the account is disabled, or the token revoked or expired; with them
     * while the account must change its password. An actor without an id was known by a name only, and goes on with every role. About
     * one read unit for one with an id.
     */
    Access of(Actor actor);
}
