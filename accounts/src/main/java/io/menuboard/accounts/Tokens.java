package io.menuboard.accounts;

import static java.util.stream.Collectors.joining;

import com.github.benmanes.caffeine.cache.Ticker;
import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.querydb.requests.Workload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens of clients. Administration needs {@link Permission#ACCOUNTS_MANAGE}, without which methods throw {@link Denied}. A
 * token goes on when the account that made it is disabled. Thread-safe.
 */
public final class Tokens {
    private static final Logger log = LoggerFactory.getLogger(Tokens.class);
    private static final String PREFIX = "mb_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "([0-9A-Z]{26})_([0-9a-f]{64})");
    private static final int ID_ENDS = PREFIX.length() + 26;
    private static final int LENGTH = ID_ENDS + 1 + 64;
    private static final int SECRET_BYTES = 32;
    private static final Duration KEYS_REMEMBERED = Duration.ofDays(1);
    private static final String KEY = "idempotencyKey";
    private static final int NOTED_AT_ONCE = 64;

    private final DynamoTokens store;
    private final IdempotencyKeys keys;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final RecentReads<String, DynamoTokens.Stored> valid;
    private final Executor background;

    /** Those of which the use is being written. */
    private final Set<String> noting = ConcurrentHashMap.newKeySet();

    /** @param background does what no request is to wait for */
    Tokens(DynamoTokens store, IdempotencyKeys keys, Clock clock, Ticker ticker, Executor background) {
        this.store = store;
        this.keys = keys;
        this.clock = clock;
        this.background = background;
        valid = new RecentReads<>(ticker);
    }

    /** By server time, which decides whether a token is over. */
    public Instant now() {
        return clock.instant();
    }

    /**
     * Makes a token, and shows its secret this once.
     *
     * @param name for people
     * @param expiresAt exclusive
     * @throws InvalidInput {@code INVALID_EXPIRY} on {@code expiresAt} if that has passed; for a name as {@link Ids#check}
     */
    public NewToken create(Access access, String name, Set<Grant> grants, Instant expiresAt) {
        check(access, name, grants, expiresAt);
        return make(access, Ulid.random(clock.instant(), random), name, grants, expiresAt)
                .orElseThrow();
    }

    /**
     * As {@link #create}, once for each idempotency key within a day. A write unit and a read unit or two more.
     *
     * @return empty where the token was made before: its secret is known to nobody but who was shown it then
     * @throws InvalidInput {@code INVALID_ID} on {@code idempotencyKey}, or {@code IDEMPOTENCY_KEY_REUSED} where it made another
     *     token
     */
    public Optional<NewToken> createOnce(
            Access access, String idempotencyKey, String name, Set<Grant> grants, Instant expiresAt) {
        check(access, name, grants, expiresAt);
        Ids.check(KEY, idempotencyKey);
        var now = clock.instant();
        var body = Sha256.hex(String.join("\n", name, text(grants), expiresAt.toString()));
        var owner = keys.claim(
                access.principal().id(), idempotencyKey, Ulid.random(now, random), body, now.plus(KEYS_REMEMBERED));
        if (!owner.body().equals(body)) {
            throw new InvalidInput(
                    "IDEMPOTENCY_KEY_REUSED", KEY, "must be another one: with this one, another token was made");
        }
        return make(access, owner.target(), name, grants, expiresAt);
    }

    private void check(Access access, String name, Set<Grant> grants, Instant expiresAt) {
        access.require(Permission.ACCOUNTS_MANAGE);
        Ids.check("name", name);
        Accounts.checkGrants(grants);
        if (!clock.instant().isBefore(expiresAt)) {
            throw new InvalidInput("INVALID_EXPIRY", "expiresAt", "must be in the future");
        }
    }

    private static String text(Set<Grant> grants) {
        return grants.stream().map(Grant::text).sorted().collect(joining(", "));
    }

    /** Empty where there is one with that id. */
    private Optional<NewToken> make(Access access, String id, String name, Set<Grant> grants, Instant expiresAt) {
        var secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        var text = HexFormat.of().formatHex(secret);
        var token = new Token(
                id,
                name,
                grants,
                access.actor(),
                clock.instant(),
                expiresAt.truncatedTo(ChronoUnit.MILLIS),
                null,
                null);
        var details = Map.of("name", name, "grants", text(grants), "expiresAt", expiresAt.toString());
        return store.create(token, Sha256.hex(text), new AccountEvent(access.actor(), "token created", details))
                ? Optional.of(new NewToken(token, PREFIX + token.id() + "_" + text))
                : Optional.empty();
    }

    /** The latest first; half a read unit per 4 KB. */
    public Page<Token> list(Access access, PageRequest page) {
        access.require(Permission.ACCOUNTS_MANAGE);
        return store.list(page);
    }

    /** One read unit; strongly consistent. */
    public Optional<Token> find(Access access, String id) {
        access.require(Permission.ACCOUNTS_MANAGE);
        Ulid.check("token", id);
        return store.find(id).map(DynamoTokens.Stored::token);
    }

    /** Revokes a token for good; false if there is none, or it is revoked already. */
    public boolean revoke(Access access, String id) {
        access.require(Permission.ACCOUNTS_MANAGE);
        Ulid.check("token", id);
        var revoked = store.revoke(id, clock.instant(), AccountEvent.of(access.actor(), "token revoked"));
        valid.forget(id::equals);
        return revoked;
    }

    /**
     * The client whose token that is; empty for a token that is malformed, unknown, expired or revoked. One read unit, and
     * none for two seconds from when that read began; two write units after the first request of an hour, which does
     * not wait for them.
     *
     * @param text as {@link NewToken#text}
     */
    public Optional<Principal> principal(String text) {
        return cached(text).or(() -> read(text));
    }

    /** As {@link #principal}, without a read; empty where it takes one, and for what is no token. */
    public Optional<Principal> cached(String text) {
        // Without the pattern, which costs more than all else here: what has not its form has not that hash.
        return text.length() == LENGTH && text.startsWith(PREFIX) && text.charAt(ID_ENDS) == '_'
                ? valid.find(text.substring(PREFIX.length(), ID_ENDS))
                        .filter(stored -> isValid(stored, text.substring(ID_ENDS + 1)))
                        .map(Tokens::client)
                : Optional.empty();
    }

    /** Another number whenever this instance has revoked a token: what a read that began before finds may be over. */
    public long revocations() {
        return valid.forgotten();
    }

    /** Whether it has the form of a token; what has not takes no read to refuse. */
    public static boolean isWellFormed(String text) {
        return FORM.matcher(text).matches();
    }

    private Optional<Principal> read(String text) {
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var reading = valid.begin();
        return store.find(parts.group(1))
                .filter(stored -> isValid(stored, parts.group(2)))
                .map(stored -> {
                    if (valid.keep(stored.token().id(), stored, reading)) {
                        recordUse(stored.token(), clock.instant());
                    }
                    return client(stored);
                });
    }

    private boolean isValid(DynamoTokens.Stored stored, String secret) {
        var hash = Sha256.hex(secret).getBytes(StandardCharsets.US_ASCII);
        return MessageDigest.isEqual(hash, stored.hash().getBytes(StandardCharsets.US_ASCII))
                && stored.token().isValidAt(clock.instant());
    }

    private static Principal client(DynamoTokens.Stored stored) {
        var token = stored.token();
        return new Principal(token.id(), Actor.Kind.TOKEN, token.name(), token.grants());
    }

    /** In the background: nobody who shows a good token waits for it, or is refused where it fails. */
    private void recordUse(Token token, Instant now) {
        var hour = now.truncatedTo(ChronoUnit.HOURS);
        var isNoted = token.lastUsedAt() != null && !token.lastUsedAt().isBefore(hour);
        // What is left out here is noted at a later read.
        if (isNoted || noting.size() >= NOTED_AT_ONCE || !noting.add(token.id())) {
            return;
        }
        background.execute(() -> {
            try {
                Workload.BACKGROUND.run(() -> store.used(token.id(), hour));
            } catch (QueryDbException e) {
                QueryDbException.warn(log, e, "use of a token not noted: token={}", token.id());
            } finally {
                noting.remove(token.id());
            }
        });
    }
}
