package io.menuboard.pricing.imports;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.PricingFixture.FULL_SOAK;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Money;
import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.pricing.Address;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreStatus;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a store or a price may hold survives the way through a file. */
class ImportRoundTripTest {
    private static final AtomicInteger TABLES = new AtomicInteger();
    private static final List<String> CURRENCIES = List.of("EUR", "JPY", "KWD", "CHF", "IDR");

    @Property(tries = 6)
    void storesAndPricesComeBackAsTheyWereWritten(
            @ForAll("stores") List<Store> stores, @ForAll("prices") List<Draft> drafts) throws IOException {
        var fixture = new ImportFixture(clock -> {
            var table = TableDefinition.menuboard("round-trip-" + TABLES.incrementAndGet());
            LocalTables.create(LocalDynamoDb.shared(), table);
            return LocalTables.queryDb(LocalDynamoDb.shared().directClient(), table, clock);
        });
        var distinct = List.copyOf(stores.stream()
                .collect(toMap(Store::id, store -> store, (first, same) -> first))
                .values());
        var prices = new ArrayList<BasePrice>();
        for (var i = 0; i < drafts.size(); i++) {
            prices.add(drafts.get(i).at(distinct.get(i % distinct.size()), i));
        }
        var files = new ImportFile[] {
            file(
                    ImportKind.STORES,
                    distinct.stream().map(ImportRoundTripTest::row).toList()),
            file(
                    ImportKind.PRICES,
                    prices.stream().map(ImportRoundTripTest::row).toList())
        };

        var first = fixture.run(files);
        var second = fixture.run(files);

        assertThat(fixture.rejections).isEmpty();
        assertThat(first.created()).isEqualTo(distinct.size() + prices.size());
        assertThat(second.unchanged()).isEqualTo(distinct.size() + prices.size());
        for (var store : distinct) {
            assertThat(fixture.stores.findAllNow(EVERYTHING, List.of(store.id())))
                    .containsValue(store);
        }
        for (var price : prices) {
            assertThat(fixture.pricing.price(
                            EVERYTHING, price.store().id(), price.product(), price.channel(), price.startsAt()))
                    .contains(price);
        }
    }

    @Provide
    Arbitrary<List<Store>> stores() {
        var text = text(0, 60);
        var address = Combinators.combine(text, text, text, text, Arbitraries.of("", "DE", "JP", "BR"))
                .as(Address::new);
        return Combinators.combine(
                        id("abZ9,;\"'=+-@|"),
                        text(1, 60).filter(name -> !name.isBlank()),
                        address,
                        Arbitraries.of(List.copyOf(ZoneId.getAvailableZoneIds())),
                        Arbitraries.of(CURRENCIES),
                        Arbitraries.of(StoreStatus.class))
                .as((id, name, where, zone, currency, status) -> new Store(
                        new StoreId(id), name, where, Store.timeZoneOf(zone), Money.currencyOf(currency), status))
                .list()
                .ofMinSize(1)
                .ofMaxSize(FULL_SOAK ? 20 : 8);
    }

    @Provide
    Arbitrary<List<Draft>> prices() {
        return Combinators.combine(
                        id("abZ9 ,;\"'=+-@＝＋－＠|éß東"),
                        id("abZ9 ,;\"'=+-@＝＋－＠|éß東"),
                        Arbitraries.integers().between(1, 20_000),
                        Arbitraries.integers().between(0, 86_399),
                        Arbitraries.longs().between(0, 999_999_999),
                        Arbitraries.of(CURRENCIES))
                .as(Draft::new)
                .list()
                .ofMaxSize(FULL_SOAK ? 75 : 30);
    }

    /** What a spreadsheet, a quoting rule or a formula guard could trip over, and letters of the world. */
    private static Arbitrary<String> text(int min, int max) {
        return Arbitraries.strings()
                .withChars("ab ,;\"'\r\n\t=+-@＝＋－＠|éß東".toCharArray())
                .ofMinLength(min)
                .ofMaxLength(max);
    }

    private static Arbitrary<String> id(String chars) {
        return Arbitraries.strings()
                .withChars(chars.toCharArray())
                .ofMinLength(1)
                .ofMaxLength(20)
                .filter(id -> !id.isBlank() && id.equals(id.strip()));
    }

    /** A price without its store. */
    record Draft(String channel, String product, int day, int second, long units, String currency) {
        BasePrice at(Store store, int number) {
            var unit = Currency.getInstance(currency);
            return new BasePrice(
                    store,
                    new Channel(channel),
                    // Its number keeps it apart from the others of the file.
                    new ProductId(product + number),
                    new EffectiveDate(
                            LocalDate.EPOCH.plusDays(day).atStartOfDay().plusSeconds(second)),
                    new Money(BigDecimal.valueOf(units, unit.getDefaultFractionDigits()), unit));
        }
    }

    private static ImportFile file(ImportKind kind, List<List<String>> rows) throws IOException {
        var text = new StringBuilder();
        try (var writer = new CsvWriter(text)) {
            writer.row(kind.columns());
            for (var row : rows) {
                writer.row(row);
            }
        }
        return ImportFixture.file(kind, text.toString().getBytes(UTF_8));
    }

    private static List<String> row(Store store) {
        var address = store.address();
        return List.of(
                store.id().value(),
                store.name(),
                address.street(),
                address.city(),
                address.region(),
                address.postalCode(),
                address.country(),
                store.timeZone().getId(),
                store.currency().getCurrencyCode(),
                store.status().name());
    }

    private static List<String> row(BasePrice price) {
        return List.of(
                price.store().id().value(),
                price.channel().value(),
                price.product().value(),
                "",
                "",
                price.effectiveDate().toString(),
                price.price().amount().toPlainString(),
                price.price().currency().getCurrencyCode());
    }
}
