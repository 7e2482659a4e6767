package io.menuboard.webadmin.ui.errors;

/** An error that says on a page of its own what is to be done. */
public interface Explained {
    String title();

    String text();

    /**
     * Label of the link back to where the request was made; empty where no page is there. Then, and where the address has no page,
     * the way on is another list.
     */
    String backLabel();

    /** What it says instead where its page has a {@link SentForm}, to be sent once more; empty where that would not help. */
    default String textWithForm() {
        return "";
    }
}
