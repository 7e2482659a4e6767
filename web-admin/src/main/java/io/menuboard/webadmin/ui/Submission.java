package io.menuboard.webadmin.ui;

import io.menuboard.kernel.Actor;
import java.time.Instant;

/**
 * Time and author of something that was asked for.
 *
 * @param through the way in which it came, to follow the name
 */
public record Submission(String at, String by, String through) {
    public static Submission of(Instant at, Actor by) {
        return new Submission(Moments.utcSeconds(at), by.name(), Actors.through(by));
    }
}
