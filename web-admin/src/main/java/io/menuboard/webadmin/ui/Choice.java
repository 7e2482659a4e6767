package io.menuboard.webadmin.ui;

/** An option of a select field. */
public record Choice(String value, String label, boolean selected) {}
