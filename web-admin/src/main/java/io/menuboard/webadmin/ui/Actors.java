package io.menuboard.webadmin.ui;

import io.menuboard.kernel.Actor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Actors as pages and files write them. */
public final class Actors {
    /** Headers of {@link #cells}, in every file. */
    public static final List<String> COLUMNS = List.of("by", "through");

    private Actors() {}

    /** The door, to follow the name: {@code through GraphQL}. */
    public static String through(Actor actor) {
        return switch (actor.source()) {
            case PAGE -> "in the back office";
            case GRAPHQL -> "through GraphQL";
            case CSV -> "through a CSV file";
            case COMMAND_LINE -> "through the command line";
            case SCHEDULER -> "through the scheduler";
            case WORKER -> "through a worker";
            case UNKNOWN -> "through a door that this version does not know";
        };
    }

    /** The name and the door, each a cell of a file. */
    public static List<String> cells(Actor actor) {
        return List.of(
                actor.name(),
                switch (actor.source()) {
                    case PAGE -> "back office";
                    case GRAPHQL -> "GraphQL";
                    case CSV -> "CSV file";
                    case COMMAND_LINE -> "command line";
                    case SCHEDULER -> "scheduler";
                    case WORKER -> "worker";
                    case UNKNOWN -> "unknown";
                });
    }

    /** The name and the door, {@code till 7, through GraphQL}; empty for null. */
    public static String text(@Nullable Actor actor) {
        return actor == null ? "" : actor.name() + ", " + through(actor);
    }
}
