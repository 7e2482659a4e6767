package io.menuboard.webadmin.billing;

/** View model of {@code billing/none}, which says the same to everybody. */
record NoBillingPage() {}
