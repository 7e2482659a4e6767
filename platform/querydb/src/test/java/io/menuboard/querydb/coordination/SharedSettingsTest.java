package io.menuboard.querydb.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.menuboard.querydb.FreshTable;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class SharedSettingsTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    private SharedSettings settings;

    @BeforeEach
    void open() {
        settings = new SharedSettings(table.queryDb(Clock.systemUTC()));
    }

    @Test
    void aNumberOfShardsMayBeRaisedAndNeverLowered() {
        assertThat(settings.compare(List.of(shards(4)))).isEmpty();
        assertThat(settings.compare(List.of(shards(8)))).isEmpty();

        assertThatIllegalStateException()
                .isThrownBy(() -> settings.compare(List.of(shards(4), SharedSetting.equal("other", "1"))))
                .withMessageContaining("menuboard.tasks.shards is 4 here, and was 8");
        assertThat(settings.compare(List.of(shards(8)))).isEmpty();
    }

    @Test
    void aNumberOfShardsIsNotLoweredByWhoKeepsNothingEither() {
        settings.compare(List.of(shards(4), SharedSetting.equal("slots", 4)));

        settings.requireNotLowered(
                List.of(shards(8), SharedSetting.equal("slots", 8), SharedSetting.equal("other", 1)));
        assertThatIllegalStateException()
                .isThrownBy(() -> settings.requireNotLowered(List.of(shards(2))))
                .withMessageContaining("menuboard.tasks.shards is 2 here, and was 4");

        assertThat(settings.compare(List.of(shards(4), SharedSetting.equal("slots", 4))))
                .isEmpty();
    }

    @Test
    void whatMustBeEqualIsReportedAndTheLatestCounts() {
        settings.compare(List.of(SharedSetting.equal("slots", 4), shards(4)));

        assertThat(settings.compare(List.of(SharedSetting.equal("slots", 8)))).containsExactly("slots");
        assertThat(settings.compare(List.of(SharedSetting.equal("slots", 8)))).isEmpty();
        assertThat(settings.compare(List.of(shards(4))))
                .as("those of others are kept")
                .isEmpty();
    }

    @Test
    void fiftyInstancesMayStartAtOnce() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var starts = IntStream.rangeClosed(1, 50)
                    .<Callable<List<String>>>mapToObj(
                            i -> () -> settings.compare(List.of(SharedSetting.neverLowered("s" + i, i))))
                    .toList();
            for (var start : threads.invokeAll(starts)) {
                assertThat(start.get()).isEmpty();
            }
        }
        for (var i = 1; i <= 50; i++) {
            var lower = List.of(SharedSetting.neverLowered("s" + i, i - 1));
            assertThatIllegalStateException().isThrownBy(() -> settings.compare(lower));
        }
    }

    @Test
    void comparingWhatIsAsItWasIsOneRead() {
        settings.compare(List.of(shards(4)));

        var units = table.meter().during(() -> settings.compare(List.of(shards(4))));

        assertThat(units.requests()).isEqualTo(1);
        assertThat(units.read()).isEqualTo(1);
    }

    private static SharedSetting shards(int shards) {
        return SharedSetting.neverLowered("menuboard.tasks.shards", shards);
    }
}
