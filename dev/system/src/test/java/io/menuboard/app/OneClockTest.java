package io.menuboard.app;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.kernel.PageRequest;
import io.menuboard.local.aws.LocalAws;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.batches.PriceBatch;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.pricing.imports.SamplePrices;
import io.menuboard.querydb.audit.AuditTrail;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Singleton;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.TemporalUnitWithinOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Two instances at one table, of which one has a clock that is {@link #BEHIND}. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneClockTest {
    private static final String SLOW = "slow-clock";
    private static final Duration BEHIND = Duration.ofSeconds(90);
    private static final Clock RIGHT = Clock.systemUTC();

    /** What a Date does not tell, and the time that a test may take between two reads. */
    private static final TemporalUnitWithinOffset CLOSE = new TemporalUnitWithinOffset(30, ChronoUnit.SECONDS);

    private static final Access GRACE = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);
    private static final Store STORE = new Store(
            new StoreId("IS-0001"),
            "Reykjavik",
            Address.UNKNOWN,
            Store.timeZoneOf("UTC"),
            Money.currencyOf("ISK"),
            StoreStatus.OPEN);
    private static final ProductId SOUP = new ProductId("SOUP");

    private final LocalAws aws = LocalAws.start(null, "one-clock");
    private final ApplicationContext right = context();
    private final ApplicationContext slow = context(SLOW);

    private ApplicationContext context(String... environments) {
        var properties = new HashMap<>(aws.properties());
        properties.put("menuboard.scheduler.soon", "60s");
        properties.put("menuboard.queues.long-poll", "1s");
        properties.put("menuboard.cursor-secret", "a secret that only tests know, 32+");
        properties.put("micronaut.server.port", -1);
        var context = ApplicationContext.builder()
                .properties(properties)
                .environments(environments)
                .start();
        // An instance knows the time from the first answer of its table on.
        context.getBean(Stores.class).find(EVERYTHING, STORE.id());
        return context;
    }

    @AfterAll
    void stop() {
        slow.close();
        right.close();
        aws.close();
    }

    @Test
    void bothReadTheSamePrice() {
        var now = LocalDateTime.now(RIGHT).withNano(0);
        right.getBean(Stores.class).save(EVERYTHING, List.of(STORE));
        SamplePrices.save(
                right.getBean(Imports.class),
                right.getBean(ChangeSets.class),
                List.of(price(now.minusDays(2), "900"), price(now.minusSeconds(45), "800")));

        for (var instance : List.of(right, slow)) {
            var pricing = instance.getBean(Pricing.class);
            assertThat(pricing.now()).isCloseTo(RIGHT.instant(), CLOSE);
            assertThat(pricing.price(EVERYTHING, STORE.id(), SOUP, Channel.ALL, pricing.now()))
                    .hasValueSatisfying(
                            price -> assertThat(price.price().amount()).isEqualByComparingTo("800"));
            assertThat(pricing.lowest(EVERYTHING, STORE.id(), new PriceSubject.Product(SOUP), Channel.ALL))
                    .hasValueSatisfying(price -> assertThat(price.amount()).isEqualByComparingTo("800"));
        }
    }

    @Test
    void whatIsDueSoonIsSoonForBoth() {
        var at = RIGHT.instant().plus(Duration.ofSeconds(40));
        var batch = new PriceBatch(STORE.id(), Channel.ALL, EffectiveDate.parse("2026-01-01"));
        var schedules = slow.getBean(BatchSchedules.class);

        schedules.schedule(batch, at);

        assertThat(schedules.isScheduled(batch))
                .as("it is in the queue already")
                .isFalse();
    }

    @Test
    void bothTellTheSameTimeInTheAuditTrailAndOfImports() {
        slow.getBean(AuditTrail.class).record(GRACE.actor(), "CLOCK#1", "looked at", Map.of());
        var begun = slow.getBean(Imports.class)
                .begin(
                        GRACE,
                        List.of(new ImportFile(ImportKind.PRICES, "prices.csv", 0, InputStream::nullInputStream)));

        assertThat(begun.startedAt()).isCloseTo(RIGHT.instant(), CLOSE);
        assertThat(right.getBean(AuditTrail.class)
                        .bySubject("CLOCK#1", PageRequest.forward(1, null))
                        .nodes())
                .singleElement()
                .satisfies(record -> assertThat(record.at()).isCloseTo(RIGHT.instant(), CLOSE));
    }

    @Test
    void theOneThatIsBehindSaysTooThatATokenIsOver() {
        var tokens = right.getBean(Tokens.class);
        var administrator = tokens.create(
                GRACE,
                "administrator",
                Set.of(Grant.of(Role.ADMINISTRATOR)),
                RIGHT.instant().plus(Duration.ofHours(1)));
        tokens.create(
                GRACE, "short", Set.of(Grant.of(Role.WORKER)), RIGHT.instant().plusSeconds(5));
        var page = HttpRequest.newBuilder(
                        slow.getBean(EmbeddedServer.class).start().getURI().resolve("/tokens.csv"))
                .header("Authorization", "Bearer " + administrator.text())
                .build();

        try (var http = HttpClient.newHttpClient()) {
            await().atMost(BEHIND.dividedBy(2)).untilAsserted(() -> assertThat(
                            http.send(page, BodyHandlers.ofString()).body().lines())
                    .anyMatch(line -> line.contains("administrator") && line.endsWith(",Active"))
                    .anyMatch(line -> line.contains("short") && line.endsWith(",Expired")));
        }
    }

    private static BasePrice price(LocalDateTime from, String amount) {
        return new BasePrice(
                STORE,
                Channel.ALL,
                SOUP,
                new EffectiveDate(from),
                new Money(new BigDecimal(amount), Money.currencyOf("ISK")));
    }

    /** The clock of an instance that was not set for a while. */
    @Factory
    @Requires(env = SLOW)
    static final class SlowClock {
        @Singleton
        @Replaces(Clock.class)
        Clock clock() {
            return Clock.offset(Clock.systemUTC(), BEHIND.negated());
        }
    }
}
