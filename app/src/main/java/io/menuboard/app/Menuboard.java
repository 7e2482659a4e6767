package io.menuboard.app;

import io.micronaut.runtime.Micronaut;

/** Starts Menuboard: {@code java -jar menuboard.jar} serves until the process is told to stop. */
public final class Menuboard {
    private Menuboard() {}

    /**
     * Starts the server and returns; its threads keep the process alive.
     *
     * @param args Micronaut properties, such as {@code -micronaut.server.port=80}
     */
    public static void main(String[] args) {
        Micronaut.build(args).mainClass(Menuboard.class).banner(false).start();
    }
}
