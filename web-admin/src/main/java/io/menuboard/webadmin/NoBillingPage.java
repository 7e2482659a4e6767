package io.menuboard.webadmin;

/** View model of {@code billing/none}, which says the same to everybody. */
record NoBillingPage() {}
