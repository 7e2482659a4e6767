package io.menuboard.tasks.bulk;

import io.menuboard.tasks.Task;
import java.util.List;

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
}
