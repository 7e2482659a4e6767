package io.menuboard.webadmin.ui;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Question before something is done, for {@code confirmation :: page}.
 *
 * @param crumbs pages above this one
 * @param label of the button that does it
 * @param danger whether the button says that something ends
 * @param action address that the form is sent to
 * @param hidden fields that are sent without being shown
 * @param back the way back, which changes nothing
 * @param sendsBack whether the way back takes the form along, to be edited
 */
public record Confirmation(
        List<Reference> crumbs,
        String question,
        String consequence,
        String label,
        boolean danger,
        String action,
        Map<String, String> hidden,
        Reference back,
        boolean sendsBack) {

    /** A question whose answer is no danger, with a link back and nothing hidden. */
    public static Confirmation of(
            List<Reference> crumbs, String question, String consequence, String label, Link action, Reference back) {
        return new Confirmation(crumbs, question, consequence, label, false, action.toString(), Map.of(), back, false);
    }

    /** With one more hidden field. */
    public Confirmation with(String field, String value) {
        var more = new LinkedHashMap<>(hidden);
        more.put(field, value);
        return new Confirmation(crumbs, question, consequence, label, danger, action, more, back, sendsBack);
    }

    public Confirmation dangerous(boolean ends) {
        return new Confirmation(crumbs, question, consequence, label, ends, action, hidden, back, sendsBack);
    }

    /** With a way back that takes the form along. */
    public Confirmation editable() {
        return new Confirmation(crumbs, question, consequence, label, danger, action, hidden, back, true);
    }
}
