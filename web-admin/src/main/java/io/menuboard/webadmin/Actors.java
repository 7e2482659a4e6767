package io.menuboard.webadmin;

import io.menuboard.querydb.Actor;

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
}
