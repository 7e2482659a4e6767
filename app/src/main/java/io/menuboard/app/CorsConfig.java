package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Settings under {@code menuboard.cors.*}: the other sites whose scripts may use GraphQL, none by default.
 *
 * @param origins as browsers send them, such as {@code https://kiosk.example.com}
 * @param pattern a regular expression of whole origins that may, too; or null
 */
@ConfigurationProperties("menuboard.cors")
record CorsConfig(
        @Bindable(defaultValue = "") List<String> origins,
        @Nullable String pattern) {

    private static final Pattern ORIGIN = Pattern.compile("https?://[^/*]+");

    CorsConfig {
        origins = origins.stream()
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .toList();
        for (var origin : origins) {
            if (!ORIGIN.matcher(origin).matches()) {
                throw new IllegalArgumentException(
                        "menuboard.cors.origins must be origins such as https://kiosk.example.com: " + origin);
            }
        }
        if (pattern != null) {
            var _ = Pattern.compile(pattern); // so that a wrong one stops the start
        }
    }

    boolean isOpen() {
        return !origins.isEmpty() || pattern != null;
    }
}
