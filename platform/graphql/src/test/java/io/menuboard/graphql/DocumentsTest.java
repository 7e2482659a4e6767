package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.Documents.Prepared;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DocumentsTest {
    private static final int CACHE_BYTES = 200_000;
    private static final int MAX_CHARS = 2_000;

    private final SampleServer server = SampleServer.start(Map.of(
            "menuboard.graphql.document-cache-bytes", CACHE_BYTES,
            "menuboard.graphql.max-document-chars", MAX_CHARS,
            "menuboard.graphql.max-tokens", 50));
    private final Documents documents = server.bean(Documents.class);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void areParsedAndValidatedOnce() {
        server.execute("{ a: __typename }");
        var prepared = documents.prepare("{ a: __typename }");
        var missed = documents.cache().stats().missCount();

        var answer = server.execute("{ a: __typename }");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(documents.prepare("{ a: __typename }")).isSameAs(prepared);
        assertThat(documents.cache().stats().missCount()).isEqualTo(missed).isEqualTo(1);
    }

    @Test
    void areNotKeptUnlessTheyAreValid() {
        assertThat(documents.prepare("{").errors()).isNotEmpty();
        assertThat(documents.prepare("{ unknown }").errors()).isNotEmpty();

        assertThat(documents.cache().estimatedSize()).isZero();
    }

    @Test
    void takeNoMoreRoomThanAllowedHoweverManyThereAre() {
        var heaviest = 0L;
        for (var i = 0; i < 5_000; i++) {
            documents.prepare("{ field%d: __typename }".formatted(i));
            heaviest = Math.max(heaviest, kept());
        }

        assertThat(heaviest).isBetween(CACHE_BYTES * 9L / 10, (long) CACHE_BYTES);
        assertThat(documents.cache().policy().eviction().orElseThrow().weightedSize())
                .hasValue(kept());
    }

    @Test
    void stayInTheCacheWhileTheyAreUsedAndOthersComeAndGo() {
        var used = documents.prepare("{ used: __typename }");
        for (var i = 0; i < 5_000; i++) {
            documents.prepare("{ field%d: __typename }".formatted(i));
            documents.prepare("{ used: __typename }");
        }

        assertThat(documents.prepare("{ used: __typename }")).isSameAs(used);
    }

    @Test
    void mayHaveTheGreatestLengthAndNoMore() {
        var greatest = "{ __typename }" + " ".repeat(MAX_CHARS - "{ __typename }".length());

        assertThat(server.execute(greatest).status()).isEqualTo(200);
        assertThat(server.execute(greatest + " ").code()).isEqualTo("DOCUMENT_TOO_LARGE");
    }

    @Test
    void mayHaveTheGreatestNumberOfTokensAndNoMore() {
        // Both braces and the end count too.
        var greatest = "{" + " __typename".repeat(47) + " }";

        assertThat(server.execute(greatest).status()).isEqualTo(200);
        assertThat(server.execute(greatest.replace("}", "__typename }")).code()).isEqualTo("GRAPHQL_PARSE_FAILED");
    }

    private long kept() {
        return documents.cache().asMap().keySet().stream()
                .mapToLong(Documents::weight)
                .sum();
    }

    @Test
    void keepTheOperationsOfADocumentByName() {
        Prepared document = documents.prepare("query A { a: __typename } query B { b: __typename }");

        assertThat(document.operations()).containsOnlyKeys("A", "B");
    }
}
