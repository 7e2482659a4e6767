package io.menuboard.access;

import static io.menuboard.access.Permission.ACCOUNTS_MANAGE;
import static io.menuboard.access.Permission.AUDIT_READ;
import static io.menuboard.access.Permission.BILLING_READ;
import static io.menuboard.access.Permission.BILLING_RECORD;
import static io.menuboard.access.Permission.BILLING_RUN;
import static io.menuboard.access.Permission.MARKS_READ;
import static io.menuboard.access.Permission.MARKS_WRITE;
import static io.menuboard.access.Permission.OPERATIONS_ACT;
import static io.menuboard.access.Permission.OPERATIONS_READ;
import static io.menuboard.access.Permission.PRICES_APPLY;
import static io.menuboard.access.Permission.PRICES_APPROVE;
import static io.menuboard.access.Permission.PRICES_DRAFT;
import static io.menuboard.access.Permission.PRICES_READ;
import static io.menuboard.access.Permission.RANKINGS_READ;
import static io.menuboard.access.Permission.STORES_EDIT;
import static io.menuboard.access.Permission.TASKS_OPERATE;
import static io.menuboard.access.Permission.TASKS_READ;
import static io.menuboard.access.Permission.TASKS_SUBMIT;
import static io.menuboard.access.Permission.TASKS_WORK;
import static io.menuboard.access.Permission.WEBHOOKS_MANAGE;

import io.menuboard.access.Scope.Kind;
import java.util.Set;

/** A job that people or clients have, with what it takes to do it. */
public enum Role {
    VIEWER(Kind.STORES),
    PRICING_EDITOR(Kind.STORES),
    PRICING_APPROVER(Kind.STORES),
    TASK_OPERATOR(Kind.NONE),
    WORKER(Kind.WORKER),
    PARTNER(Kind.AGENCY),
    BILLING(Kind.NONE),
    FAVORITES_CLIENT(Kind.USER),
    OPERATOR(Kind.NONE),
    ADMINISTRATOR(Kind.NONE);

    private final Kind limit;

    Role(Kind limit) {
        this.limit = limit;
    }

    /** What the role can be limited to; {@link Kind#NONE} for one that is for everything. */
    public Kind limit() {
        return limit;
    }

    /** What the role may do. */
    public Set<Permission> permissions() {
        return switch (this) {
            case VIEWER -> Set.of(PRICES_READ, TASKS_READ, RANKINGS_READ);
            case PRICING_EDITOR -> Set.of(PRICES_READ, PRICES_DRAFT, PRICES_APPLY, STORES_EDIT);
            case PRICING_APPROVER -> Set.of(PRICES_READ, PRICES_APPROVE);
            case TASK_OPERATOR -> Set.of(TASKS_READ, TASKS_SUBMIT, TASKS_OPERATE);
            case WORKER -> Set.of(TASKS_READ, TASKS_WORK);
            case PARTNER -> Set.of(BILLING_READ);
            case BILLING -> Set.of(BILLING_READ, BILLING_RECORD, BILLING_RUN);
            case FAVORITES_CLIENT -> Set.of(MARKS_READ, MARKS_WRITE, RANKINGS_READ);
            case OPERATOR -> Set.of(TASKS_READ, RANKINGS_READ, OPERATIONS_READ, OPERATIONS_ACT);
            case ADMINISTRATOR -> Set.of(AUDIT_READ, ACCOUNTS_MANAGE, WEBHOOKS_MANAGE);
        };
    }
}
