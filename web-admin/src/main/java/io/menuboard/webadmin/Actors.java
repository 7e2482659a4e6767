package io.menuboard.webadmin;

import io.menuboard.querydb.Actor;
import org.jspecify.annotations.Nullable;

/** Who did something, as pages write it. */
final class Actors {
    private Actors() {}

    /** The door, to follow the name: {@code through a page}. */
    static String through(Actor actor) {
        return "through "
                + switch (actor.source()) {
                    case PAGE -> "a page";
                    case GRAPHQL -> "GraphQL";
                    case CSV -> "a CSV file";
                    case COMMAND_LINE -> "the command line";
                    case SCHEDULER -> "the scheduler";
                    case WORKER -> "a worker";
                };
    }

    /** Of {@code TOKEN till 7 GRAPHQL}, which transactions keep, {@code till 7, through GraphQL}; empty for null. */
    static String recorded(@Nullable String by) {
        if (by == null) {
            return "";
        }
        var kind = by.indexOf(' ');
        var source = by.lastIndexOf(' ');
        var actor = new Actor(
                Actor.Kind.valueOf(by.substring(0, kind)),
                by.substring(kind + 1, source),
                Actor.Source.valueOf(by.substring(source + 1)));
        return actor.name() + ", " + through(actor);
    }
}
