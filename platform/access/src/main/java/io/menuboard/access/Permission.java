package io.menuboard.access;

/** Something that a principal may do. {@link Role} says which role has which. */
public enum Permission {
    /** Read stores, prices of all times, their history, change sets and imports. */
    PRICES_READ,
    /** Draft, preview and discard change sets, and import files, which drafts one. */
    PRICES_DRAFT,
    /** Apply, cancel, move and undo change sets that need no second person. */
    PRICES_APPLY,
    /** Approve or reject change sets that somebody else has drafted. */
    PRICES_APPROVE,
    /** Add and edit stores. */
    STORES_EDIT,
    TASKS_READ,
    TASKS_SUBMIT,
    /** Cancel, retry, reprioritize and remove tasks, one or many. */
    TASKS_OPERATE,
    /** Claim tasks, and complete, extend or fail those claimed. */
    TASKS_WORK,
    /** Read transactions, report runs, statements and files of reports. */
    BILLING_READ,
    /** Record transactions. */
    BILLING_RECORD,
    /** Run billing, change commission rules and how often reports are made. */
    BILLING_RUN,
    /** Read marks of a user. */
    MARKS_READ,
    /** Mark and unmark restaurants for a user. */
    MARKS_WRITE,
    /** Read counts and rankings of restaurants. */
    RANKINGS_READ,
    /** Read dead letters and reconciled events. */
    OPERATIONS_READ,
    /** Redrive dead letters, publish price events again, recount. */
    OPERATIONS_ACT,
    AUDIT_READ,
    /** Manage users, what they may do, their sessions, and tokens. */
    ACCOUNTS_MANAGE
}
