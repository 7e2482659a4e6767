package io.menuboard.webadmin.ui;

/** Addresses of the audit trail, for those pages whose reader may see it: templates find it as {@code auditLinks}. */
public final class AuditLinks {
    /** Of the page, without its slash. */
    public static final String PATH = "audit";

    AuditLinks() {}

    /**
     * The address of all that was done to a subject. Public because templates call nothing else.
     *
     * @param subject as the audit trail has it, {@code STORE#DE-0001}
     */
    public String of(String subject) {
        return Link.to(PATH).with("subject", subject).toString();
    }
}
