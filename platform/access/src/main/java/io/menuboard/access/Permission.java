package io.menuboard.access;

/** Something that a principal may do. {@link Role} says which role has which. */
public enum Permission {
    /** Read stores, prices of all times, their history, change sets and imports. */
    PRICES_READ,
    /** Draft, preview and discard change sets. */
    PRICES_DRAFT,
    /** Apply, cancel, move and undo change sets, and import prices. */
    PRICES_APPLY,
    /** Approve or reject what somebody else has drafted. */
    PRICES_APPROVE,
    /** Add, edit and import stores. */
    STORES_EDIT,
    /** Read tasks, their history and workers. */
    TASKS_READ,
    /** Submit tasks. */
    TASKS_SUBMIT,
    /** Cancel, retry, reassign and clone tasks, one or many. */
    TASKS_OPERATE,
    /** Claim tasks, and complete, extend or fail those claimed. */
    TASKS_WORK,
    /** Read transactions, report runs and statements. */
    BILLING_READ,
    /** Record transactions. */
    BILLING_RECORD,
    /** Run billing, and change its rules and interval. */
    BILLING_RUN,
    /** Read what a user has marked, and who has marked a restaurant. */
    MARKS_READ,
    /** Mark and unmark restaurants for a user. */
    MARKS_WRITE,
    /** Read counts and rankings of restaurants. */
    RANKINGS_READ,
    /** Read dead letters, recounts and reconciled events. */
    OPERATIONS_READ,
    /** Redrive dead letters, publish price events again, recount. */
    OPERATIONS_ACT,
    /** Read the audit trail. */
    AUDIT_READ,
    /** Manage webhooks, which tell partners of changed prices, and send messages again. */
    WEBHOOKS_MANAGE,
    /** Manage users, what they may do, their sessions, and tokens. */
    ACCOUNTS_MANAGE
}
