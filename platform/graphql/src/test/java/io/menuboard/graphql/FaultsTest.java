package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.schema.DataFetcher;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

@Isolated("the log is that of the whole process")
final class FaultsTest {
    private static final String CAUSE = "write of STORE#DE-0001 timed out; it may have been applied";
    private static final String SCHEMA = """
            type Query { read: String }
            type Mutation { change: Changed, next: String }
            type Changed { read: String }
            """;

    private final AtomicLong clock = new AtomicLong();
    private final RequestTime time = new RequestTime(Duration.ofSeconds(10), SampleDataAccess.UNLIMITED, clock::get);
    private final DataFetcher<Object> timesOut = _ -> {
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        throw new SampleDataAccess.Fault(CAUSE, "UNAVAILABLE", "try again");
    };
    private final DataFetcher<Object> comesTooLate = field -> {
        clock.addAndGet(Duration.ofSeconds(10).toNanos());
        RequestTime.check(field.getGraphQlContext());
        return "done";
    };
    private final Logger logger = (Logger) LoggerFactory.getLogger(Faults.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    @Test
    void saysThatAChangeMayBeDoneWhoseAnswerDidNotComeInTime() {
        var error = onlyError(execute("mutation { change { read } }", timesOut, timesOut));

        assertThat(error.message()).isEqualTo("Perhaps not done, or in part: the request had taken longer than 10.0 s");
        assertThat(error.extensions()).containsEntry("code", "DEADLINE_EXCEEDED");
        assertIsLogged(error, "/change");
    }

    @Test
    void saysNothingOfAChangeWhereWhatIsReadAfterItDidNotComeInTime() {
        var result = execute("mutation { change { read } }", _ -> "changed", timesOut);

        var error = onlyError(result);
        assertThat(result.<Object>getData()).hasToString("{change={read=null}}");
        assertThat(error.message())
                .isEqualTo("Not read, because the request had taken longer than 10.0 s: ask for less at once");
        assertThat(error.extensions()).containsEntry("code", "DEADLINE_EXCEEDED");
        assertIsLogged(error, "/change/read");
    }

    @Test
    void saysThatAQueryWasNotReadInTime() {
        var error = onlyError(execute("{ read }", timesOut, timesOut));

        assertThat(error.message())
                .isEqualTo("Not read, because the request had taken longer than 10.0 s: ask for less at once");
        assertIsLogged(error, "/read");
    }

    @Test
    void saysThatAChangeIsNotDoneForWhichThereWasNoTimeLeft() {
        var error = onlyError(execute("mutation { next }", timesOut, timesOut));

        assertThat(error.message())
                .isEqualTo("Not done, because the request had taken longer than 10.0 s: ask for less at once");
        assertThat(error.extensions()).containsOnlyKeys("code").containsEntry("code", "DEADLINE_EXCEEDED");
    }

    private ExecutionResult execute(String document, DataFetcher<?> change, DataFetcher<?> read) {
        var wiring = RuntimeWiring.newRuntimeWiring()
                .type("Query", fields -> fields.dataFetcher("read", read))
                .type("Mutation", fields -> fields.dataFetcher("change", change).dataFetcher("next", comesTooLate))
                .type("Changed", fields -> fields.dataFetcher("read", read))
                .build();
        return GraphQL.newGraphQL(new SchemaGenerator().makeExecutableSchema(new SchemaParser().parse(SCHEMA), wiring))
                .defaultDataFetcherExceptionHandler(new Faults(SampleDataAccess.UNLIMITED))
                .build()
                .execute(ExecutionInput.newExecutionInput(document)
                        .graphQLContext(context -> context.of(RequestTime.class, time))
                        .build());
    }

    private static GraphQlError onlyError(ExecutionResult result) {
        assertThat(result.getErrors()).hasSize(1);
        return (GraphQlError) result.getErrors().getFirst();
    }

    private void assertIsLogged(GraphQlError error, String path) {
        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage())
                    .contains("errorId=" + error.extensions().get("errorId"), "path=" + path + " ", "cause=" + CAUSE);
        });
    }
}
