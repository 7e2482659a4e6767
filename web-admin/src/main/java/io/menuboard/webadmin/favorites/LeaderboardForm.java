package io.menuboard.webadmin.favorites;

import io.menuboard.favorites.FavoriteWindow;
import io.menuboard.favorites.Span;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ranking that an address asks for, as it was sent: a window, the usual one where it is empty, and a day of UTC. */
record LeaderboardForm(String window, String on) {

    static LeaderboardForm of(@Nullable String window, @Nullable String on) {
        return new LeaderboardForm(
                Objects.requireNonNullElse(window, "").strip(),
                Objects.requireNonNullElse(on, "").strip());
    }

    /** @throws InvalidInput {@code INVALID_WINDOW} */
    FavoriteWindow askedWindow() {
        return window.isEmpty()
                ? FavoriteWindow.ALL_TIME
                : known().orElseThrow(() -> new InvalidInput(
                        "INVALID_WINDOW",
                        "window",
                        "must be one of "
                                + FavoriteWords.WINDOWS.stream()
                                        .map(FavoriteWindow::name)
                                        .collect(Collectors.joining(", "))));
    }

    /** The one that was asked for, or the usual one where there is none such. */
    FavoriteWindow shownWindow() {
        return known().orElse(FavoriteWindow.ALL_TIME);
    }

    private Optional<FavoriteWindow> known() {
        return Stream.of(FavoriteWindow.values())
                .filter(known -> known.name().equals(window))
                .findFirst();
    }

    /** Null for the one that is under way. */
    @Nullable
    LocalDate day() {
        return Moments.parseDay("on", on);
    }

    /**
     * The time whose marks are ranked.
     *
     * @throws InvalidInput {@code INVALID_WINDOW} or {@code INVALID_DAY}
     */
    Span span(Instant now) {
        var day = day();
        return day == null ? Span.at(askedWindow(), now) : Span.on(askedWindow(), day);
    }

    /** The same, or the one under way where there is none such. */
    Span shownSpan(Instant now) {
        try {
            return span(now);
        } catch (InvalidInput _) {
            return Span.at(shownWindow(), now);
        }
    }

    /** The field that it has beside the windows. */
    List<String> fields() {
        return shownWindow().isCalendar() ? List.of("on") : List.of();
    }

    /** The address of a time, without its date where it is under way. */
    static Link on(Link link, Span span, Instant now) {
        var window = FavoriteWords.on(link, span.window());
        return !span.window().isCalendar() || span.equals(Span.at(span.window(), now))
                ? window
                : window.with("on", span.first().toString());
    }
}
