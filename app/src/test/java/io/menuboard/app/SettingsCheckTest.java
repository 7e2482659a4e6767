package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.coordination.SharedSetting;
import io.menuboard.querydb.coordination.SharedSettings;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings that could not be compared when the instance was started. */
@Timeout(60)
final class SettingsCheckTest {
    private static final int ALWAYS = Integer.MAX_VALUE;

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @Test
    void areComparedAsSoonAsTheTableAnswers() {
        others(SharedSetting.equal("slots", 4));
        try (var check = startedWithoutTheTable(SharedSetting.equal("slots", 8), () -> {})) {
            assertThat(check.different()).isNaN();

            check.start();

            await().until(() -> check.different() == 1);
        }
    }

    @Test
    void endTheInstanceWhereItWouldNotHaveStarted() throws InterruptedException {
        others(SharedSetting.neverLowered("shards", 8));
        var ended = new CountDownLatch(1);
        try (var check = startedWithoutTheTable(SharedSetting.neverLowered("shards", 4), ended::countDown)) {
            check.start();

            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(check.different()).isNaN();
        }
    }

    private void others(SharedSetting setting) {
        new SharedSettings(table.directQueryDb(Clock.systemUTC())).compare(List.of(setting));
    }

    /** The table answers again afterwards. */
    private SettingsCheck startedWithoutTheTable(SharedSetting setting, Runnable end) {
        var shared = new SharedSettings(table.queryDb(Clock.systemUTC()));
        var check = new SettingsCheck(shared, List.of(setting), end);
        table.faults().inject(Fault.TABLE_THROTTLED, "GetItem", ALWAYS);
        check.compare();
        table.faults().reset();
        return check;
    }
}
