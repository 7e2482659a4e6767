package io.menuboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LazyStreamsTest {
    private final List<Integer> made = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();

    @Property
    void hasTheElementsOfFlatMap(@ForAll List<List<Integer>> lists) {
        assertThat(LazyStreams.flatMap(lists.stream(), List::stream))
                .containsExactlyElementsOf(lists.stream().flatMap(List::stream).toList());
    }

    @Test
    void makesNoElementBeforeItIsAskedFor() {
        var elements = LazyStreams.flatMap(Stream.of(1, 2), _ -> counted(1_000)).iterator();
        assertThat(made).isEmpty();

        elements.next();
        assertThat(made).hasSize(1);
        for (var i = 0; i < 1_000; i++) {
            elements.next();
        }
        assertThat(made).hasSize(1_001);
    }

    @Test
    void closesEachStreamAfterItsLastElementAndTheOneBeingReadWithItself() {
        var sources = Stream.of(2, 1, 3).onClose(() -> closed.add("sources"));
        try (var all = LazyStreams.flatMap(sources, size -> counted(size).onClose(() -> closed.add("of " + size)))) {
            var elements = all.iterator();
            for (var i = 0; i < 3; i++) {
                elements.next();
            }
            assertThat(closed).containsExactly("of 2");
            elements.next();
            assertThat(closed).containsExactly("of 2", "of 1");
        }
        assertThat(closed).containsExactly("of 2", "of 1", "of 3", "sources");
    }

    private Stream<Integer> counted(int size) {
        return IntStream.range(0, size).boxed().peek(made::add);
    }
}
