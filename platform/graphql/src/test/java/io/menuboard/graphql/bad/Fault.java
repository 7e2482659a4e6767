package io.menuboard.graphql.bad;

import java.util.Optional;
import java.util.regex.Pattern;

/** Answers that no request should have, however bad it is. */
public final class Fault {
    private static final Pattern INSIDE = Pattern.compile(
            "\\b(?:java\\.(?:lang|util|io|time)|io\\.(?:menuboard|micronaut|netty)|software\\.amazon)\\.\\w+");

    private Fault() {}

    /** What is wrong with the answer; empty where it is one that a client can do something with. */
    public static Optional<String> of(Connection.Answer answer) {
        if (answer.status() >= 500) {
            return Optional.of("status " + answer.status());
        }
        if (answer.text().contains("\"INTERNAL\"")) {
            return Optional.of("INTERNAL");
        }
        return INSIDE.matcher(answer.text()).results().findFirst().map(name -> "tells " + name.group());
    }
}
