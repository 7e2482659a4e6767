package io.menuboard.webadmin;

/** An option of a select field. */
record Choice(String value, String label, boolean selected) {}
