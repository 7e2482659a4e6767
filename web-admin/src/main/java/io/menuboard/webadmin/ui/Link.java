package io.menuboard.webadmin.ui;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An address on this site, made from parts that are not encoded yet. Immutable. */
public final class Link {
    private final String path;
    private final Map<String, String> query;

    private Link(String path, Map<String, String> query) {
        this.path = path;
        this.query = query;
    }

    /** The address {@code /first/second…}; a segment may contain anything, also a slash. */
    public static Link to(String... segments) {
        return new Link(Arrays.stream(segments).map(Link::encode).collect(Collectors.joining("/", "/", "")), Map.of());
    }

    /** This address with one query parameter more, or unchanged if {@code value} is null or empty. */
    public Link with(String name, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            return this;
        }
        var more = new LinkedHashMap<>(query);
        more.put(name, value);
        return new Link(path, more);
    }

    @Override
    public String toString() {
        return query.isEmpty()
                ? path
                : query.entrySet().stream()
                        .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
                        .collect(Collectors.joining("&", path + "?", ""));
    }

    /** Percent-encodes for a path segment as well as for a query: a space becomes %20, never a plus. */
    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
