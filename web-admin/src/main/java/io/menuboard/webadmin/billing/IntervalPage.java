package io.menuboard.webadmin.billing;

import io.menuboard.webadmin.ui.Problem;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code billing/interval}.
 *
 * @param minutes as they were sent, or as they are set
 * @param now what is set
 * @param problem what is wrong with what was sent, or null
 */
record IntervalPage(String minutes, String now, @Nullable Problem problem) {}
