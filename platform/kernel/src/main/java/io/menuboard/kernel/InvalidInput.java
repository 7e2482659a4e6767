package io.menuboard.kernel;

/** A client asked for something that the rules do not allow; nothing was changed. */
public final class InvalidInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String field;

    /**
     * @param code stable, UPPER_SNAKE; clients branch on it
     * @param field name of the argument, field or column that is wrong
     * @param message for people: names the field and the rule, holds nothing that the client must not see
     */
    public InvalidInput(String code, String field, String message) {
        super(message);
        this.code = code;
        this.field = field;
    }

    /** The same of a field that the caller calls something else; a message that begins with its name names the new one. */
    public InvalidInput renamed(String newField) {
        var message = getMessage();
        return new InvalidInput(
                code,
                newField,
                message.startsWith(field + " ") ? newField + message.substring(field.length()) : message);
    }

    public String code() {
        return code;
    }

    public String field() {
        return field;
    }

    /** The text given to the constructor; never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
