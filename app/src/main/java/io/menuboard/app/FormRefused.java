package io.menuboard.app;

import io.menuboard.webadmin.ui.Explained;

/** A form of which nothing was kept, and the rule that it breaks, as its sender is told. */
final class FormRefused extends RuntimeException implements Explained {
    private static final long serialVersionUID = 1L;

    FormRefused(String rule) {
        super("Nothing of what was sent was kept: " + rule + ".", null, false, false);
    }

    @Override
    public String title() {
        return "This form cannot be read";
    }

    @Override
    public String text() {
        return String.valueOf(getMessage());
    }

    @Override
    public String backLabel() {
        return "Back to the form";
    }
}
