package io.menuboard.querydb;

import java.util.function.Supplier;

/**
 * An item, or something else stored, was written by another version of the application, with something that this one does not know. Nothing was
 * changed on the strength of it. An instance of that version can read it, so trying again may help while both run.
 */
public final class UnreadableItem extends RuntimeException {

    /** Error code for clients; stable. */
    public static final String CODE = "OTHER_VERSION";

    private static final long serialVersionUID = 1L;

    /** @param what names it */
    UnreadableItem(Object what, RuntimeException cause) {
        super("another version wrote what this one cannot read: " + what, cause);
    }

    /**
     * Reads something that is no item of the table: a task's payload, a line of a file. Items are for
     * {@link QueryDb#read}.
     *
     * @param what names it
     * @param reader throws whatever it likes where it does not know what it sees
     * @throws UnreadableItem where it did
     */
    public static <T> T read(Object what, Supplier<T> reader) {
        try {
            return reader.get();
        } catch (QueryDbException | UnreadableItem e) {
            throw e;
        } catch (RuntimeException e) {
            // Any exception: what another version writes cannot be foreseen.
            throw new UnreadableItem(what, e);
        }
    }

    /** True if that is the reason why something failed. */
    public static boolean isCauseOf(Throwable fault) {
        for (var cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnreadableItem) {
                return true;
            }
        }
        return false;
    }
}
