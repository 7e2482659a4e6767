package io.menuboard.app;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** Tells a table that cannot be reached, or that is too busy, from everything else that can go wrong. */
final class DynamoDbFaults {
    private DynamoDbFaults() {}

    /** Whether the same request may succeed a little later: throttling, a failing service, the network, a timeout. */
    static boolean isUnavailable(@Nullable Throwable fault) {
        for (var cause = fault; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case SdkServiceException service -> {
                    return service.isThrottlingException() || service.statusCode() >= 500;
                }
                case SdkClientException _ -> {
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }
}
