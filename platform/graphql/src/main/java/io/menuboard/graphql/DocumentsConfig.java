package io.menuboard.graphql;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.convert.format.ReadableBytes;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Settings of documents that clients name instead of sending them, under {@code menuboard.graphql.documents.*}.
 *
 * @param path of the registered documents: a folder of {@code .graphql} files, or a JSON file with one object that has
 *     documents by id; by default there are none
 * @param registeredOnly whether all other documents are refused, {@code DOCUMENT_NOT_REGISTERED}; default no
 * @param rememberedBytes bound of the heap for automatic persisted queries, default 4 MB; 0 for none
 */
@ConfigurationProperties("menuboard.graphql.documents")
record DocumentsConfig(
        @Nullable Path path,
        @Bindable(defaultValue = "false") boolean registeredOnly,
        @Bindable(defaultValue = "4MB") @ReadableBytes long rememberedBytes) {

    DocumentsConfig {
        if (registeredOnly && path == null) {
            throw new IllegalArgumentException(
                    "menuboard.graphql.documents.registered-only needs menuboard.graphql.documents.path");
        }
        if (rememberedBytes < 0) {
            throw new IllegalArgumentException("menuboard.graphql.documents.remembered-bytes must not be below 0");
        }
    }
}
