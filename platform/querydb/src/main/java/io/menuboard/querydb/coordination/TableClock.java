package io.menuboard.querydb.coordination;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * A clock that all instances agree on, however wrong their own ones are: the own clock, corrected by what the table's
 * servers say the time is. Every answer of DynamoDB has a {@code Date} (RFC 9110, section 6.6.1), in whole seconds; so
 * each one puts bounds on how far the own clock is off, the bounds of all of them together are soon narrower than the
 * time that a request takes, and the clock goes by the least correction within them. Without any answer yet, or where
 * none contradicts the own clock, that is no correction at all. An answer
 * that contradicts them is believed when the next one agrees with it.
 *
 * <p>Give it to the client with {@code QueryDb.clientOverrides().addExecutionInterceptor(…)}. Reads one answer a
 * second, and each one while the own clock has not gone on as time does since the last that it read: somebody has set it. Thread-safe.
 */
public final class TableClock extends Clock implements ExecutionInterceptor {
    private static final ExecutionAttribute<Look> SENT = new ExecutionAttribute<>("menuboard.sent");
    private static final Duration RESOLUTION = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** What the own clock may be off from how time goes on before it counts as set. */
    private static final Duration DRIFT = Duration.ofSeconds(1);

    private final Clock own;
    private Duration least = Duration.ofSeconds(Long.MIN_VALUE / 4);
    private Duration most = Duration.ofSeconds(Long.MAX_VALUE / 4);
    /** Set when the last answer contradicted the bounds; it had these. */
    private boolean isDoubted;

    private Duration doubtedLeast = Duration.ZERO;
    private Duration doubtedMost = Duration.ZERO;
    private volatile Duration correction = Duration.ZERO;
    /** The last one that told something; null before the first. */
    private volatile @Nullable Look last;

    /** When a request was sent whose answer is read: by the own clock, and by one that nobody can set. */
    private record Look(Instant own, long nanos) {

        boolean isOverAt(Look now) {
            var passed = Duration.ofNanos(now.nanos - nanos);
            var drift = Duration.between(own, now.own).minus(passed).abs();
            return passed.compareTo(BETWEEN_LOOKS) >= 0 || drift.compareTo(DRIFT) > 0;
        }
    }

    /** @param own the clock of this machine */
    public TableClock(Clock own) {
        this.own = own;
    }

    /** The time of the own clock, corrected. */
    @Override
    public Instant instant() {
        return own.instant().plus(correction);
    }

    /** Time by which this machine's clock is behind the table's, as far as is known; negative where it is ahead. */
    public Duration correction() {
        return correction;
    }

    @Override
    public ZoneId getZone() {
        return own.getZone();
    }

    /** The same instants: zones are for calendars. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        var now = new Look(own.instant(), System.nanoTime());
        var last = this.last;
        if (last == null || last.isOverAt(now)) {
            attributes.putAttribute(SENT, now);
        }
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        var sent = attributes.getAttribute(SENT);
        if (sent != null) {
            var received = own.instant();
            context.httpResponse().firstMatchingHeader("Date").ifPresent(date -> {
                if (heard(sent.own, received, date)) {
                    last = sent;
                }
            });
        }
    }

    /** False where the next answer has to be heard as well. */
    boolean heard(Instant sent, Instant received, String date) {
        Instant second;
        try {
            second = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
        } catch (DateTimeException _) {
            // Whatever answered is not DynamoDB; its opinion on the time is not needed.
            return false;
        }
        return narrow(Duration.between(received, second), Duration.between(sent, second.plus(RESOLUTION)));
    }

    /** False where the next answer has to tell what to think of this one. */
    private synchronized boolean narrow(Duration low, Duration high) {
        var least = greater(this.least, low);
        var most = lesser(this.most, high);
        if (least.compareTo(most) > 0) {
            if (!isDoubted) {
                // Whatever answered may have been no server of the table's, or one with a wrong clock.
                doubt(low, high);
                return false;
            }
            least = greater(doubtedLeast, low);
            most = lesser(doubtedMost, high);
            if (least.compareTo(most) > 0) {
                doubt(low, high);
                return false;
            }
            // Two answers say the same. One of the clocks was set, or they drift apart: what was known is no longer
            // true.
        }
        isDoubted = false;
        this.least = least;
        this.most = most;
        if (least.isPositive()) {
            correction = least;
        } else {
            correction = most.isNegative() ? most : Duration.ZERO;
        }
        return true;
    }

    private void doubt(Duration low, Duration high) {
        isDoubted = true;
        doubtedLeast = low;
        doubtedMost = high;
    }

    private static Duration greater(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Duration lesser(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
