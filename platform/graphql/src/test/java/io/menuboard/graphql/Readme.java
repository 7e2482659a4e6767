package io.menuboard.graphql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the README tells its readers to send. */
public final class Readme {
    private static final Pattern BODY = Pattern.compile("-d '(\\{\\n.*?\\n})'", Pattern.DOTALL);

    private static final Pattern QUERY = Pattern.compile("'query=([^']*)'");

    private Readme() {}

    /** Every JSON body in the section with that heading, in order. */
    public static List<String> bodies(String heading) {
        return BODY.matcher(section(heading))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The first query in the URL of a request in the section with that heading. */
    public static String query(String heading) {
        return QUERY.matcher(section(heading))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** In the nearest folder above that of the module. */
    private static Path file() {
        return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
                .map(folder -> folder.resolve("README.md"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    /** Everything between that heading and the next. */
    private static String section(String heading) {
        try {
            var parts = Files.readString(file()).split("\n## " + Pattern.quote(heading) + "\n", 2);
            if (parts.length < 2) {
                throw new IllegalArgumentException("the README has no section " + heading);
            }
            return parts[1].split("\n## ", 2)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
