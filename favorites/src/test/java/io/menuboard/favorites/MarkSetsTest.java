package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.favorites.MarkSets.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkSetsTest {
    private static final int MOST = 1_000;
    private static final List<Kind> KINDS = List.of(Kind.values());

    @ParameterizedTest
    @ValueSource(ints = {0, 1, MOST - 1, MOST, MOST + 1, 25 * MOST})
    void everyMarkIsInOnePartAndNoPartHasManyMoreThanAreHeldInMemory(int size, @TempDir Path folder) {
        var random = new Random(size);
        var added = sets();
        var found = sets();
        var last = new AtomicLong(Long.MIN_VALUE);

        try (var sets = new MarkSets(MOST, folder)) {
            for (var i = 0; i < size; i++) {
                var kind = KINDS.get(random.nextInt(KINDS.size()));
                // At times one that is there already, in another set or in this one.
                var mark = random.nextInt(5) == 0 ? Math.floorMod(random.nextLong(), 20L) : random.nextLong();
                sets.add(kind, mark & ~1L);
                of(added, kind).add(mark & ~1L);
            }
            sets.forEachPart(part -> {
                var before = last.get();
                var inPart = 0;
                for (var kind : Kind.values()) {
                    var marks = Objects.requireNonNull(part.get(kind)).sorted();
                    assertThat(Arrays.stream(marks)).allMatch(mark -> mark > before || size < MOST);
                    Arrays.stream(marks).forEach(mark -> {
                        of(found, kind).add(mark);
                        last.accumulateAndGet(mark, Math::max);
                    });
                    inPart += marks.length;
                }
                assertThat(inPart).isLessThan(MOST + MOST / 4);
            });
        }

        assertThat(found).isEqualTo(added);
    }

    @Test
    void leavesNoFileWhenItIsClosed(@TempDir Path folder) throws IOException {
        try (var sets = new MarkSets(10, folder)) {
            for (var i = 0; i < 25; i++) {
                sets.add(Kind.THERE, i);
            }
        }

        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    private static Map<Kind, Set<Long>> sets() {
        var sets = new EnumMap<Kind, Set<Long>>(Kind.class);
        Arrays.stream(Kind.values()).forEach(kind -> sets.put(kind, new TreeSet<>()));
        return sets;
    }

    private static Set<Long> of(Map<Kind, Set<Long>> sets, Kind kind) {
        return Objects.requireNonNull(sets.get(kind));
    }
}
