package io.menuboard.tasks.bulk;

import io.menuboard.tasks.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that a {@link BulkChange} would change if it began now.
 *
 * @param countIsLeast whether there are more: counting stops at {@value BulkOperations#COUNTED}
 * @param sample the first few
 */
public record BulkPreview(long count, boolean countIsLeast, List<Task> sample) {

    public BulkPreview {
        sample = List.copyOf(sample);
    }

    /** Tasks that there are with so many that are done already; null where there are more than were counted. */
    @Nullable
    Long total(long done) {
        return countIsLeast ? null : Long.valueOf(done + count);
    }
}
