package io.menuboard.graphql;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Documents that were registered before the start, by the ids that their operators gave them, and those of Menuboard's own clients,
 * which have none. Immutable.
 */
final class RegisteredDocuments {
    static final RegisteredDocuments NONE = new RegisteredDocuments(Map.of(), List.of());

    private static final String EXTENSION = ".graphql";

    private final Map<String, String> byId;
    private final Map<String, String> byHash;

    private RegisteredDocuments(Map<String, String> byId, List<String> own) {
        this.byId = Map.copyOf(byId);
        this.byHash = Stream.concat(byId.values().stream(), own.stream())
                .collect(Collectors.toUnmodifiableMap(PersistedDocuments::sha256, source -> source, (one, _) -> one));
    }

    /**
     * Reads them all.
     *
     * @param path a folder, whose files {@code ID.graphql} have a document each, or a JSON file: {@code {"ID": "document"}}
     */
    static RegisteredDocuments read(Path path) {
        try {
            return new RegisteredDocuments(Files.isDirectory(path) ? folder(path) : file(path), List.of());
        } catch (IOException e) {
            throw new UncheckedIOException("menuboard.graphql.documents.path: " + path, e);
        }
    }

    private static Map<String, String> file(Path path) throws IOException {
        return new ObjectMapper().readValue(path.toFile(), new TypeReference<>() {});
    }

    private static Map<String, String> folder(Path path) throws IOException {
        var documents = new TreeMap<String, String>();
        try (var files = Files.newDirectoryStream(path, "*" + EXTENSION)) {
            for (var file : files) {
                var name = String.valueOf(file.getFileName());
                documents.put(name.substring(0, name.length() - EXTENSION.length()), Files.readString(file));
            }
        }
        return documents;
    }

    /** These, and documents of Menuboard's own clients. */
    RegisteredDocuments and(List<String> own) {
        return new RegisteredDocuments(byId, own);
    }

    Map<String, String> byId() {
        return byId;
    }

    /** Null where there is none with this SHA-256, in lower-case hexadecimal digits. */
    @Nullable
    String withHash(String sha256) {
        return byHash.get(sha256);
    }
}
