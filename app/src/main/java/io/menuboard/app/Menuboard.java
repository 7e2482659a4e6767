package io.menuboard.app;

import io.menuboard.querydb.requests.Workload;
import io.micronaut.runtime.Micronaut;
import java.util.List;

/**
 * Starts Menuboard: {@code java -jar menuboard.jar} serves until the process is told to stop, {@code java -jar
 * menuboard.jar import …} runs {@link ImportCommand}.
 */
public final class Menuboard {
    private Menuboard() {}

    /**
     * Starts the server and returns; its threads keep the process alive. Or runs the command and exits with its code.
     *
     * @param args Micronaut properties, such as {@code -micronaut.server.port=80}; or a command and its arguments
     */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(ImportCommand.NAME)) {
            // Before the first logger: what goes to the console is the command's own text.
            System.setProperty("menuboard.log.format", "command");
            var arguments = List.of(args).subList(1, args.length);
            System.exit(Workload.BACKGROUND.call(() -> ImportCommand.main(arguments)));
        }
        Micronaut.build(args).mainClass(Menuboard.class).banner(false).start();
    }
}
