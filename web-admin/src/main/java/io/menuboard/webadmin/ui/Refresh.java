package io.menuboard.webadmin.ui;

import org.jspecify.annotations.Nullable;

/**
 * The way in which a page asks again by itself, for {@code components :: refresh}.
 *
 * @param href address of the page as it is shown
 * @param seconds until it asks; null if nothing can change any more
 */
public record Refresh(String href, @Nullable Integer seconds) {

    /**
     * The way of the page at that address.
     *
     * @param open whether something may still change
     */
    public static Refresh of(Link here, boolean open, int seconds) {
        return new Refresh(here.toString(), open ? seconds : null);
    }
}
