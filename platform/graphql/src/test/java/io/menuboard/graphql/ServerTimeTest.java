package io.menuboard.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import graphql.GraphQLContext;
import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.graphql.conditional.ConditionalGets;
import io.menuboard.graphql.conditional.Dependencies;
import io.menuboard.graphql.conditional.Dependency;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Data whose clock is years ahead of this machine's. */
class ServerTimeTest {
    private static final Instant NOW = Instant.parse("2036-06-15T12:00:00Z");

    @Test
    void answersMayBeKeptNoLongerThanTheyAreTrueByTheClockOfTheData() {
        try (var server = SampleServer.start()) {
            var config = server.bean(GraphQlConfig.class);
            var gets = new GraphQlFactory().conditionalGets(config, new PageLimits(64, 2048), new Ahead());
            var get = new ConditionalGets.Get(
                    null, "JSON", new Access(Principal.withEveryRole("grace"), Actor.Source.GRAPHQL), null);
            var found = new Dependencies();
            var context =
                    GraphQLContext.newContext().of(Dependencies.class, found).build();
            Dependencies.fetched(context);
            found.add(new Price(), Price.STATE);

            var validators = Objects.requireNonNull(gets.answered(get, "{ price }", found));

            assertThat(config.maxAge()).isGreaterThan(Duration.ofSeconds(1));
            assertThat(validators.cacheControl()).isEqualTo("private, max-age=1, must-revalidate");
        }
    }

    private record Ahead() implements DataAccess {
        @Override
        public Deadline deadline(Duration atMost) {
            return SampleDataAccess.UNLIMITED.deadline(atMost);
        }

        @Override
        public Optional<KnownFault> explain(Throwable fault) {
            return Optional.empty();
        }

        @Override
        public InstantSource clock() {
            return InstantSource.fixed(NOW);
        }
    }

    /** Another one is to count in a second. */
    private record Price() implements Dependency {
        static final State STATE = new State("5.00", NOW.plusSeconds(1));

        @Override
        public Optional<State> state(Access access) {
            return Optional.of(STATE);
        }

        @Override
        public Optional<State> remembered(Access access) {
            return state(access);
        }
    }
}
