package io.menuboard.accounts.http;

import static java.util.concurrent.CompletableFuture.failedFuture;

import io.menuboard.access.Principal;
import io.menuboard.access.http.Caller;
import io.menuboard.access.http.Principals;
import io.menuboard.accounts.SessionKey;
import io.menuboard.accounts.Sessions;
import io.menuboard.accounts.Tokens;
import io.menuboard.querydb.requests.Workload;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Takes whoever sends a request for the client of its {@code Authorization: Bearer} (RFC 6750), or else for the person of its
 * session. Who was found is known for two seconds without a read. Those who ask for the same while it is read share that read. Of
 * reads there are only so many at once, so that tokens that are made up cannot keep the table from everybody else: {@code 503} past
 * that, and where one takes too long.
 */
@Singleton
@Requires(property = "menuboard.sign-in", notEquals = "false")
final class SignedInPrincipals implements Principals {
    private static final String BEARER = "Bearer ";
    private static final int READS_AT_ONCE = 128;
    private static final Duration PATIENCE = Duration.ofMillis(800);
    private static final CompletableFuture<Caller> NOBODY = CompletableFuture.completedFuture(new Caller.Nobody());

    private final Sessions sessions;
    private final Tokens tokens;
    private final Duration patience;
    private final Semaphore places = new Semaphore(READS_AT_ONCE);
    private final ConcurrentHashMap<Lookup, CompletableFuture<Caller>> reads = new ConcurrentHashMap<>();
    private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

    @Inject
    SignedInPrincipals(Sessions sessions, Tokens tokens) {
        this(sessions, tokens, PATIENCE);
    }

    /** @param patience how long whoever asks waits for a read */
    SignedInPrincipals(Sessions sessions, Tokens tokens, Duration patience) {
        this.sessions = sessions;
        this.tokens = tokens;
        this.patience = patience;
    }

    /**
     * What a read is for.
     *
     * @param shown text of a token, or key of a session
     * @param ended a number that changes when some are ended here: who comes after that has nothing of a read from before
     */
    private record Lookup(Object shown, long ended) {}

    @Override
    public CompletableFuture<Caller> of(HttpRequest<?> request) {
        var authorization = request.getHeaders().get(HttpHeaders.AUTHORIZATION);
        if (authorization != null) {
            return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
                    ? client(withoutSpaces(authorization.substring(BEARER.length())))
                    : NOBODY;
        }
        return SessionCookie.of(request).map(this::person).orElse(NOBODY);
    }

    /** Without those around it, of which there may be any number, and nothing else. */
    private static String withoutSpaces(String text) {
        var from = 0;
        var to = text.length();
        while (from < to && text.charAt(from) == ' ') {
            from++;
        }
        while (from < to && text.charAt(to - 1) == ' ') {
            to--;
        }
        return text.substring(from, to);
    }

    private CompletableFuture<Caller> client(String token) {
        return tokens.cached(token)
                .map(known -> CompletableFuture.<Caller>completedFuture(new Caller.Known(known)))
                .orElseGet(() -> Tokens.isWellFormed(token)
                        ? read(new Lookup(token, tokens.revocations()), () -> known(tokens.principal(token)))
                        : NOBODY);
    }

    private static Caller known(Optional<Principal> found) {
        return found.<Caller>map(Caller.Known::new).orElseGet(Caller.Nobody::new);
    }

    private CompletableFuture<Caller> person(SessionKey session) {
        return sessions.cached(session)
                .map(current -> CompletableFuture.completedFuture(caller(current)))
                .orElseGet(() -> read(new Lookup(session, sessions.endings()), () -> sessions.current(session)
                        .map(SignedInPrincipals::caller)
                        .orElseGet(Caller.Nobody::new)));
    }

    private static Caller caller(Sessions.Current current) {
        return current.mustChangePassword()
                ? new Caller.MustChangePassword(current.principal())
                : new Caller.Known(current.principal());
    }

    private CompletableFuture<Caller> read(Lookup lookup, Supplier<Caller> find) {
        var found = new CompletableFuture<Caller>();
        var begun = reads.putIfAbsent(lookup, found);
        if (begun != null) {
            // Each on a thread of its own, as if it had read by itself.
            return soon(begun.thenApplyAsync(Function.identity(), threads));
        }
        if (!places.tryAcquire()) {
            reads.remove(lookup, found);
            found.completeExceptionally(unavailable());
            return found;
        }
        var read = found.completeAsync(
                () -> {
                    try {
                        return Workload.interactive(patience).call(find);
                    } finally {
                        reads.remove(lookup, found);
                        places.release();
                    }
                },
                threads);
        // Nobody joins a read any more that has taken so long: what it finds would be too old.
        return soon(read.copy()).whenComplete((_, _) -> reads.remove(lookup, found));
    }

    /** A table that is silent has a read as long as it takes; who asks does not wait for that. */
    private CompletableFuture<Caller> soon(CompletableFuture<Caller> found) {
        return found.orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionallyComposeAsync(
                        fault -> failedFuture(fault instanceof TimeoutException ? unavailable() : fault), threads);
    }

    private static HttpStatusException unavailable() {
        return new HttpStatusException(
                HttpStatus.SERVICE_UNAVAILABLE,
                "more requests than can be served, or no answer of the table: try again");
    }
}
