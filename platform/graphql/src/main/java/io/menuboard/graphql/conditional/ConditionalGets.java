package io.menuboard.graphql.conditional;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Scope;
import io.menuboard.graphql.conditional.Dependency.State;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entity tags of answers to GET (RFC 9110, section 8.8.3), made of the request, of the settings that an answer depends on, and of the
 * states of what else it does, which together decide every byte of it before it is compressed: the same in every instance. Whoever has an answer already is told so
 * without another execution. Thread-safe.
 */
public final class ConditionalGets {
    /** Answers to one request have been different since: then this must be, too. */
    private static final String FORMAT = "2";

    private static final int TAG_BYTES = 16;
    private static final int BYTES_PER_CHAR = 2;
    private static final int BYTES_PER_REQUEST = 640;
    private static final int BYTES_PER_DEPENDENCY = 256;
    private static final int BYTES_PER_GRANT = 64;
    private static final int BYTES_PER_ID = 128;

    private final String settings;
    private final Duration maxAge;
    private final boolean isPublic;
    private final InstantSource clock;
    private final Cache<Asked, Answered> answered;

    /**
     * @param settings whatever else decides on answers, such as the key of the cursors in them
     * @param maxAge for how long an answer may be given out again without asking
     * @param isPublic whether shared caches may, to everybody with the same credentials
     * @param cacheBytes of heap, estimated, for what answers to requests depend on
     * @param clock by which states end
     */
    public ConditionalGets(String settings, Duration maxAge, boolean isPublic, long cacheBytes, InstantSource clock) {
        this.settings = settings;
        this.maxAge = maxAge;
        this.isPublic = isPublic;
        this.clock = clock;
        this.answered = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .<Asked, Answered>weigher((asked, known) -> asked.bytes() + known.bytes())
                .build();
    }

    /**
     * A request.
     *
     * @param query of its URL, as it was sent; null for none
     * @param type of the answer
     * @param tags value of {@code If-None-Match}; null for none
     */
    public record Get(
            @Nullable String query,
            String type,
            Access access,
            @Nullable String tags) {
        private Asked asked() {
            return new Asked(
                    Objects.requireNonNullElse(query, ""),
                    type,
                    access.principal().grants());
        }
    }

    /** Everything of a request that decides on its answer, and on who may have it. */
    private record Asked(String query, String type, Set<Grant> grants) {
        private int bytes() {
            return BYTES_PER_REQUEST
                    + BYTES_PER_CHAR * query.length()
                    + grants.stream().mapToInt(Asked::bytes).sum();
        }

        private static int bytes(Grant grant) {
            return BYTES_PER_GRANT
                    + switch (grant.scope()) {
                        case Scope.All _ -> 0;
                        case Scope.Only _ -> BYTES_PER_ID;
                        case Scope.Stores stores -> BYTES_PER_ID * stores.ids().size();
                    };
        }
    }

    /**
     * What was learnt of a request when it was executed.
     *
     * @param document SHA-256 of the document, which may be much longer than the request that names it
     */
    private record Answered(String document, List<Dependency> dependencies) {
        private int bytes() {
            return BYTES_PER_DEPENDENCY * dependencies.size();
        }
    }

    /** The client has the answer already. */
    public static final class NotModified extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Validators validators;

        NotModified(Validators validators) {
            super("the client has the answer", null, false, false);
            this.validators = validators;
        }

        public Validators validators() {
            return validators;
        }
    }

    /**
     * What an answer can be kept and asked for again by.
     *
     * @param tag value of {@code ETag}
     * @param cacheControl value of {@code Cache-Control}
     */
    public record Validators(String tag, String cacheControl) {
        /** Whether the client has the answer already. */
        public boolean areNamedBy(Get get) {
            return isAmong(get.tags(), tag);
        }
    }

    /** Throws {@link NotModified} where the request names the tag that its answer would have. May read the table. */
    public void check(Get get) {
        check(get, dependency -> dependency.state(get.access()));
    }

    /** The same as far as that is known without asking anybody. Never blocks. */
    public void checkRemembered(Get get) {
        check(get, dependency -> dependency.remembered(get.access()));
    }

    private void check(Get get, Function<Dependency, Optional<State>> stateOf) {
        var asked = get.tags() == null ? null : get.asked();
        var known = asked == null ? null : answered.getIfPresent(asked);
        if (asked == null || known == null) {
            return;
        }
        Dependencies.states(known.dependencies(), stateOf)
                .map(states -> validators(asked, known.document(), states))
                .filter(validators -> validators.areNamedBy(get))
                .ifPresent(validators -> {
                    throw new NotModified(validators);
                });
    }

    /**
     * Validators of an answer, which is remembered to depend on that; null where it has none, because it depends on
     * other things, too.
     *
     * @param document that was executed
     */
    public @Nullable Validators answered(Get get, String document, Dependencies found) {
        var all = found.all();
        if (all.isEmpty()) {
            return null;
        }
        var asked = get.asked();
        var hash = HexFormat.of().formatHex(sha256().digest(document.getBytes(UTF_8)));
        answered.put(
                asked,
                new Answered(
                        hash, all.stream().map(Dependencies.Known::dependency).toList()));
        return validators(
                asked, hash, all.stream().map(Dependencies.Known::state).toList());
    }

    /** Weak comparison, as RFC 9110 has it for If-None-Match. */
    private static boolean isAmong(@Nullable String tags, String tag) {
        return tags != null
                && Arrays.stream(tags.split(",", -1))
                        .map(String::strip)
                        .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
    }

    private Validators validators(Asked asked, String document, List<State> states) {
        var digest = sha256();
        update(digest, FORMAT, settings, asked.type(), asked.query(), document);
        states.forEach(state -> update(digest, state.text()));
        var tag = Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest.digest(), TAG_BYTES));
        return new Validators('"' + tag + '"', cacheControl(states));
    }

    private String cacheControl(List<State> states) {
        var now = clock.instant();
        var seconds = states.stream()
                .map(State::ends)
                .flatMap(Stream::ofNullable)
                .map(ends -> Duration.between(now, ends))
                .filter(lasts -> lasts.compareTo(maxAge) < 0)
                .min(Comparator.naturalOrder())
                .orElse(maxAge)
                .toSeconds();
        return (isPublic ? "public" : "private") + ", max-age=" + Math.max(0, seconds) + ", must-revalidate";
    }

    private static void update(MessageDigest digest, String... texts) {
        for (var text : texts) {
            var bytes = text.getBytes(UTF_8);
            digest.update((bytes.length + ":").getBytes(UTF_8));
            digest.update(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
