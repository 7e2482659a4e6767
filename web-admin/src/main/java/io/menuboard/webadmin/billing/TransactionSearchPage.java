package io.menuboard.webadmin.billing;

import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/** View model of {@code billing/transactions}. */
record TransactionSearchPage(
        BillingDoors doors, String transaction, @Nullable Problem problem) {}
