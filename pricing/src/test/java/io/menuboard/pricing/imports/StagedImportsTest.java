package io.menuboard.pricing.imports;

import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Denied;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.ConditionFailed;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.QueryDbException;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.Update;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TasksFixture;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.WorkersFixture;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Imports of uploads by instances that die, stop or are overtaken. */
class StagedImportsTest {
    private static final int MAX_BYTES = 1000;
    private static final String PRICES = "store,product,effectiveDate,amount\n";
    private static final String FILE = PRICES + "DE-0001,BURGER,2020-01-01,2.10\nnowhere,BURGER,2020-01-01,2.10\n";

    private static final String HAMBURG = "id,name,timeZone,currency\nDE-0002,Hamburg,Europe/Berlin,EUR\n";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MemoryFiles files = new MemoryFiles();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ImportFixture fixture;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private TasksInstance tasks;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private Uploads uploads;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private StagedImports staged;

    /** What is asked when an import runs. */
    private CurrentAccess current = CurrentAccess.EVERYTHING;

    @BeforeEach
    void connect() {
        fixture = new ImportFixture(table);
        fixture.run(ImportFixture.stores("id,name,timeZone,currency", "DE-0001,Berlin,Europe/Berlin,EUR"));
        tasks = TasksFixture.tasks(fixture.db, fixture.clock);
        uploads = new Uploads(
                new DynamoUploads(fixture.db),
                files,
                new IdempotencyKeys(fixture.db, "uploads"),
                fixture.clock,
                new Random(3),
                new UploadConfig(MAX_BYTES, Duration.ofHours(6)));
        staged = staged(fixture);
    }

    private StagedImports staged(ImportFixture instance) {
        return new StagedImports(
                instance.imports(),
                uploads,
                tasks.submission(),
                new IdempotencyKeys(instance.db, "imports"),
                actor -> current.of(actor),
                instance.clock);
    }

    @Test
    void anImportWaitsForAnInstanceAsLongAsItTakes() throws Exception {
        var begun = begun(FILE);
        fixture.clock.advance(Duration.ofHours(3));
        assertThat(now(begun).state()).isEqualTo(ImportState.WAITING);

        var result = staged.handle(WorkersFixture.run(task()));

        assertThat(result).hasToString("{\"changed\":0,\"created\":1,\"rejected\":1,\"rows\":2,\"unchanged\":0}");
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(files.sent).isEmpty();
    }

    @Test
    void anImportWhoseTaskWillNotBeDoneShowsAsInterrupted() throws Exception {
        var begun = begun(FILE);
        var task = task();
        tasks.administration().cancel(TasksFixture.STAFF, task.id(), "not needed");
        assertThat(now(begun).state()).isEqualTo(ImportState.WAITING);

        fixture.clock.advance(Duration.ofSeconds(61));

        assertThat(now(begun).state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(now(begun).message()).startsWith("What was to run this import was cancelled");
        var imports = fixture.imports();
        var listed = new ArrayList<>(imports.findAll(ImportFixture.ACTOR, List.of(begun.id())));
        imports.list(ImportFixture.ACTOR, PageRequest.forward(9, null)).nodes().stream()
                .filter(status -> status.id().equals(begun.id()))
                .forEach(listed::add);
        assertThat(listed).hasSize(2).extracting(ImportStatus::state).containsOnly(ImportState.INTERRUPTED);

        // Whoever finds its task anew does it.
        tasks.administration().retry(TasksFixture.STAFF, task.id(), "needed");
        assertThat(now(begun).state()).isEqualTo(ImportState.WAITING);
        staged.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
    }

    @Test
    void anImportIsReadAtTheCostOfItsTaskOnlyAfterAMinute() {
        var begun = begun(FILE);

        var soon = table.meter().during(() -> now(begun));
        fixture.clock.advance(Duration.ofSeconds(61));
        var later = table.meter().during(() -> now(begun));

        assertThat(soon).isEqualTo(new Units(1, 1, 0));
        assertThat(later).isEqualTo(new Units(2, 2, 0));
    }

    @Test
    void anImportWhoseInstanceIsGoneGoesOnAsLongAsAnotherOneIsToTakeItOver() throws Exception {
        var begun = begun(FILE);
        dynamo().takeOver(begun.id(), fixture.clock.instant());
        fixture.clock.advance(Duration.ofHours(3));

        var cost = table.meter().during(() -> assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING));
        tasks.administration().cancel(TasksFixture.STAFF, task().id(), "not needed");

        assertThat(cost).isEqualTo(new Units(2, 2, 0));
        assertThat(now(begun).state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(now(begun).message()).startsWith("What was to run this import was cancelled");
    }

    @Test
    void anImportWhoseTaskIsDoneWithoutItsEndShowsAsInterrupted() {
        var begun = begun(FILE);
        dynamo().takeOver(begun.id(), fixture.clock.instant());
        fixture.clock.advance(Duration.ofSeconds(61));
        var protocol = tasks.protocol().withOperations();
        var task = TasksFixture.done(protocol.claim(TasksFixture.WORKER, task().id(), TasksFixture.ADA, null));
        TasksFixture.done(protocol.complete(TasksFixture.WORKER, task.id(), task.leaseToken(), null));
        // It might have ended since it was read.
        assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING);

        fixture.clock.advance(Duration.ofSeconds(61));

        assertThat(now(begun).state()).isEqualTo(ImportState.INTERRUPTED);
    }

    @Test
    void anEndThatCouldNotBeWrittenIsLeftToTheNextAttempt() throws Exception {
        var begun = begin(ImportAbout.FILE, ImportFile.of(ImportKind.STORES, HAMBURG.getBytes(UTF_8)));
        var isDown = new AtomicBoolean(true);
        var instance = failing(StagedImportsTest::ends, isDown, false);

        assertThatThrownBy(() -> instance.handle(WorkersFixture.run(task()))).isInstanceOf(QueryDbException.class);

        assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING);
        assertThat(files.sent).hasSize(1);
        isDown.set(false);
        instance.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(now(begun).unchanged()).isEqualTo(1);
        assertThat(files.sent).isEmpty();
    }

    @Test
    void whoWasOvertakenAtItsEndLeavesTheFilesToItsSuccessor() throws Exception {
        var begun = begin(ImportAbout.FILE, ImportFile.of(ImportKind.STORES, HAMBURG.getBytes(UTF_8)));
        var slow = InterruptedClient.before(StagedImportsTest::ends, 1, table.client(), () -> dynamo().takeOver(
                        begun.id(), fixture.clock.instant()));
        var overtaken = staged(new ImportFixture(clock -> table.queryDb(slow, clock)));

        assertThatThrownBy(() -> overtaken.handle(WorkersFixture.run(task()))).isInstanceOf(ConditionFailed.class);

        assertThat(files.sent).hasSize(1);
        staged.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
    }

    @Test
    void anOutageLeavesTheImportToTheNextAttempt() throws Exception {
        var begun = begun(FILE);
        var isDown = new AtomicBoolean(true);
        // From the first row on.
        var hasBegun = new AtomicBoolean();
        var instance = failing(
                request -> {
                    hasBegun.compareAndSet(false, request instanceof BatchGetItemRequest);
                    return hasBegun.get();
                },
                isDown,
                false);

        assertThatThrownBy(() -> instance.handle(WorkersFixture.run(task())))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                        .isTrue());

        assertThat(hasBegun).isTrue();
        assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING);
        assertThat(files.sent).hasSize(1);
        isDown.set(false);
        instance.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(now(begun).rejected()).isEqualTo(1);
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(now(begun).changeSet());
        assertThat(files.sent).isEmpty();
    }

    @Test
    void storesThatCouldNotBeWrittenAreWrittenByTheNextAttemptBeforePrices() throws Exception {
        var begun = begin(
                ImportAbout.FILE,
                ImportFile.of(ImportKind.STORES, HAMBURG.getBytes(UTF_8)),
                ImportFile.of(
                        ImportKind.PRICES, FILE.replace("nowhere", "DE-0002").getBytes(UTF_8)));
        var isDown = new AtomicBoolean(true);
        var instance = failing(request -> puts(request, "type", "store"), isDown, false);

        assertThatThrownBy(() -> instance.handle(WorkersFixture.run(task()))).isInstanceOf(TaskFailed.class);

        assertThat(files.sent).hasSize(2);
        assertThat(sets()).isEmpty();
        isDown.set(false);
        instance.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(now(begun).rejected()).isZero();
        assertThat(sets()).hasSize(1);
    }

    @Test
    void pricesOfAStoreThatANewerVersionWroteAreLeftToAnInstanceThatCanReadIt() throws Exception {
        fixture.run(ImportFixture.stores(HAMBURG.split("\n", -1)));
        var hamburg = Update.of(new Key("STORE#DE-0002", "META"));
        fixture.db.update(hamburg.set("status", "SOLD"));
        var begun = begun(FILE.replace("nowhere", "DE-0002"));

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task())))
                .isInstanceOfSatisfying(TaskFailed.class, failed -> assertThat(failed.retryable())
                        .isTrue());

        assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING);
        assertThat(files.sent).hasSize(1);
        assertThat(sets()).isEmpty();
        // As if that instance could.
        fixture.db.update(hamburg.set("status", "OPEN"));
        staged.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(now(begun).rejected()).isZero();
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(now(begun).changeSet());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSetThatMayNotHaveBeenDraftedIsDraftedOnce(boolean isDrafted) throws Exception {
        var begun = begun(FILE);
        var isDown = new AtomicBoolean(true);
        var instance = failing(StagedImportsTest::drafts, isDown, isDrafted);

        assertThatThrownBy(() -> instance.handle(WorkersFixture.run(task()))).isInstanceOf(QueryDbException.class);

        var left = now(begun);
        assertThat(left.state()).isEqualTo(ImportState.RUNNING);
        assertThat(sets())
                .extracting(ChangeSet::id)
                .isEqualTo(Optional.ofNullable(left.changeSet()).stream().toList())
                .hasSize(isDrafted ? 1 : 0);
        isDown.set(false);
        instance.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(now(begun).changeSet());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anImportOfNoUploadNamesASetOnlyWhereThereIsOne(boolean isDrafted) {
        var imports = fixture(StagedImportsTest::drafts, new AtomicBoolean(true), isDrafted)
                .imports();
        var files = List.of(ImportFile.of(ImportKind.PRICES, FILE.getBytes(UTF_8)));
        var begun = imports.begin(ImportFixture.ACTOR, new ImportId("0123456789abcdef"), files)
                .orElseThrow();

        assertThatThrownBy(() ->
                        imports.run(ImportFixture.ACTOR, begun.id(), files, ImportAbout.FILE, ImportListener.NONE))
                .isInstanceOf(QueryDbException.class);

        fixture.clock.advance(Duration.ofSeconds(61));
        assertThat(now(begun).state()).isEqualTo(ImportState.INTERRUPTED);
        assertThat(sets())
                .extracting(ChangeSet::id)
                .isEqualTo(Optional.ofNullable(now(begun).changeSet()).stream().toList())
                .hasSize(isDrafted ? 1 : 0);
    }

    private static boolean ends(DynamoDbRequest request) {
        return puts(request, "action", "import ended");
    }

    /** An instance whose requests of a kind fail while its table is down. */
    private StagedImports failing(Predicate<DynamoDbRequest> kind, AtomicBoolean isDown, boolean afterTheyTookEffect) {
        return staged(fixture(kind, isDown, afterTheyTookEffect));
    }

    private ImportFixture fixture(Predicate<DynamoDbRequest> kind, AtomicBoolean isDown, boolean afterTheyTookEffect) {
        var client = (DynamoDbClient) Proxy.newProxyInstance(
                StagedImportsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    var fails = isDown.get() && arguments[0] instanceof DynamoDbRequest request && kind.test(request);
                    Object answer = null;
                    if (!fails || afterTheyTookEffect) {
                        try {
                            answer = method.invoke(table.client(), arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                    if (fails) {
                        throw InternalServerErrorException.builder()
                                .statusCode(500)
                                .build();
                    }
                    return answer;
                });
        return new ImportFixture(clock -> table.queryDb(client, clock));
    }

    @Test
    void whoTakesItOverBeginsAgainAndDraftsOneSet() throws Exception {
        var begun = begun(FILE);
        var id = begun.id();
        var first = dynamo().takeOver(id, fixture.clock.instant());
        // What the first instance kept before it died.
        for (var number = 1; number <= 3; number++) {
            dynamo().rejections()
                    .keep(
                            first,
                            number,
                            List.of(new ImportRejection(ImportKind.PRICES, 9, "store", "old", "old", "OLD")));
        }

        dynamo().takeOver(id, fixture.clock.instant());
        // Whoever was overtaken writes nothing more.
        assertThatThrownBy(() -> dynamo().progress(first)).isInstanceOf(ConditionFailed.class);

        staged.handle(WorkersFixture.run(task()));
        // But for rejections, until it knows that it was.
        for (var number = 1; number <= 3; number++) {
            dynamo().rejections()
                    .keep(
                            first,
                            number,
                            List.of(new ImportRejection(ImportKind.PRICES, 9, "store", "late", "late", "LATE")));
        }

        var ended = now(begun);
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.attempt()).isEqualTo(3);
        assertThat(ended.rows()).isEqualTo(2);
        try (var rejections = fixture.imports().rejections(ImportFixture.ACTOR, ended)) {
            assertThat(rejections.map(ImportRejection::code)).containsExactly("UNKNOWN_STORE");
        }
        for (var page : List.of(PageRequest.forward(9, null), PageRequest.backward(9, null))) {
            assertThat(fixture.imports()
                            .rejections(ImportFixture.ACTOR, ended, page)
                            .nodes())
                    .extracting(ImportRejection::code)
                    .containsExactly("UNKNOWN_STORE");
        }
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(ended.changeSet());
    }

    @Test
    void whoBeginsAgainSaysThatStoresOfBeforeCountAsUnchanged() throws Exception {
        var begun = begin(ImportAbout.FILE, ImportFile.of(ImportKind.STORES, HAMBURG.getBytes(UTF_8)));
        // What the first instance wrote before it died.
        dynamo().takeOver(begun.id(), fixture.clock.instant());
        fixture.run(ImportFixture.stores(HAMBURG.split("\n", -1)));

        staged.handle(WorkersFixture.run(task()));

        var ended = now(begun);
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.unchanged()).isEqualTo(1);
        assertThat(ended.message()).isEqualTo(ImportRun.BEGUN_AGAIN);
        assertThat(fixture.audit
                        .bySubject("IMPORT#" + begun.id(), PageRequest.forward(1, null))
                        .nodes()
                        .getFirst()
                        .details())
                .containsEntry("begunAgain", ImportRun.BEGUN_AGAIN);
    }

    @Test
    void whoWasOvertakenAtTheLastMomentDraftsNothing() throws Exception {
        var begun = begun(FILE);
        var task = task();
        var slow = InterruptedClient.before(StagedImportsTest::drafts, 1, table.client(), () -> {
            try {
                staged.handle(WorkersFixture.run(task));
            } catch (TaskFailed | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        var overtaken = staged(new ImportFixture(clock -> table.queryDb(slow, clock)));

        var thrown = catchThrowable(() -> overtaken.handle(WorkersFixture.run(task)));

        var ended = now(begun);
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.attempt()).isEqualTo(2);
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(ended.changeSet());
        assertThat(thrown).isInstanceOf(ConditionFailed.class);
    }

    private static boolean drafts(DynamoDbRequest request) {
        return puts(request, "type", "changeSet");
    }

    /** Whether it is a transaction that puts an item with that attribute. */
    private static boolean puts(DynamoDbRequest request, String attribute, String value) {
        return request instanceof TransactWriteItemsRequest writes
                && writes.transactItems().stream()
                        .anyMatch(write -> write.put() != null
                                && AttributeValue.fromS(value)
                                        .equals(write.put().item().get(attribute)));
    }

    @Test
    void aSetThatWasDraftedIsNotDraftedAgainByWhoTakesOver() throws Exception {
        var begun = begun(FILE);
        staged.handle(WorkersFixture.run(task()));
        var ended = now(begun);
        // As if the first instance had died just before it said that it is done.
        fixture.db.update(Update.of(key(begun)).set("state", "RUNNING"));

        staged.handle(WorkersFixture.run(task()));

        var again = now(begun);
        assertThat(again.state()).isEqualTo(ImportState.FINISHED);
        assertThat(again.changeSet()).isEqualTo(ended.changeSet());
        assertThat(again.rows()).isEqualTo(2);
        assertThat(again.keptRejections()).isEqualTo(1);
        try (var rejections = fixture.imports().rejections(ImportFixture.ACTOR, again)) {
            assertThat(rejections.map(ImportRejection::code)).containsExactly("UNKNOWN_STORE");
        }
        assertThat(sets()).hasSize(1);
    }

    @Test
    void whatHasEndedIsNotDoneAgain() throws Exception {
        var begun = begun(FILE);
        staged.handle(WorkersFixture.run(task()));
        var ended = now(begun);

        staged.handle(WorkersFixture.run(task()));

        assertThat(now(begun)).isEqualTo(ended);
        assertThat(sets()).hasSize(1);
    }

    @Test
    void anInstanceThatStopsLeavesTheImportToOthers() throws Exception {
        var begun = begun(FILE);

        files.stops = true;
        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task()))).isInstanceOf(InterruptedException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(now(begun).state()).isEqualTo(ImportState.RUNNING);
        assertThat(files.sent).hasSize(1);
        files.stops = false;
        staged.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
    }

    @Test
    void anImportWhoseFileIsGoneFails() {
        var begun = begun(FILE);
        files.sent.clear();

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task()))).isInstanceOf(TaskFailed.class);

        assertThat(now(begun).state()).isEqualTo(ImportState.FAILED);
        assertThat(now(begun).message()).startsWith("The prices file could not be read to its end.");
    }

    @Test
    void aStorageThatFailsIsAskedAgainAndTheImportWaits() throws Exception {
        var begun = begun(FILE);
        files.fails = true;

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task())))
                .isInstanceOf(RuntimeException.class)
                .hasRootCauseMessage("no storage");
        assertThat(now(begun).state()).isEqualTo(ImportState.WAITING);

        files.fails = false;
        staged.handle(WorkersFixture.run(task()));
        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
    }

    @Test
    void whoDiedBeforeTheImportWasKnownHasLeftATaskThatMakesItSo() throws Exception {
        var upload = sent(FILE);
        var begun = begin(upload);
        fixture.db.delete(key(begun));

        staged.handle(WorkersFixture.run(task()));

        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(now(begun).actor()).isEqualTo(ImportFixture.ACTOR.actor());
    }

    @Test
    void anUploadExpiresToTheInstantUnlessItIsImportedAlready() {
        var late = sent(FILE);
        var inTime = sent(FILE);
        fixture.clock.advance(Duration.ofHours(6).minusNanos(1_000_000));
        var begun = begin(inTime);
        fixture.clock.advance(Duration.ofMillis(1));

        assertThatThrownBy(() -> begin(late))
                .isInstanceOfSatisfying(InvalidInput.class, refused -> assertThat(refused.code())
                        .isEqualTo("UPLOAD_EXPIRED"));
        assertThat(begin(inTime)).isEqualTo(begun);
        assertThat(uploads.findOpen(late)).isEmpty();
    }

    @Test
    void whatIsStagedOrImportedASecondTimeIsNotNew() {
        var first = (Uploads.Staged.Ready) uploads.stage(ImportFixture.ACTOR, "menu.csv", FILE.length(), "key");
        var again = (Uploads.Staged.Ready) uploads.stage(ImportFixture.ACTOR, "menu.csv", FILE.length(), "key");
        var upload = first.upload().id();
        files.sent.put(upload, FILE.getBytes(UTF_8));

        assertThat(first.isNew()).isTrue();
        assertThat(again.isNew()).isFalse();
        assertThat(again.upload().id()).isEqualTo(upload);
        for (var isNew : List.of(true, false)) {
            assertThat(staged.begin(ImportFixture.ACTOR, ImportKind.PRICES, upload, ImportAbout.FILE, null))
                    .isInstanceOfSatisfying(RepeatableImports.Result.Done.class, done -> assertThat(done.isNew())
                            .isEqualTo(isNew));
        }
    }

    @Test
    void theSamePersonThroughAnotherDoorIsTheSamePerson() {
        var upload = sent(FILE);
        var other = ImportFixture.ACTOR.through(Actor.Source.GRAPHQL);

        assertThat(staged.begin(other, ImportKind.PRICES, upload, ImportAbout.FILE, null))
                .isInstanceOf(RepeatableImports.Result.Done.class);
    }

    @Test
    void anImportOfWhoMayNotImportAnyMoreIsRefusedBeforeAnythingIsRead() {
        var begun = begun(FILE);
        current = _ -> limited("kim", Role.VIEWER, "DE-0001");

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task())))
                .isInstanceOf(TaskFailed.class)
                .hasMessageContaining("PERMISSION_DENIED");

        assertThat(now(begun).state()).isEqualTo(ImportState.REFUSED);
        assertThat(now(begun).rows()).isZero();
        assertThat(sets()).isEmpty();
        assertThat(files.sent).isEmpty();
    }

    @Test
    void aSetThatWasDraftedIsThereAlsoOfWhoMayNotImportAnyMore() throws Exception {
        var begun = begun(FILE);
        staged.handle(WorkersFixture.run(task()));
        var ended = now(begun);
        // As if the first instance had died just before it said that it is done.
        fixture.db.update(Update.of(key(begun)).set("state", "RUNNING"));
        current = StagedImportsTest::locked;

        staged.handle(WorkersFixture.run(task()));

        assertThat(now(begun).state()).isEqualTo(ImportState.FINISHED);
        assertThat(sets()).extracting(ChangeSet::id).containsExactly(ended.changeSet());
        assertThat(now(begun).changeSet()).isEqualTo(ended.changeSet());
    }

    @Test
    void anImportThatMayHaveWrittenStoresIsNotRefusedButHasFailed() throws Exception {
        var begun = begin(ImportAbout.FILE, ImportFile.of(ImportKind.STORES, HAMBURG.getBytes(UTF_8)));
        // What the first instance wrote before it died.
        dynamo().takeOver(begun.id(), fixture.clock.instant());
        fixture.run(ImportFixture.stores(HAMBURG.split("\n", -1)));
        current = StagedImportsTest::locked;

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task())))
                .isInstanceOf(TaskFailed.class)
                .hasMessageContaining("PERMISSION_DENIED");

        assertThat(now(begun).state()).isEqualTo(ImportState.FAILED);
        assertThat(now(begun).message()).endsWith("Stores that were written before stay.");
    }

    private static Access locked(Actor actor) {
        return new Access(new Principal(actor.id(), actor.kind(), actor.name(), Set.of()), actor.source());
    }

    @Test
    void rowsOfStoresThatOneMayNotImportForAnyMoreAreOfUnknownStores() throws Exception {
        fixture.run(ImportFixture.stores("id,name,timeZone,currency", "DE-0002,Hamburg,Europe/Berlin,EUR"));
        var begun = begun(FILE + "DE-0002,BURGER,2020-01-01,2.10\n");
        current = _ -> limited("kim", Role.PRICING_EDITOR, "DE-0001");

        staged.handle(WorkersFixture.run(task()));

        try (var rejections = fixture.imports().rejections(ImportFixture.ACTOR, now(begun))) {
            assertThat(rejections.map(ImportRejection::code)).containsExactly("UNKNOWN_STORE", "UNKNOWN_STORE");
        }
        assertThat(fixture.changes.lines(sets().getFirst())).isEmpty();
        assertThat(sets().getFirst().summary())
                .satisfies(summary ->
                        assertThat(Objects.requireNonNull(summary).touched()).containsExactly(new StoreId("DE-0001")));
    }

    @Test
    void anUploadIsThereForWhoStagedItAlone() {
        var upload = sent(FILE, limited("kim", Role.PRICING_EDITOR, "DE-0001"));
        var other = limited("other", Role.PRICING_EDITOR, "DE-0001");
        var namesake = new Access(
                new Principal("other", Actor.Kind.USER, "kim", other.principal().grants()), Actor.Source.PAGE);
        var none = UploadId.random(fixture.clock.instant(), new Random(9));

        for (var access : List.of(other, namesake, ImportFixture.ACTOR)) {
            assertThat(uploads.findAll(access, List.of(upload))).isEmpty();
            assertThat(refusal(access, upload)).isEqualTo(refusal(access, none));
        }
        assertThat(uploads.findAll(limited("kim", Role.PRICING_EDITOR, "JP-0001"), List.of(upload)))
                .hasSize(1);
    }

    private String refusal(Access access, UploadId upload) {
        var thrown = catchThrowable(() -> staged.begin(access, ImportKind.PRICES, upload, ImportAbout.FILE, null));
        return thrown instanceof InvalidInput refused ? refused.code() + " " + refused.getMessage() : "nothing";
    }

    private UploadId sent(String file, Access access) {
        var ready = (Uploads.Staged.Ready) uploads.stage(access, "menu.csv", file.length(), null);
        files.sent.put(ready.upload().id(), file.getBytes(UTF_8));
        return ready.upload().id();
    }

    @Test
    void aKeyStandsForTheSameUploadWhenItsOwnerIsRenamed() {
        var kim = limited("kim", Role.PRICING_EDITOR, "DE-0001");
        var renamed = new Access(
                new Principal(
                        "kim", Actor.Kind.USER, "Kim Novak", kim.principal().grants()),
                Actor.Source.PAGE);
        var first = (Uploads.Staged.Ready) uploads.stage(kim, "menu.csv", 10, "key");

        var again = (Uploads.Staged.Ready) uploads.stage(renamed, "menu.csv", 10, "key");

        assertThat(again.upload().id()).isEqualTo(first.upload().id());
        var reused = new Uploads.Staged.KeyReused(first.upload().id());
        assertThat(uploads.stage(renamed, "menu.csv", 11, "key")).isEqualTo(reused);
        assertThat(uploads.stage(renamed, "other.csv", 10, "key")).isEqualTo(reused);
        assertThat(uploads.stage(renamed, null, 10, "key")).isEqualTo(reused);
    }

    @Test
    void costsWhatTheCapacityModelSays() {
        var id = new AtomicReference<UploadId>();

        var stage = table.meter().during(() -> id.set(sent(FILE)));
        var begin = table.meter().during(() -> begin(Objects.requireNonNull(id.get())));
        var again = table.meter().during(() -> begin(Objects.requireNonNull(id.get())));

        var prices = ImportFile.of(ImportKind.PRICES, FILE.getBytes(UTF_8));
        var page = table.meter().during(() -> assertThatCode(() -> begin(ImportAbout.FILE, prices))
                .doesNotThrowAnyException());

        assertThat(page).isEqualTo(new Units(3, 0, 7));
        assertThat(stage).isEqualTo(new Units(1, 0, 1));
        assertThat(begin).isEqualTo(new Units(6, 1, 9));
        assertThat(again).isEqualTo(new Units(6, 3, 1));
    }

    @Test
    void filesOfOneImportAreReadByWhateverInstanceTakesThemStoresFirst() throws Exception {
        var begun = begin(
                ImportAbout.because("costs rose"),
                ImportFile.of(
                        ImportKind.PRICES, FILE.replace("nowhere", "FR-0001").getBytes(UTF_8)),
                ImportFile.of(
                        ImportKind.STORES,
                        "id,name,timeZone,currency\nFR-0001,Paris,Europe/Paris,EUR\n".getBytes(UTF_8)));
        assertThat(begun.state()).isEqualTo(ImportState.WAITING);
        assertThat(files.sent).hasSize(2);

        files.stops = true;
        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task()))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        files.stops = false;
        staged.handle(WorkersFixture.run(task()));

        var ended = now(begun);
        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(ended.files())
                .extracting(ImportFileStatus::kind)
                .containsExactly(ImportKind.STORES, ImportKind.PRICES);
        assertThat(ended.rejected()).isZero();
        assertThat(sets()).singleElement().satisfies(set -> {
            assertThat(set.id()).isEqualTo(ended.changeSet());
            assertThat(set.reason()).isEqualTo("costs rose");
        });
        assertThat(files.sent).isEmpty();
    }

    @Test
    void filesThatComeTwiceAtOnceAreImportedOnce() throws Exception {
        var prices = ImportFile.of(ImportKind.PRICES, FILE.getBytes(UTF_8));

        var begun = begin(ImportAbout.FILE, prices);
        var again = begin(ImportAbout.FILE, prices);

        assertThat(again).isEqualTo(begun);
        assertThat(files.sent).hasSize(1);
        assertThat(tasks.reads()
                        .list(TasksFixture.STAFF, TaskFilter.of(TaskStatus.PENDING), PageRequest.forward(64, null))
                        .nodes())
                .hasSize(1);
        staged.handle(WorkersFixture.run(task()));
        assertThat(sets()).hasSize(1);
    }

    @Test
    void anEmptyFileIsRefusedWithItsReason() throws Exception {
        var begun = begin(ImportAbout.FILE, ImportFile.of(ImportKind.PRICES, new byte[0]));

        assertThatThrownBy(() -> staged.handle(WorkersFixture.run(task()))).isInstanceOf(TaskFailed.class);

        assertThat(now(begun).state()).isEqualTo(ImportState.REFUSED);
    }

    @Test
    void nothingIsStoredOfWhatIsRefusedAtOnce() {
        var prices = ImportFile.of(ImportKind.PRICES, FILE.getBytes(UTF_8));

        for (var refused : List.of(new ImportFile[0], new ImportFile[] {prices, prices})) {
            assertThatThrownBy(() -> begin(ImportAbout.FILE, refused)).isInstanceOf(InvalidInput.class);
        }

        assertThatThrownBy(() -> begin(limited("kim", Role.VIEWER, "DE-0001"), ImportAbout.FILE, prices))
                .isInstanceOf(Denied.class);
        assertThat(files.sent).isEmpty();
    }

    @Test
    void aFileThatIsAtHandMayBeAsLargeAsAnUploadAndIsRefusedBeforeAnyIsStored() {
        var most = file(ImportKind.STORES, MAX_BYTES);
        var tooLarge = file(ImportKind.PRICES, MAX_BYTES + 1);

        assertThatThrownBy(() -> begin(ImportAbout.FILE, most, tooLarge))
                .isInstanceOfSatisfying(
                        InvalidInput.class, refused -> assertThat(refused.code() + " " + refused.field())
                                .isEqualTo("FILE_TOO_LARGE prices"));
        assertThat(files.sent).isEmpty();
        assertThatCode(() -> begin(ImportAbout.FILE, most)).doesNotThrowAnyException();
        assertThat(files.sent).hasSize(1);
    }

    private static ImportFile file(ImportKind kind, int bytes) {
        return ImportFile.of(kind, "\n".repeat(bytes).getBytes(UTF_8));
    }

    private DynamoImports dynamo() {
        return new DynamoImports(fixture.db, fixture.audit, Duration.ofDays(30));
    }

    private static Key key(ImportStatus begun) {
        return new Key("IMPORT#" + begun.id(), "META");
    }

    private ImportStatus begun(String file) {
        return begin(sent(file));
    }

    private ImportStatus begin(UploadId upload) {
        var result = staged.begin(ImportFixture.ACTOR, ImportKind.PRICES, upload, ImportAbout.FILE, null);
        return ((RepeatableImports.Result.Done) result).status();
    }

    private ImportStatus begin(ImportAbout about, ImportFile... files) throws IOException {
        return begin(ImportFixture.ACTOR, about, files);
    }

    private ImportStatus begin(Access access, ImportAbout about, ImportFile... files) throws IOException {
        var all = List.of(files);
        return staged.begin(access, ImportIds.of(access, "key", all, about), all, about);
    }

    private UploadId sent(String file) {
        return sent(file, ImportFixture.ACTOR);
    }

    private ImportStatus now(ImportStatus begun) {
        return fixture.imports().find(ImportFixture.ACTOR, begun.id()).orElseThrow();
    }

    private Task task() {
        var task = tasks.reads()
                .list(TasksFixture.STAFF, TaskFilter.of(TaskStatus.PENDING), PageRequest.forward(64, null))
                .nodes()
                .getFirst();
        return task.withPayload(tasks.reads().payload(TasksFixture.STAFF, task));
    }

    private List<ChangeSet> sets() {
        return fixture.changes
                .sets
                .list(ImportFixture.ACTOR, PageRequest.forward(64, null))
                .nodes();
    }

    /** Files that a test has sent itself. */
    private static final class MemoryFiles implements StagedFiles {
        final Map<UploadId, byte[]> sent = new HashMap<>();
        boolean fails;
        boolean stops;

        @Override
        public Target target(UploadId id, long bytes, Duration lifetime) {
            return new Target("/" + id, "PUT", Map.of());
        }

        @Override
        public void store(UploadId id, ImportFile file) throws IOException {
            try (var content = file.content().open()) {
                sent.put(id, content.readAllBytes());
            }
        }

        @Override
        public OptionalLong length(UploadId id) {
            var content = sent.get(id);
            return content == null ? OptionalLong.empty() : OptionalLong.of(content.length);
        }

        @Override
        public Optional<InputStream> open(UploadId id) throws IOException {
            if (fails) {
                throw new IOException("no storage");
            }
            return Optional.ofNullable(sent.get(id))
                    .map(ByteArrayInputStream::new)
                    .map(Content::new);
        }

        @Override
        public void delete(UploadId id) {
            sent.remove(id);
        }

        /** While it is read, its reader may be told to stop. */
        private final class Content extends FilterInputStream {
            Content(InputStream content) {
                super(content);
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (stops) {
                    Thread.currentThread().interrupt();
                }
                return super.read(bytes, offset, length);
            }
        }
    }
}
