package io.menuboard.webadmin.ui.errors;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What somebody typed into a form that is refused, for the page that says why: it can be sent once more from there.
 *
 * @param action address that it was sent to
 * @param fields without the token that made it ours
 */
public record SentForm(String action, List<Field> fields) {
    private static final String ATTRIBUTE = "io.menuboard.sent-form";

    /** No page repeats one. */
    private static final String PASSWORD = "password";

    /**
     * Notes what a form has, unless that is a password, or it is not certain that a page of this service sent it: on a page of
     * ours, a form of another site would be one click away from being done.
     *
     * @param token name of the field that no other page repeats
     */
    public static void keep(HttpRequest<?> request, Map<String, Object> fields, String token) {
        if (isOurs(request) && !fields.containsKey(PASSWORD)) {
            var kept = fields.entrySet().stream()
                    .filter(field -> !field.getKey().equals(token))
                    .flatMap(field -> Field.of(field.getKey(), field.getValue()))
                    .toList();
            request.setAttribute(ATTRIBUTE, new SentForm(ErrorPages.address(request), kept));
        }
    }

    /** Empty where nothing was kept. */
    static Optional<SentForm> of(HttpRequest<?> request) {
        return request.getAttribute(ATTRIBUTE, SentForm.class);
    }

    /** As browsers tell by themselves, by Fetch Metadata or else by {@code Origin}; whoever sends neither is none. */
    private static boolean isOurs(HttpRequest<?> request) {
        var site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null) {
            return site.equals("same-origin");
        }
        var origin = request.getHeaders().get(HttpHeaders.ORIGIN);
        return origin != null
                && origin.replaceFirst("^https?://", "")
                        .equalsIgnoreCase(request.getHeaders().get(HttpHeaders.HOST));
    }

    /** One value of a field. */
    public record Field(String name, String value) {
        /** @param value null where the field was empty, and several where it was there more than once */
        private static Stream<Field> of(String name, @Nullable Object value) {
            var values = value instanceof Collection<?> several ? several.stream() : Stream.ofNullable(value);
            var sent = values.map(each -> new Field(name, Objects.toString(each, "")))
                    .toList();
            return sent.isEmpty() ? Stream.of(new Field(name, "")) : sent.stream();
        }
    }
}
