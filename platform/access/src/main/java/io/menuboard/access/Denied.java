package io.menuboard.access;

/** Who asks must not do this; nothing was read or changed. What is only out of sight is not found instead. */
public final class Denied extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Permission permission;

    Denied(Permission permission) {
        super("needs the permission " + permission);
        this.permission = permission;
    }

    /** The one that is missing. */
    public Permission permission() {
        return permission;
    }
}
