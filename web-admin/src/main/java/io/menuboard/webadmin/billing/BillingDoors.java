package io.menuboard.webadmin.billing;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;

/**
 * Pages of billing that who looks at one of them may open; links to the rest are left out.
 *
 * @param everything those of all agencies together
 * @param record the one that records transactions
 * @param run those that run billing, and change its rules and interval
 * @param tasks those of tasks
 */
record BillingDoors(boolean everything, boolean record, boolean run, boolean tasks) {
    static BillingDoors of(Access access) {
        return new BillingDoors(
                access.isForAll(Permission.BILLING_READ),
                access.may(Permission.BILLING_RECORD),
                access.may(Permission.BILLING_RUN),
                access.isForAll(Permission.TASKS_READ));
    }
}
