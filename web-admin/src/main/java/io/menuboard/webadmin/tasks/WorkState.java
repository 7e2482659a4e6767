package io.menuboard.webadmin.tasks;

import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Fact;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of work that a task does, for {@code tasks/parts :: state}.
 *
 * @param summary a sentence
 * @param reason why it failed, was cancelled or given back; or null
 * @param progress null where nothing takes long
 */
public record WorkState(
        Badge status,
        String summary,
        @Nullable String reason,
        @Nullable TaskProgressBar progress,
        List<Fact> facts) {}
