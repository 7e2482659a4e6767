package io.menuboard.querydb.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.TableDefinition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Own clocks that are wrong, and what the table's answers make of them. */
final class TableClockTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Clock OWN = Clock.fixed(NOW, ZoneOffset.UTC);

    @Property(tries = 200)
    void everyAnswerNarrowsHowFarTheOwnClockMayBeOff(
            @ForAll @LongRange(min = -600_000, max = 600_000) long offMillis,
            @ForAll @IntRange(max = 200) int roundTripMillis,
            @ForAll long seed) {
        var off = Duration.ofMillis(offMillis);
        var roundTrip = Duration.ofMillis(roundTripMillis);
        var random = new Random(seed);
        var clock = new TableClock(OWN);
        var error = off.abs();
        for (var answer = 0; answer < 100; answer++) {
            var sent = NOW.plusMillis(answer * 1_000L + random.nextInt(1_000));
            var answered = sent.plusMillis(random.nextInt(roundTripMillis + 1)).plus(off);
            clock.heard(sent, sent.plus(roundTrip), date(answered));

            var left = off.minus(clock.correction()).abs();
            assertThat(left).isLessThanOrEqualTo(error);
            // The first answer tells as much already.
            assertThat(left).isLessThanOrEqualTo(SECOND.plus(roundTrip));
            error = left;
        }
        assertThat(error).isLessThanOrEqualTo(Duration.ofMillis(200).plus(roundTrip));
        assertThat(clock.correction().abs()).isLessThanOrEqualTo(off.abs());
    }

    @Example
    void aClockThatNoAnswerContradictsIsLeftAsItIs() {
        var clock = new TableClock(OWN);
        assertThat(clock.instant()).isEqualTo(NOW);

        clock.heard(NOW, NOW.plusMillis(5), date(NOW));

        assertThat(clock.correction()).isZero();
    }

    @Example
    void aClockThatIsSetWhileItRunsIsCorrectedAnew() {
        var clock = new TableClock(OWN);
        clock.heard(NOW, NOW, date(NOW.plusSeconds(60)));
        assertThat(clock.correction()).isEqualTo(Duration.ofMinutes(1));

        var later = NOW.minusSeconds(300);
        clock.heard(later, later, date(NOW));
        clock.heard(later, later, date(NOW));

        assertThat(clock.correction()).isEqualTo(Duration.ofMinutes(5));
    }

    @Example
    void oneAnswerThatContradictsAllOthersChangesNothing() {
        var clock = new TableClock(OWN);
        clock.heard(NOW, NOW, date(NOW.plusSeconds(60)));

        clock.heard(NOW, NOW, date(NOW.minus(Duration.ofDays(1))));
        assertThat(clock.correction()).isEqualTo(Duration.ofMinutes(1));
        clock.heard(NOW, NOW, date(NOW.plusSeconds(60)));
        assertThat(clock.correction()).isEqualTo(Duration.ofMinutes(1));
        clock.heard(NOW, NOW, date(NOW.plus(Duration.ofDays(1))));
        clock.heard(NOW, NOW, date(NOW.minus(Duration.ofDays(1))));

        assertThat(clock.correction()).as("those two contradict each other").isEqualTo(Duration.ofMinutes(1));
    }

    @Example
    void whatIsNoDateIsNotHeard() {
        var clock = new TableClock(OWN);

        clock.heard(NOW, NOW, "yesterday");

        assertThat(clock.correction()).isZero();
    }

    @Example
    void twoClocksMinutesApartAgreeAfterTheFirstAnswer() {
        var definition = TableDefinition.menuboard("clocks");
        LocalTables.create(LocalDynamoDb.shared(), definition);
        var fast = new TableClock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(5)));
        var slow = new TableClock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(-5)));
        try (var http = ApacheHttpClient.create();
                var first = client(http, fast);
                var second = client(http, slow)) {
            var begin = System.nanoTime();
            ask(first, definition);
            ask(second, definition);
            var took = Duration.ofNanos(System.nanoTime() - begin);

            // Each is a second off at the most, for that is what a Date tells, and the time that the answer took.
            assertThat(fast.correction().plusMinutes(5).abs()).isLessThanOrEqualTo(SECOND.plus(took));
            assertThat(slow.correction().minusMinutes(5).abs()).isLessThanOrEqualTo(SECOND.plus(took));
        } finally {
            LocalDynamoDb.shared().client().deleteTable(request -> request.tableName(definition.name()));
        }
    }

    private static DynamoDbClient client(SdkHttpClient http, TableClock clock) {
        return DynamoDbClient.builder()
                .endpointOverride(LocalDynamoDb.shared().endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClient(http)
                .overrideConfiguration(
                        QueryDb.clientOverrides().addExecutionInterceptor(clock).build())
                .build();
    }

    private static void ask(DynamoDbClient client, TableDefinition table) {
        client.describeTable(request -> request.tableName(table.name()));
    }

    private static String date(Instant instant) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                instant.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC));
    }
}
