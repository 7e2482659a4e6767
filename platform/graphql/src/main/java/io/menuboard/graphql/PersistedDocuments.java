package io.menuboard.graphql;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Documents that clients name instead of sending them. Registered ones have an id ({@code documentId}: the one they were
 * given, or {@code sha256:} and their hash, as the appendix on persisted documents of GraphQL over HTTP has it). Others this
 * instance remembers by their hash once a client has sent both (Apollo's automatic persisted queries); it forgets them when
 * there are too many and when it stops, and other instances do not know them: clients send them again. Thread-safe.
 */
final class PersistedDocuments {
    private static final String SHA_256 = "sha256:";

    /** Heap of an entry beside its document, rather too much than too little. */
    private static final int BYTES_PER_ENTRY = 512;

    private final Documents documents;
    private final RegisteredDocuments registered;
    private final boolean registeredOnly;
    private final Cache<String, String> remembered;

    PersistedDocuments(Documents documents, RegisteredDocuments registered, DocumentsConfig config) {
        this.documents = documents;
        this.registered = registered;
        this.registeredOnly = config.registeredOnly();
        this.remembered = Caffeine.newBuilder()
                .maximumWeight(config.rememberedBytes())
                .weigher((String hash, String source) -> BYTES_PER_ENTRY + 2 * source.length())
                // Evict in the thread that adds, so that the bound holds at every moment.
                .executor(Runnable::run)
                .build();
        registered.byId().forEach(this::requireValid);
    }

    /** A document that is not known, or not served; nothing was executed. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String code;

        private Refused(String code, String message) {
            super(message, null, false, false);
            this.code = code;
        }

        GraphQlError error() {
            return GraphQlError.of(code, String.valueOf(getMessage()));
        }
    }

    /** Source text of the document that a request sends or names; throws {@link Refused}. Parses where it is new. */
    String source(GraphQlRequest request) {
        var id = request.documentId();
        if (id != null) {
            return withId(id);
        }
        var hash = request.sha256Hash();
        var sent = request.document();
        if (sent == null) {
            var known = hash == null ? null : withHash(hash);
            if (known == null) {
                // Apollo's clients look for this message.
                throw new Refused("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound");
            }
            return known;
        }
        if (hash != null && !hash.equals(sha256(sent))) {
            throw new Refused(
                    "PERSISTED_QUERY_ID_INVALID",
                    "extensions.persistedQuery.sha256Hash is not the SHA-256 of query in UTF-8");
        }
        if (registeredOnly && registered.withHash(sha256(sent)) == null) {
            throw new Refused("DOCUMENT_NOT_REGISTERED", "query: only registered documents are executed here");
        }
        if (hash != null && !registeredOnly && documents.prepare(sent).errors().isEmpty()) {
            remembered.put(hash, sent);
        }
        return sent;
    }

    private String withId(String id) {
        var known = registered.byId().get(id);
        if (known == null && id.startsWith(SHA_256)) {
            known = withHash(id.substring(SHA_256.length()).toLowerCase(Locale.ROOT));
        }
        if (known == null) {
            throw new Refused("PERSISTED_DOCUMENT_NOT_FOUND", "documentId: there is no such document");
        }
        return known;
    }

    private @Nullable String withHash(String hash) {
        var known = registered.withHash(hash);
        return known == null ? remembered.getIfPresent(hash) : known;
    }

    private void requireValid(String id, String source) {
        var errors = documents.prepare(source).errors();
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("menuboard.graphql.documents.path: the document " + id
                    + " is not valid: " + errors.getFirst().getMessage());
        }
    }

    /** In lower-case hexadecimal digits; throws {@link Refused} for what has no UTF-8, which others would share the hash of. */
    static String sha256(String source) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(UTF_8.newEncoder().encode(CharBuffer.wrap(source)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (CharacterCodingException _) {
            throw new Refused(
                    "BAD_REQUEST", "query: must be Unicode text, in which no half of a surrogate pair is alone");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
