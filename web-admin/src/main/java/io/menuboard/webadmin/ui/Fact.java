package io.menuboard.webadmin.ui;

import org.jspecify.annotations.Nullable;

/**
 * A term and its value in a list of facts.
 *
 * @param href null where it links to nothing
 */
public record Fact(String term, String value, @Nullable String href) {}
