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
     * Starts the server and returns; its threads keep the process alive. Or runs the command and exits with its code. Exits with
     * 1, and a line on standard error, where {@link LogSettings} are wrong.
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
        // Before the first logger as well, which might say nothing.
        var problem = LogSettings.problem(
                System.getProperty("menuboard.log.format", System.getenv("MENUBOARD_LOG_FORMAT")),
                System.getenv("MENUBOARD_LOG_LEVEL"));
        if (problem.isPresent()) {
            System.err.println(problem.get());
            System.exit(1);
        }
        Micronaut.build(args).mainClass(Menuboard.class).banner(false).start();
    }
}
