package io.menuboard.access;

/** Who asks must not do this; nothing was read or changed. What is only out of sight is not found instead. */
public final class Denied extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Permission permission;
    private final boolean isForPart;

    Denied(Permission permission, boolean isForPart) {
        super("needs the permission " + permission);
        this.permission = permission;
        this.isForPart = isForPart;
    }

    /** The one that is missing. */
    public Permission permission() {
        return permission;
    }

    /** Whether it is there, but for other stores, workers or the like than those that were asked for. */
    public boolean isForPart() {
        return isForPart;
    }
}
