package io.menuboard.webadmin.ui;

import org.jspecify.annotations.Nullable;

/**
 * A name that links to the page of what it names.
 *
 * @param href null where there is no such page
 */
public record Reference(String name, @Nullable String href) {
    public static Reference of(String name, @Nullable Link link) {
        return new Reference(name, link == null ? null : link.toString());
    }
}
