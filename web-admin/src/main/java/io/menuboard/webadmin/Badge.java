package io.menuboard.webadmin;

import io.menuboard.pricing.ImportState;
import io.menuboard.pricing.StoreStatus;

/**
 * A short coloured label; the text says everything that the colour does.
 *
 * @param kind CSS class: {@code badge-good}, {@code badge-warn}, {@code badge-bad}, {@code badge-info} or empty
 */
record Badge(String kind, String label) {

    static Badge of(ImportState state) {
        return switch (state) {
            case WAITING -> new Badge("", "Waiting");
            case RUNNING -> new Badge("badge-info", "Running");
            case FINISHED -> new Badge("badge-good", "Finished");
            case REFUSED -> new Badge("badge-bad", "Refused");
            case FAILED -> new Badge("badge-bad", "Failed");
            case INTERRUPTED -> new Badge("badge-warn", "Interrupted");
        };
    }

    static Badge of(StoreStatus status) {
        return switch (status) {
            case OPEN -> new Badge("badge-good", "Open");
            case TEMPORARILY_CLOSED -> new Badge("badge-warn", "Temporarily closed");
            case CLOSED -> new Badge("", "Closed");
        };
    }
}
