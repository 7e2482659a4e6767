package io.menuboard.pricing.imports;

import static io.menuboard.pricing.imports.ImportFixture.ACTOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.Fault;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.workers.WorkersFixture;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a client is told that asks for the same import again. */
class RepeatableImportsTest {
    private static final String KEY = "once";
    private static final byte[] PRICES =
            "store,product,effectiveDate,amount\nDE-0001,WATER,2126-01-01,1.19".getBytes(UTF_8);

    @RegisterExtension
    final FreshTable table = FreshTable.withFaults();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ImportFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private Imports imports;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private IdempotencyKeys keys;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private RepeatableImports repeatable;

    @BeforeEach
    void connect() {
        fixture = new ImportFixture(table);
        imports = fixture.imports();
        keys = new IdempotencyKeys(fixture.db, "imports");
        // Past faults.
        var tasks = TasksFixture.tasks(table.directQueryDb(Clock.systemUTC()), Clock.systemUTC());
        repeatable = new RepeatableImports(
                imports,
                new ImportTasks(imports, WorkersFixture.workers(tasks, ImportTasks.work())),
                keys,
                fixture.clock,
                new Random(9));
        fixture.run(ImportFixture.stores(
                "id,name,city,country,timeZone,currency", "DE-0001,Berlin,Berlin,DE,Europe/Berlin,EUR"));
    }

    @Test
    void anImportThatFailedIsMadeAgain() {
        table.faults().inject(Fault.TABLE_THROTTLED, "BatchWriteItem", 1000);
        var failed = run(PRICES);
        table.faults().reset();

        var again = run(PRICES);

        assertThat(failed.state()).isEqualTo(ImportState.FAILED);
        assertThat(again.state()).isEqualTo(ImportState.FINISHED);
        assertThat(again.changeSet()).isNotNull();
        assertThat(run(PRICES)).isEqualTo(again);
    }

    @Test
    void saysWhetherARequestBeganTheImport() {
        assertThat(request(PRICES).isNew()).isTrue();
        assertThat(request(PRICES).isNew()).isFalse();
    }

    @Test
    void anImportWhoseInstanceIsGoneIsMadeAgain() {
        var gone = new ImportId("0123456789abcdef");
        keys.claim(
                ACTOR.principal().id(),
                KEY,
                gone.value(),
                Purpose.hash(PRICES, ImportKind.PRICES, ImportAbout.FILE),
                fixture.clock.instant().plus(RepeatableImports.KEPT_FOR));
        imports.begin(ACTOR, gone, List.of(ImportFile.of(ImportKind.PRICES, PRICES)));
        assertThat(run(PRICES).state()).isEqualTo(ImportState.WAITING);
        fixture.clock.set(ImportFixture.START
                .plus(ImportFixture.config().interruptedAfter())
                .plus(Duration.ofSeconds(1)));

        var again = run(PRICES);

        assertThat(again.id()).isNotEqualTo(gone);
        assertThat(again.state()).isEqualTo(ImportState.FINISHED);
        assertThat(again.changeSet()).isNotNull();
    }

    @Test
    void anImportThatWasRefusedIsToldAgain() {
        var refused = run("store,product".getBytes(UTF_8));

        assertThat(refused.state()).isEqualTo(ImportState.REFUSED);
        assertThat(run("store,product".getBytes(UTF_8))).isEqualTo(refused);
    }

    private ImportStatus run(byte[] csv) {
        return request(csv).status();
    }

    private RepeatableImports.Result.Done request(byte[] csv) {
        return (RepeatableImports.Result.Done) repeatable.run(ACTOR, ImportKind.PRICES, csv, ImportAbout.FILE, KEY);
    }
}
