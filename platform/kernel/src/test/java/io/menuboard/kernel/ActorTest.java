package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Actor.Kind;
import io.menuboard.kernel.Actor.Source;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.WithNull;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ActorTest {

    @Property(tries = 300)
    void parsesWhatItWrites(
            @ForAll Kind kind,
            @ForAll("ids") @WithNull(0.3) String id,
            @ForAll("names") String name,
            @ForAll Source source) {
        var actor = new Actor(kind, id, name, source);

        assertThat(Actor.parse(actor.text())).isEqualTo(actor);
        assertThat(Actor.read(kind.name(), actor.storedName(), source.name())).isEqualTo(actor);
    }

    @Provide
    Arbitrary<String> ids() {
        return Arbitraries.strings().ofMinLength(1).ofMaxLength(Ids.MAX_LENGTH).filter(ActorTest::isId);
    }

    private static boolean isId(String text) {
        try {
            Ids.check("id", text);
            return true;
        } catch (InvalidInput _) {
            return false;
        }
    }

    /** With what separates the parts of the text, more often than by chance. */
    @Provide
    Arbitrary<String> names() {
        var separators = Arbitraries.strings().withChars('\t', '\u001f', ' ', ':', '#', 'a');
        return Arbitraries.oneOf(Arbitraries.strings(), separators).filter(name -> !name.isBlank());
    }

    @Test
    void isWrittenWithTheIdBehindTheName() {
        var actor = new Actor(Kind.USER, "01ARZ3NDEK", "ann", Source.PAGE);

        assertThat(actor.text()).isEqualTo("USER\tPAGE\tann\u001f01ARZ3NDEK");
    }

    /** The version before took what is behind the second tab as the name. */
    @Test
    void isReadByVersionsThatKnowNoIds() {
        var parts =
                new Actor(Kind.USER, "01ARZ3NDEK", "ann", Source.PAGE).text().split("\t", 3);

        assertThat(parts).containsExactly("USER", "PAGE", "ann\u001f01ARZ3NDEK");
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
