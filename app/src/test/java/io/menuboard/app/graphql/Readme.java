package io.menuboard.app.graphql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** What the README tells its readers to send. */
public final class Readme {
    private static final Pattern BODY = Pattern.compile("-d '(\\{\\n.*?\\n})'", Pattern.DOTALL);

    private Readme() {}

    /** Every JSON body in the section with that heading, in order. */
    public static List<String> bodies(String heading) {
        return BODY.matcher(section(heading))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** Everything between that heading and the next. */
    public static String section(String heading) {
        try {
            var parts = Files.readString(Path.of("..", "README.md")).split("\n## " + Pattern.quote(heading) + "\n", 2);
            if (parts.length < 2) {
                throw new IllegalArgumentException("the README has no section " + heading);
            }
            return parts[1].split("\n## ", 2)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
