package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.time.Duration;

/**
 * Settings under {@code menuboard.bodies.*}: how slowly requests, their bodies above all, may arrive.
 *
 * @param headers how long the headers of a request may take from their first byte on, default 10 s
 * @param window how long the rest of a body may take, or else at least {@code minBytes} more of it must have arrived;
 *     default 30 s
 * @param minBytes bytes that arrive in each window, default 480 KB: 16 KB a second
 * @param maxTime how long a body may take however fast it is, default 6 hours
 * @param linger how long what is left of a body is read and thrown away once its request was answered, so that the client
 *     reads the answer, before the connection is closed; default 30 s
 */
@ConfigurationProperties("menuboard.bodies")
record BodiesConfig(
        @Bindable(defaultValue = "10s") Duration headers,
        @Bindable(defaultValue = "30s") Duration window,
        @Bindable(defaultValue = "480KB") @ReadableBytes int minBytes,
        @Bindable(defaultValue = "6h") Duration maxTime,
        @Bindable(defaultValue = "30s") Duration linger) {

    BodiesConfig {
        if (!headers.isPositive()
                || !window.isPositive()
                || !maxTime.isPositive()
                || minBytes < 1
                || linger.isNegative()) {
            throw new IllegalArgumentException(
                    "menuboard.bodies: headers, window, max-time and min-bytes must be above 0, linger not below: "
                            + headers + ", " + window
                            + ", " + maxTime + ", " + minBytes + ", " + linger);
        }
    }
}
