package io.menuboard.webadmin;

import org.jspecify.annotations.Nullable;

/** View model of {@code billing/transactions}. */
record TransactionSearchPage(String transaction, @Nullable Problem problem) {}
