package io.menuboard.webadmin.ui;

/**
 * A short coloured label; the text says everything that the colour does.
 *
 * @param kind CSS class: {@code badge-good}, {@code badge-warn}, {@code badge-bad}, {@code badge-info} or empty
 */
public record Badge(String kind, String label) {}
