package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Imports on a test's own table, with a clock that stands still until it is told otherwise. */
public final class ImportFixture implements ImportListener {
    static final Access ACTOR = new Access(Principal.withEveryRole("kim"), Actor.Source.CSV);
    /** Far ahead, because DynamoDB Local deletes by the real clock what has expired. */
    static final Instant START = Instant.parse("2126-06-15T12:00:00Z");

    final MovingClock clock = new MovingClock(START);
    final QueryDb db;
    final Stores stores;
    final Pricing pricing;
    final AuditTrail audit;
    final ChangesFixture changes;
    final List<ImportRejection> rejections = new ArrayList<>();
    final List<ImportStatus> progress = new ArrayList<>();

    private final Random random = new Random(7);

    ImportFixture(FreshTable table) {
        this(table::queryDb);
    }

    ImportFixture(Function<Clock, QueryDb> table) {
        db = table.apply(clock);
        changes = new ChangesFixture(db, clock);
        stores = changes.stores;
        pricing = changes.pricing;
        audit = new AuditTrail(db, clock, random, new AuditTrail.Settings(1, Duration.ofDays(400)));
    }

    /** Small chunks, so that a few rows make several of them. */
    static ImportConfig config() {
        return new ImportConfig(1000, 1000, 3, 2, 250, Duration.ofMinutes(1), Duration.ofDays(30));
    }

    static ImportConfig config(int maxRows, int maxKeptRejections) {
        return new ImportConfig(maxRows, 1000, 3, 2, maxKeptRejections, Duration.ofMinutes(1), Duration.ofDays(30));
    }

    Imports imports() {
        return imports(config());
    }

    Imports imports(ImportConfig config) {
        return new Imports(
                stores,
                changes.drafts,
                new DynamoImports(db, audit, config.keptFor()),
                random,
                new ImportLife(clock, config, changes.tasks.reads()));
    }

    /** Imports into the table of those changes. */
    public static Imports imports(ChangesFixture changes) {
        var config = config();
        return new Imports(
                changes.stores,
                changes.drafts,
                new DynamoImports(changes.db, changes.audit, config.keptFor()),
                new Random(7),
                new ImportLife(changes.clock, config, changes.tasks.reads()));
    }

    /** What an import into the table of those changes has drafted. */
    public static ImportStatus drafted(ChangesFixture changes, ImportFile file) {
        var imports = imports(changes);
        var begun = imports.begin(ACTOR, List.of(file));
        return imports.run(ACTOR, begun.id(), List.of(file), ImportAbout.FILE, ImportListener.NONE);
    }

    ImportStatus run(ImportFile... files) {
        return run(imports(), files);
    }

    ImportStatus run(Imports imports, ImportFile... files) {
        var begun = imports.begin(ACTOR, List.of(files));
        return run(imports, begun, files);
    }

    /** Imports, and applies what was drafted. */
    ImportStatus run(Imports imports, ImportStatus begun, ImportFile... files) {
        var ended = drafted(imports, begun, files);
        var set = ended.changeSet();
        if (set != null) {
            changes.applied(changes.sets.find(ACTOR, set).orElseThrow());
        }
        return ended;
    }

    /** Of sets that are drafted. */
    ImportAbout about = ImportAbout.FILE;

    /** Imports, and leaves what was drafted as it is. */
    ImportStatus drafted(ImportFile... files) {
        var imports = imports();
        return drafted(imports, imports.begin(ACTOR, List.of(files)), files);
    }

    private ImportStatus drafted(Imports imports, ImportStatus begun, ImportFile... files) {
        rejections.clear();
        progress.clear();
        return imports.run(ACTOR, begun.id(), List.of(files), about, this);
    }

    public static ImportFile stores(String... lines) {
        return file(ImportKind.STORES, String.join("\n", lines).getBytes(UTF_8));
    }

    public static ImportFile prices(String... lines) {
        return file(ImportKind.PRICES, String.join("\n", lines).getBytes(UTF_8));
    }

    static ImportFile changes(String... lines) {
        return file(ImportKind.CHANGES, String.join("\n", lines).getBytes(UTF_8));
    }

    static ImportFile file(ImportKind kind, byte[] content) {
        return new ImportFile(kind, kind.label() + ".csv", content.length, () -> new ByteArrayInputStream(content));
    }

    @Override
    public void progress(ImportStatus status) {
        progress.add(status);
    }

    @Override
    public void rejected(ImportRejection rejection) {
        assertThat(ImportRejectionCode.of(rejection)).hasToString(rejection.code());
        rejections.add(rejection);
    }
}
