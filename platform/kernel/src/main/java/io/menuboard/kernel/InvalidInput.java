package io.menuboard.kernel;

/**
 * A client asked for something that the rules do not allow; nothing was changed. Says in which field and by which rule; the
 * sentence for people, {@link #getMessage}, is made of both: {@code amount} and {@code must not be negative}.
 */
public final class InvalidInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String code;
    private final String path;

    /** The field as the sentence calls it; empty where the rule is a sentence of its own. */
    private final String name;

    private final String rule;

    /**
     * A rule that goes on where the name of the field ends, or, with a capital at its beginning, a sentence of its own.
     *
     * @param code stable, UPPER_SNAKE; clients branch on it
     * @param path name of the argument, field or column that is wrong; parts of a path have points between them
     * @param rule for people, such as {@code must be between 1 and 10, not 11}; holds nothing that the client must not see
     */
    public InvalidInput(String code, String path, String rule) {
        this(code, path, !rule.isEmpty() && Character.isUpperCase(rule.charAt(0)) ? "" : path, rule);
    }

    private InvalidInput(String code, String path, String name, String rule) {
        super(name.isEmpty() ? rule : name + " " + rule);
        this.code = code;
        this.path = path;
        this.name = name;
        this.rule = rule;
    }

    /** A sentence that does not begin with the name of the field. */
    public static InvalidInput sentence(String code, String path, String sentence) {
        return new InvalidInput(code, path, "", sentence);
    }

    /** The same of a field that the caller calls something else, also in the sentence. */
    public InvalidInput renamed(String newName) {
        return new InvalidInput(code, newName, name.isEmpty() ? "" : newName, rule);
    }

    /** The same at another path, in the same words. */
    public InvalidInput at(String newPath) {
        return new InvalidInput(code, newPath, name, rule);
    }

    /** The same of a field within something, in the same words. */
    public InvalidInput within(String outer) {
        return at(outer + "." + path);
    }

    public String code() {
        return code;
    }

    /** The path. */
    public String field() {
        return path;
    }

    /** The rule without the name of the field, for a place beside it. */
    public String rule() {
        return rule;
    }

    /** True if the rule is a sentence of its own, which does not begin with the name of the field. */
    public boolean isSentence() {
        return name.isEmpty();
    }

    /** A sentence that begins with the name of the field, or the rule where that is one; never null. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
