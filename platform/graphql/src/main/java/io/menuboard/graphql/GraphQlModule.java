package io.menuboard.graphql;

/** One context's part of the GraphQL schema; a bean of each is all that it takes to be served. */
public interface GraphQlModule {

    /** Adds this part; called once, at start. */
    void contribute(SchemaParts parts);
}
