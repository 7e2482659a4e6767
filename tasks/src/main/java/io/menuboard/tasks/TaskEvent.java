package io.menuboard.tasks;

import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Texts;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a task. Events are only ever added.
 *
 * @param number counts from 1 without gaps
 * @param at by the clock of the table, to the millisecond
 * @param status of the task from then on
 * @param attempt the attempt it belongs to, or the last one before it; 0 before the first
 * @param worker whom it concerns, or null
 * @param reason given by who did it, or null
 */
public record TaskEvent(
        int number,
        Instant at,
        Kind kind,
        TaskStatus status,
        Actor actor,
        int attempt,
        @Nullable WorkerId worker,
        @Nullable String reason) {

    /** Longest reason, in characters. */
    public static final int MAX_REASON = 500;

    /** Throws {@link InvalidInput} {@code INVALID_REASON} for a reason that is blank, too long, or else refused by {@link Texts}. */
    public static void checkReason(@Nullable String reason) {
        if (reason != null) {
            Texts.check("INVALID_REASON", "reason", reason, MAX_REASON);
        }
    }

    /** Kind of step in the life of a task. */
    public enum Kind {
        /** It began to exist. */
        SUBMITTED,
        /** Its time came. */
        DUE,
        /** A worker took it. */
        CLAIMED,
        /** Its worker did it. */
        COMPLETED,
        /** Its worker could not do it. */
        FAILED,
        /** Its worker gave it back undone, which is no failure. */
        RELEASED,
        /** Its worker was not heard of until the lease ended, which counts as a failure. */
        LEASE_EXPIRED,
        /** Somebody wants it no more. */
        CANCELLED,
        /** Somebody wants it tried again. */
        RETRIED,
        /** Somebody gave it to another worker. */
        REASSIGNED,
        /** Something that only another version of the application knows. */
        UNKNOWN
    }

    private static final char SEPARATOR = '\t';
    private static final int FIELDS = 10;
    private static final char OF_TOKEN = '.';

    /**
     * Identifies one write of an event, so that its writer can find out whether it arrived.
     *
     * @param token of the attempt that is under way or was last
     */
    static String newWriteId(int token, RandomGenerator random) {
        var bytes = new byte[9];
        random.nextBytes(bytes);
        return Integer.toString(token, Character.MAX_RADIX)
                + OF_TOKEN
                + Base64.getUrlEncoder().encodeToString(bytes);
    }

    /**
     * As one string, which takes a third of the bytes of an attribute each: instant, kind, status, attempt, the actor's
     * kind, source and name, worker, write id, reason.
     */
    String write(String writeId) {
        return String.join(
                String.valueOf(SEPARATOR),
                Long.toString(at.toEpochMilli(), Character.MAX_RADIX),
                kind.name(),
                status.name(),
                Integer.toString(attempt),
                actor.kind().name(),
                actor.source().name(),
                actor.storedName().replace(SEPARATOR, ' '),
                worker == null ? "" : worker.value(),
                writeId,
                reason == null ? "" : reason);
    }

    /** Empty where the task was in a state that only another version of the application knows. */
    static Optional<TaskEvent> find(int number, String text) {
        try {
            return Optional.of(read(number, text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Instant at(String text) {
        return Instant.ofEpochMilli(Long.parseLong(text.substring(0, text.indexOf(SEPARATOR)), Character.MAX_RADIX));
    }

    private static TaskEvent read(int number, String text) {
        var fields = text.split(String.valueOf(SEPARATOR), FIELDS);
        return new TaskEvent(
                number,
                Instant.ofEpochMilli(Long.parseLong(fields[0], Character.MAX_RADIX)),
                EnumSet.allOf(Kind.class).stream()
                        .filter(kind -> kind.name().equals(fields[1]))
                        .findFirst()
                        .orElse(Kind.UNKNOWN),
                TaskStatus.valueOf(fields[2]),
                Actor.read(fields[4], fields[6], fields[5]),
                Integer.parseInt(fields[3]),
                fields[7].isEmpty() ? null : new WorkerId(fields[7]),
                fields[9].isEmpty() ? null : fields[9]);
    }

    /** True if this is what happened in the attempt with that token. */
    static boolean tells(String text, Kind kind, int token) {
        var fields = text.split(String.valueOf(SEPARATOR), FIELDS);
        var end = fields[8].indexOf(OF_TOKEN);
        // Write ids of earlier versions have no token, because theirs was the attempt's number.
        var of = end < 0
                ? Integer.parseInt(fields[3])
                : Integer.parseInt(fields[8].substring(0, end), Character.MAX_RADIX);
        return of == token && fields[1].equals(kind.name());
    }

    static boolean hasWriteId(String text, String writeId) {
        return text.contains(SEPARATOR + writeId + SEPARATOR);
    }
}
