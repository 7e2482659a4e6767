package io.menuboard.pricing.subscriptions;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.price;
import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.draft;
import static io.menuboard.pricing.changes.ChangesFixture.rule;
import static io.menuboard.pricing.changes.ChangesFixture.setTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.pricing.revisions.DynamoPriceRevisions;
import io.menuboard.pricing.revisions.Revision;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** An instance takes midnight for past, and tells of it, between what another one has planned and its transaction. */
class PassedTimesTest {
    private static final String STORE = "DE-0001";
    private static final Instant MIDNIGHT = EffectiveDate.parse("2036-07-01").startsAt(BERLIN.timeZone());

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private final MovingClock slowClock = new MovingClock();
    private final AtomicReference<@Nullable Runnable> beforeCommit = new AtomicReference<>();
    private ChangesFixture changes;
    /** The instance whose transactions come late. */
    private ChangesFixture slow;

    private SubscriptionsFixture instance;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        slow = new ChangesFixture(table.queryDb(late(LocalDynamoDb.shared().directClient()), slowClock), slowClock);
        instance = new SubscriptionsFixture(changes);
        changes.stores.save(EVERYTHING, List.of(BERLIN));
        changes.load(Stream.of("P000", "P001")
                .<Price>map(product -> price(BERLIN, "ALL", product, "2030-01-01", "4.99"))
                .toList());
        clock.set(MIDNIGHT.minusSeconds(1));
        slowClock.set(clock.instant());
    }

    @AfterEach
    void close() {
        instance.close();
        changes.close();
        slow.close();
    }

    @Test
    void aChangeAtOnceCountsFromWhatHasPassedMeanwhile() {
        var told = instance.all(STORE, null);
        changes.applied(scheduled("5.99", "P000"));
        told.awaitEvents(1);
        var draft = changes.drafted(draft(null, rule(setTo("6.49"), List.of(STORE), "P001")));
        whenPassed(told, "2036-06-30T22:00:00Z P000 4.99 -> 5.99");

        slow.applied(draft);

        told.awaitChanges("2036-06-30T22:00:00Z P000 4.99 -> 5.99", "2036-06-30T22:00:00Z P001 4.99 -> 6.49");
        assertThat(changes.history(STORE, "P001").getFirst().at()).isEqualTo(MIDNIGHT);
    }

    @Test
    void whatIsScheduledForWhatHasPassedMeanwhileIsNotWritten() {
        var told = instance.all(STORE, null);
        changes.applied(scheduled("5.99", "P000"));
        told.awaitEvents(1);
        var draft = scheduled("6.49", "P001");
        whenPassed(told, "2036-06-30T22:00:00Z P000 4.99 -> 5.99");

        var result = slow.sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token()));

        assertThat(result).isNotInstanceOf(ChangeSetResult.Done.class);
        assertThat(changes.price(STORE, "P001")).isEqualTo("4.99");
        told.awaitChanges("2036-06-30T22:00:00Z P000 4.99 -> 5.99");
    }

    @Test
    void whatHasTakenEffectMeanwhileIsNotTakenBack() {
        var told = instance.all(STORE, null);
        var set = changes.applied(scheduled("5.99", "P000"));
        told.awaitEvents(1);
        whenPassed(told, "2036-06-30T22:00:00Z P000 4.99 -> 5.99");

        assertThat(ChangesFixture.done(slow.sets.cancel(GRACE, set.id())).status())
                .isEqualTo(ChangeSetStatus.APPLIED);

        assertThat(changes.price(STORE, "P000")).isEqualTo("5.99");
    }

    /** Otherwise what is written then would count from a moment before that of the batch, whose history says what was before it. */
    @Test
    void whatABatchSaysWasBeforeIsNotChangedByAnInstanceWhoseClockIsBehind() {
        changes.applied(scheduled("5.99", "P000"));
        slowClock.set(MIDNIGHT.minusSeconds(2));
        var draft = slow.drafted(draft("2036-06-30T23:59:59", rule(setTo("6.49"), List.of(STORE), "P000")));
        clock.set(MIDNIGHT);
        changes.batches.apply(EVERYTHING, new PriceBatch(BERLIN.id(), Channel.ALL, EffectiveDate.parse("2036-07-01")));

        var result = slow.sets.applyAccepted(GRACE, draft.id(), String.valueOf(draft.token()));

        assertThat(result).isNotInstanceOf(ChangeSetResult.Done.class);
        assertThat(changes.history(STORE, "P000"))
                .extracting(entry -> List.of(entry.before(), entry.after()))
                .containsExactly(List.of(Money.of("4.99 EUR"), Money.of("5.99 EUR")));
        assertThat(changes.price(STORE, "P000", "2036-06-30T21:59:59Z")).isEqualTo("4.99");
    }

    @Test
    void whatIsWrittenForNowAndForLaterTogetherIsARevisionMoreThanTheLogHas() {
        changes.db.transact(
                List.of(DynamoPriceRevisions.raiseAtOnce(BERLIN.id(), Channel.ALL, revision(), clock.instant(), null)));
        assertThat(revision()).isEqualTo(new Revision(1, false, 1, 0, clock.instant()));

        changes.db.transact(List.of(
                DynamoPriceRevisions.raiseAtOnce(BERLIN.id(), Channel.ALL, revision(), clock.instant(), MIDNIGHT)));

        assertThat(revision()).isEqualTo(new Revision(3, false, 2, 0, clock.instant()));
    }

    private Revision revision() {
        return changes.revisions.since(BERLIN.id(), System.nanoTime()).of(Channel.ALL);
    }

    private ChangeSet scheduled(String amount, String product) {
        return changes.drafted(draft("2036-07-01", rule(setTo(amount), List.of(STORE), product)));
    }

    /** Lets midnight come before the next transaction of the slow instance, and somebody be told. */
    private void whenPassed(ToldChanges told, String expected) {
        beforeCommit.set(() -> {
            clock.set(MIDNIGHT);
            told.awaitChanges(expected);
        });
    }

    private DynamoDbClient late(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                PassedTimesTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof TransactWriteItemsRequest) {
                        var before = beforeCommit.getAndSet(null);
                        if (before != null) {
                            before.run();
                        }
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
