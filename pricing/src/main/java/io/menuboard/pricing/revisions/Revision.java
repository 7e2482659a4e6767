package io.menuboard.pricing.revisions;

/**
 * State of the prices of a store and channel. Every transaction that changes one of them, now or for later, makes another
 * one; that the time of a change comes does not.
 *
 * @param number grows with each change; 0 where there was none
 * @param isLoading while first prices are loaded, which come one by one without another revision
 */
public record Revision(long number, boolean isLoading) {
    static final Revision NONE = new Revision(0, false);
}
