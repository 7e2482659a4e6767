package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Actor.Kind;
import io.menuboard.kernel.Actor.Source;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ActorTest {

    @Property(tries = 300)
    void parsesWhatItWrites(@ForAll Kind kind, @ForAll String name, @ForAll Source source) {
        var actor = new Actor(kind, name.isBlank() ? "ann" : name, source);

        assertThat(Actor.parse(actor.text())).isEqualTo(actor);
    }

    @Test
    void isWrittenWithTheNameLast() {
        assertThat(new Actor(Kind.TOKEN, "till 7", Source.GRAPHQL).text()).isEqualTo("TOKEN\tGRAPHQL\ttill 7");
    }

    @ParameterizedTest
    @MethodSource("olderForms")
    void parsesWhatEarlierVersionsWrote(String text, Actor actor) {
        assertThat(Actor.parse(text)).isEqualTo(actor);
    }

    static List<Arguments> olderForms() {
        return List.of(
                Arguments.of("TOKEN till 7 GRAPHQL", new Actor(Kind.TOKEN, "till 7", Source.GRAPHQL)),
                Arguments.of("USER ann COMMAND_LINE", new Actor(Kind.USER, "ann", Source.COMMAND_LINE)),
                Arguments.of("USER:ann:PAGE", new Actor(Kind.USER, "ann", Source.PAGE)),
                Arguments.of("TOKEN:a:b c:GRAPHQL", new Actor(Kind.TOKEN, "a:b c", Source.GRAPHQL)),
                Arguments.of("ROBOT r2 RADIO", new Actor(Kind.UNKNOWN, "r2", Source.UNKNOWN)),
                Arguments.of("USER  PAGE", new Actor(Kind.USER, "unknown", Source.PAGE)),
                Arguments.of("ann smith", new Actor(Kind.UNKNOWN, "ann smith", Source.UNKNOWN)),
                Arguments.of("", new Actor(Kind.UNKNOWN, "unknown", Source.UNKNOWN)));
    }
}
