package io.menuboard.pricing.changes;

/** Status of a change set, as people see it. */
public enum ChangeSetStatus {
    /** Being previewed, or previewed; nothing is changed. */
    DRAFT,
    /** Written, and waits for its time. */
    SCHEDULED,
    /** Something is being done with it, or its time has come for some stores and not for all. */
    APPLYING,
    /** Every line is in effect. */
    APPLIED,
    /** Some lines are in effect; others failed, were taken back, or were overtaken by a later set. */
    PARTLY_APPLIED,
    /** No line could be written. */
    FAILED,
    /** Cancelled as a draft, or taken back before its time: it has changed nothing. */
    CANCELLED,
    /** Another set has put back what it changed. */
    UNDONE
}
