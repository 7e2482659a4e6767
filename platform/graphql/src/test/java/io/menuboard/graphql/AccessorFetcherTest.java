package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import graphql.Scalars;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLFieldDefinition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessorFetcherTest {
    private static final GraphQLFieldDefinition FIELD = GraphQLFieldDefinition.newFieldDefinition()
            .name("unused")
            .type(Scalars.GraphQLString)
            .build();

    record Edge(String node, int position) {
        public String cursor() {
            return "after " + node;
        }

        public @Nullable String missing() {
            return null;
        }

        public String failing() {
            throw new IllegalArgumentException("no");
        }
    }

    record OtherEdge(Integer node) {}

    static final class Page {
        public boolean hasNextPage() {
            return true;
        }
    }

    @Test
    void readsComponentsOfRecordsAndOtherMethods() {
        var edge = new Edge("a", 7);

        assertThat(fetch("node", edge)).isEqualTo("a");
        assertThat(fetch("position", edge)).isEqualTo(7);
        assertThat(fetch("cursor", edge)).isEqualTo("after a");
        assertThat(fetch("missing", edge)).isNull();
    }

    @Test
    void readsEachClassByItsOwnMethod() {
        var fetcher = new AccessorFetcher("node");

        assertThat(fetcher.get(FIELD, new Edge("a", 1), AccessorFetcherTest::none))
                .isEqualTo("a");
        assertThat(fetcher.get(FIELD, new OtherEdge(2), AccessorFetcherTest::none))
                .isEqualTo(2);
        assertThat(fetcher.get(FIELD, new Edge("b", 1), AccessorFetcherTest::none))
                .isEqualTo("b");
        assertThat(fetch("hasNextPage", new Page())).isEqualTo(true);
    }

    @Test
    void throwsWhatTheAccessorThrows() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fetch("failing", new Edge("a", 1)))
                .withMessage("no");
    }

    @Test
    void failsWhereThereIsNothingToRead() {
        assertThatIllegalStateException()
                .isThrownBy(() -> fetch("nodes", new Edge("a", 1)))
                .withMessageContaining("field nodes cannot be read from io.menuboard.graphql.AccessorFetcherTest$Edge");
        assertThatIllegalStateException().isThrownBy(() -> fetch("node", null));
    }

    private static @Nullable Object fetch(String name, @Nullable Object source) {
        return new AccessorFetcher(name).get(FIELD, source, AccessorFetcherTest::none);
    }

    private static DataFetchingEnvironment none() {
        throw new AssertionError("the environment is not needed");
    }
}
