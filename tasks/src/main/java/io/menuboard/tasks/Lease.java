package io.menuboard.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A worker's right to a task until an instant, which it may extend.
 *
 * @param token a worker that acts for this lease shows it. Only the claim or extension of the lease returns it; {@link Token#NONE} for
 *     any other reader of the task
 * @param endsAt by the clock of the table, see {@link io.menuboard.querydb.coordination.TableClock}
 */
public record Lease(WorkerId worker, Token token, Instant endsAt) {

    /** Greater for each later lease on the same task, by an unpredictable step; 0 where the token is not shown. */
    public int fencingToken() {
        return token.fencingToken();
    }

    /** The token as clients send it; null where it is not shown, and of a lease that an earlier version gave. */
    public @Nullable String leaseToken() {
        return token.secret() == null ? null : token.text();
    }

    /**
     * What a worker shows that acts for a lease.
     *
     * @param fencingToken greater for each later lease on the same task: another one is of a lease that has ended
     * @param secret 128 random bits, which nobody but the worker that claimed is told; null for a lease that an earlier version gave
     */
    public record Token(int fencingToken, @Nullable String secret) {
        /** No lease has it. */
        public static final Token NONE = new Token(0, null);

        private static final Pattern TEXT = Pattern.compile("([0-9]{1,9}|1[0-9]{9})\\.([A-Za-z0-9_-]{22})");

        /** The token of a lease that an earlier version gave. */
        public static Token ofEarlierVersion(int fencingToken) {
            return new Token(fencingToken, null);
        }

        /** The token of a text that {@link #text} made; {@link #NONE} for any other, so that it is refused as a wrong one is. */
        public static Token parse(String text) {
            var parts = TEXT.matcher(text);
            return parts.matches() ? new Token(Integer.parseInt(parts.group(1)), parts.group(2)) : NONE;
        }

        /** As clients send it, and as it is stored. */
        public String text() {
            return fencingToken + "." + secret;
        }

        /** Takes as long wherever two secrets differ. */
        boolean isSameAs(Token other) {
            return fencingToken == other.fencingToken && MessageDigest.isEqual(bytes(), other.bytes());
        }

        private byte[] bytes() {
            return secret == null ? new byte[0] : secret.getBytes(UTF_8);
        }
    }

    /**
     * What a step on a lease is allowed by.
     *
     * @param token shown by who takes it
     * @param secretMayLack true if the fencing token alone will do, for workers that know no other
     * @param workers one of which must hold the lease; null for any
     */
    public record Proof(
            Token token, boolean secretMayLack, @Nullable Set<String> workers) {

        /** True if it is of the lease with that token. */
        public boolean isOf(Token held) {
            return needsNoSecret() ? token.fencingToken == held.fencingToken : token.isSameAs(held);
        }

        boolean needsNoSecret() {
            return secretMayLack && token.secret == null;
        }
    }
}
