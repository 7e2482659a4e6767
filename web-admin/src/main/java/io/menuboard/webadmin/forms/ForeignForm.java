package io.menuboard.webadmin.forms;

import io.menuboard.webadmin.ui.errors.Explained;

/** A form that no page of this service has shown to the browser that sent it, or not to whoever is signed in now. */
final class ForeignForm extends RuntimeException implements Explained {
    private static final long serialVersionUID = 1L;

    ForeignForm() {
        super(
                "Nothing was changed. The page with this form was opened before you signed in or out, or the form comes from"
                        + " somewhere else. Go back, load the page again, and send it once more.",
                null,
                false,
                false);
    }

    @Override
    public String title() {
        return "This form is out of date";
    }

    @Override
    public String text() {
        return String.valueOf(getMessage());
    }

    @Override
    public String backLabel() {
        return "";
    }

    @Override
    public String textWithForm() {
        return "Nothing was changed. The page with this form was opened before you signed in or out. What you typed is still here:"
                + " send it again if it is still what you mean.";
    }
}
