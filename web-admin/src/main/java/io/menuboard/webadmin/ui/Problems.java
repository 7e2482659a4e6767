package io.menuboard.webadmin.ui;

import io.menuboard.kernel.InvalidInput;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that is wrong with a form, at most one thing for each field, in the order of the form. */
public record Problems(List<Problem> all) {
    public static final Problems NONE = new Problems(List.of());

    public static Problems of(@Nullable Problem only) {
        return only == null ? NONE : new Problems(List.of(only));
    }

    /** Refusals of these checks with {@link InvalidInput}: the first of each field. */
    public static Problems of(List<? extends Supplier<? extends @Nullable Object>> checks) {
        var all = new ArrayList<Problem>();
        for (var check : checks) {
            try {
                var _ = check.get();
            } catch (InvalidInput e) {
                if (all.stream().noneMatch(problem -> problem.field().equals(e.field()))) {
                    all.add(Problem.of(e));
                }
            }
        }
        return new Problems(List.copyOf(all));
    }

    /** Problem with that field; null for none. Public because templates call nothing else. */
    public @Nullable Problem of(String field) {
        return all.stream()
                .filter(problem -> problem.field().equals(field))
                .findFirst()
                .orElse(null);
    }

    /** Tells whether something is wrong with that field. Public because templates call nothing else. */
    public boolean has(String field) {
        return of(field) != null;
    }
}
