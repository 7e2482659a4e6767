package io.menuboard.graphql.conditional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import graphql.GraphQLContext;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConditionalGetsTest {
    private static final String DOCUMENT = "{ __typename }";
    private static final int REQUESTS = 100;
    private static final int CACHE_BYTES = 1_000_000;

    private final ConditionalGets gets =
            new ConditionalGets("", Duration.ofSeconds(1), false, CACHE_BYTES, InstantSource.system());

    @Test
    void remembersMoreRequestsThanItIsHereAskedFor() {
        IntStream.range(0, REQUESTS).forEach(i -> answer(i, DOCUMENT, 1));

        assertThat(remembered()).isEqualTo(REQUESTS);
    }

    @Test
    void keepsNoDocument() {
        var document = new WeakReference<>(answer(1, "{ __typename } #" + "x".repeat(64_000), 1));

        await().until(() -> {
            System.gc();
            return document.get() == null;
        });
        assertThat(isRemembered(1)).isTrue();
    }

    @Test
    void takesWhatAnswersDependOnIntoAccount() {
        IntStream.range(0, REQUESTS).forEach(i -> answer(i, DOCUMENT, 500));

        await().untilAsserted(() -> assertThat(remembered()).isBetween(1L, 10L));
    }

    @Test
    void takesGrantsIntoAccount() {
        var stores = IntStream.range(0, Scope.Stores.MAX_STORES)
                .mapToObj(i -> "DE-" + i)
                .collect(Collectors.toUnmodifiableSet());
        var principal = new Principal(
                "till", Actor.Kind.TOKEN, "till", Set.of(new Grant(Role.VIEWER, new Scope.Stores(stores))));
        IntStream.range(0, REQUESTS).forEach(i -> answer(get(i, principal), DOCUMENT, 1));

        await().untilAsserted(() -> assertThat(remembered(principal)).isBetween(1L, 20L));
    }

    /** The document. */
    private String answer(int number, String document, int dependencies) {
        answer(get(number, Principal.withEveryRole("grace")), document, dependencies);
        return document;
    }

    private void answer(ConditionalGets.Get get, String document, int dependencies) {
        var found = new Dependencies();
        var context = GraphQLContext.newContext().of(Dependencies.class, found).build();
        for (var i = 0; i < dependencies; i++) {
            Dependencies.fetched(context);
            found.add(new Still(i), new Dependency.State("as ever", null));
        }
        assertThat(gets.answered(get, document, found)).isNotNull();
    }

    private long remembered() {
        return remembered(Principal.withEveryRole("grace"));
    }

    private long remembered(Principal principal) {
        return IntStream.range(0, REQUESTS)
                .filter(i -> isRemembered(get(i, principal)))
                .count();
    }

    private boolean isRemembered(int number) {
        return isRemembered(get(number, Principal.withEveryRole("grace")));
    }

    private boolean isRemembered(ConditionalGets.Get get) {
        try {
            gets.check(get);
            return false;
        } catch (ConditionalGets.NotModified _) {
            return true;
        }
    }

    private static ConditionalGets.Get get(int number, Principal principal) {
        return new ConditionalGets.Get(
                "documentId=" + number, "JSON", new Access(principal, Actor.Source.GRAPHQL), "*");
    }

    private record Still(int number) implements Dependency {
        @Override
        public Optional<State> state(Access access) {
            return Optional.of(new State("as ever", null));
        }

        @Override
        public Optional<State> remembered(Access access) {
            return state(access);
        }
    }
}
