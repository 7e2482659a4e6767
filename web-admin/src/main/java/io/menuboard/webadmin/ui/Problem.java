package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;

/**
 * Mistake of a client: shown beside the form's field where the form has it, otherwise above the list.
 *
 * @param message a sentence that names the field
 * @param rule the same without the field, for a place beside it
 */
public record Problem(String field, String message, String rule) {

    public static Problem of(InvalidInput refused) {
        return new Problem(refused.field(), refused.getMessage(), capitalised(refused.rule()));
    }

    private static String capitalised(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
