package io.menuboard.graphql.bad;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import graphql.GraphQL;
import graphql.introspection.IntrospectionQuery;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class BadRequestsTest {
    private static final int REQUESTS = 2_000;
    private static final String SCHEMA = """
            type Query { shop(id: ID!, first: Int): Shop }
            type Mutation { open(input: OpenInput!): Shop }
            input OpenInput { name: String!, size: Int, kinds: [Kind!], waitSeconds: Int }
            enum Kind { BIG SMALL }
            type Shop { name: String, kind: Kind, next: Shop }
            """;

    @Test
    void dependOnCrawlSeedAndNumberAlone() throws IOException {
        assertThat(texts(7, crawl())).isEqualTo(texts(7, crawl())).isNotEqualTo(texts(8, crawl()));
    }

    @Test
    void areOfEveryKind() throws IOException {
        var texts = texts(7, crawl());

        for (var kind : List.of(
                "POST /graphql ",
                "GET /graphql?query=",
                "GET /shops",
                "POST /shops/new ",
                "POST /files ",
                "HEAD ",
                "Content-Encoding: gzip",
                "multipart/form-data; boundary=form",
                "application/x-www-form-urlencoded",
                "mutation M",
                "\"variables\":{\"v0\"",
                "...F0",
                "[[[[",
                "\\ud800",
                "%00")) {
            assertThat(texts).as(kind).anyMatch(text -> text.contains(kind));
        }
        assertThat(texts).noneMatch(text -> text.contains("waitSeconds:") || text.contains("\"waitSeconds\""));
    }

    private static List<String> texts(long seed, String crawl) {
        var requests = new BadRequests(crawl, Set.of("waitSeconds"));
        return LongStream.range(0, REQUESTS)
                .mapToObj(number -> requests.request(seed, number).text())
                .toList();
    }

    private static String crawl() throws IOException {
        var schema = new SchemaGenerator()
                .makeExecutableSchema(new SchemaParser().parse(SCHEMA), RuntimeWiring.MOCKED_WIRING);
        var found = GraphQL.newGraphQL(schema).build().execute(IntrospectionQuery.INTROSPECTION_QUERY);
        var forms = List.of(
                new Site.Form("/shops/new", false, List.of("name", "size")),
                new Site.Form("/files", true, List.of("file")));
        var site = new Site(List.of("/shops", "/shops/A?first=3"), forms, List.of("A", "B"));
        return new ObjectMapper().writeValueAsString(Map.of("schema", found.<Object>getData(), "site", site));
    }
}
