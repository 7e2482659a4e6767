package io.menuboard.favorites;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.menuboard.favorites.MarkSets.Kind;
import io.menuboard.favorites.MarkSets.MarkSet;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
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

    @Property
    void aSetHasEachOfItsMarksOnceHoweverOftenItWasAdded(
            @ForAll List<@LongRange(min = -9, max = 9) Long> first,
            @ForAll List<@LongRange(min = -9, max = 9) Long> more,
            @ForAll List<@LongRange(min = -9, max = 9) Long> others) {
        var set = of(first);
        var other = of(others);

        assertThat(set.sorted()).containsExactly(distinct(first));

        more.forEach(set::add);
        var all = Stream.concat(first.stream(), more.stream()).toList();
        assertThat(set.sorted()).containsExactly(distinct(all));
        assertThat(set.both(other))
                .containsExactly(distinct(all.stream().filter(others::contains).toList()));
        assertThat(set.without(other, new MarkSet()))
                .containsExactly(distinct(
                        all.stream().filter(mark -> !others.contains(mark)).toList()));
    }

    private static MarkSet of(List<Long> marks) {
        var set = new MarkSet();
        marks.forEach(set::add);
        return set;
    }

    private static long[] distinct(List<Long> marks) {
        return marks.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
    }

    @Test
    void marksAreComparedInTheMemoryThatTheyTake() {
        var random = new Random(1);
        var set = new MarkSet();
        random.longs(MarkSets.MOST).forEach(set::add);
        var bytes = (long) MarkSets.MOST * Long.BYTES;

        assertThat(allocated(set::sorted)).isLessThan(2 * bytes);
        assertThat(allocated(() -> set.without(new MarkSet(), new MarkSet()))).isLessThan(4 * bytes);
    }

    private static long allocated(Supplier<long[]> work) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var before = threads.getCurrentThreadAllocatedBytes();
        assertThat(work.get()).hasSize(MarkSets.MOST);
        return threads.getCurrentThreadAllocatedBytes() - before;
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
