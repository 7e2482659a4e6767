package io.menuboard.graphql;

import java.util.List;

/** One context's part of the GraphQL schema; a bean of each is all that it takes to be served. */
public interface GraphQlModule {

    /** Adds this part; called once, at start. */
    void contribute(SchemaParts parts);

    /**
     * Documents that Menuboard's own clients send, word for word: executed also where no others are than those that operators have
     * registered. Asked for once, at start.
     */
    default List<String> documents() {
        return List.of();
    }
}
