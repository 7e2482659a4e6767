package io.menuboard.webadmin.accounts;

import io.menuboard.access.Grant;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.webadmin.ui.Choice;
import io.menuboard.webadmin.ui.FormKey;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.Problems;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The fields of a new token, as they are sent.
 *
 * @param key idempotency key
 * @param days one of {@link #DAYS}, which counts where {@code until} is empty
 * @param until the last day of UTC on which it is valid; empty for as many days from {@code shown}
 * @param shown day of UTC on which the form was shown, so that it says the same when it is sent again after midnight; empty for today
 */
record NewTokenForm(String key, String name, RoleChoices roles, String days, String until, String shown) {
    private static final List<Integer> DAYS = List.of(1, 7, 30, 90, 365);

    static NewTokenForm empty() {
        return new NewTokenForm(FormKey.fresh(), "", RoleChoices.NONE, "30", "", "");
    }

    /** As it was sent; without a key, each time that it is sent makes a token. */
    static NewTokenForm of(Map<String, String> fields) {
        return new NewTokenForm(
                Objects.requireNonNullElseGet(fields.get("key"), FormKey::fresh),
                fields.getOrDefault("name", "").strip(),
                RoleChoices.of(fields),
                fields.getOrDefault("days", "").strip(),
                fields.getOrDefault("until", "").strip(),
                fields.getOrDefault("shown", "").strip());
    }

    /** As it is, for another token. */
    NewTokenForm again() {
        return new NewTokenForm(FormKey.fresh(), name, roles, days, until, shown);
    }

    Problems problems(Instant now) {
        return Problems.of(List.of(
                () -> {
                    Ids.check("name", name);
                    return name;
                },
                this::grants,
                () -> expiresAt(now)));
    }

    /** @throws InvalidInput {@code INVALID_ROLE} on {@code roles} for none, as a token without any is good for nothing */
    Set<Grant> grants() {
        var grants = roles.grants();
        if (grants.isEmpty()) {
            throw InvalidInput.sentence("INVALID_ROLE", "roles", "Choose at least one role");
        }
        return grants;
    }

    /** The end of that day. */
    Instant expiresAt(Instant now) {
        return lastDay(now).plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private LocalDate lastDay(Instant now) {
        var today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        var typed = Moments.parseDay("until", until);
        if (typed == null) {
            return shown(today)
                    .plusDays(DAYS.stream()
                            .filter(number -> number.toString().equals(days))
                            .findFirst()
                            .orElseThrow(() -> new InvalidInput("INVALID_EXPIRY", "days", "must be one of " + DAYS)));
        }
        if (typed.isBefore(today)) {
            throw new InvalidInput("INVALID_EXPIRY", "until", "must be today or later");
        }
        return typed;
    }

    /** The day may be over since, and at midnight not have begun yet for this instance. */
    private LocalDate shown(LocalDate today) {
        if (shown.isEmpty()) {
            return today;
        }
        return Stream.of(today, today.minusDays(1), today.plusDays(1))
                .filter(day -> shown.equals(day.toString()))
                .findFirst()
                .orElseThrow(() -> InvalidInput.sentence(
                        "INVALID_EXPIRY",
                        "days",
                        "This form was shown on another day. Send it again if that is still right"));
    }

    /** Choices, with the one that was sent. */
    List<Choice> choices() {
        return DAYS.stream()
                .map(number -> new Choice(
                        number.toString(),
                        number == 1 ? "1 day" : number + " days",
                        number.toString().equals(days)))
                .toList();
    }
}
