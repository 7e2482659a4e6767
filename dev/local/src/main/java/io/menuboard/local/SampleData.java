package io.menuboard.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.imports.ImportFile;
import io.menuboard.pricing.imports.ImportKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Stores and prices that look real, as the files that the import reads: stores in many countries, a menu with local
 * prices, some of them dearer for delivery, some changed lately, some about to change. The same arguments make the same
 * files, byte for byte. Rows are made while they are read.
 *
 * @param stores how many, at most {@value #MAX_STORES}
 * @param products how many each store sells, at most {@value SampleMenu#MAX_PRODUCTS}
 * @param today prices have begun before it, or will begin after
 */
record SampleData(int stores, int products, long seed, LocalDate today) {
    static final int MAX_STORES = 8_000;

    SampleData {
        if (stores < 1 || stores > MAX_STORES || products < 1 || products > SampleMenu.MAX_PRODUCTS) {
            throw new IllegalArgumentException("The sample has 1 to " + MAX_STORES + " stores and 1 to "
                    + SampleMenu.MAX_PRODUCTS + " products, not " + stores + " and " + products + ".");
        }
    }

    /** The stores from one number to another, and their prices, as two files. */
    List<ImportFile> files(int from, int to) {
        var menu = SampleMenu.products(products);
        return List.of(
                file(ImportKind.STORES, from, to, number -> List.of(store(number))),
                file(ImportKind.PRICES, from, to, number -> prices(number, menu)));
    }

    private static ImportFile file(ImportKind kind, int from, int to, IntFunction<List<List<String>>> rows) {
        var name = "sample-" + kind.label() + "-" + (from + 1) + "-to-" + to + ".csv";
        // All stores have about as many rows, so one tells how big the file will be.
        var size = (long) csv(rows.apply(from)).length * (to - from);
        return new ImportFile(
                kind,
                name,
                size,
                () -> new Rows(kind, IntStream.range(from, to).mapToObj(rows).iterator()));
    }

    private List<String> store(int number) {
        var country = country(number);
        var random = random(number);
        var inCountry = number / SampleCountry.ALL.size();
        var city = country.cities().get(inCountry % country.cities().size());
        var street = country.streets().get(random.nextInt(country.streets().size()));
        var nth = inCountry / country.cities().size();
        var name = city.name() + " "
                + street.replaceAll("[ ,]*%d ?(-chome)?", "").strip() + (nth == 0 ? "" : " " + (nth + 1));
        var dice = random.nextInt(100);
        return List.of(
                id(number),
                name,
                street.formatted(1 + random.nextInt(120)),
                city.name(),
                city.region(),
                city.postalCode(),
                country.code(),
                city.timeZone(),
                country.currency(),
                dice < 94 ? "OPEN" : dice < 98 ? "TEMPORARILY_CLOSED" : "CLOSED");
    }

    private List<List<String>> prices(int number, List<SampleMenu.Product> menu) {
        var country = country(number);
        var random = random(number);
        // A store at an airport is dearer than one in a village.
        var level = country.level() * (0.92 + 0.2 * random.nextDouble());
        var rows = new Prices(id(number), country, new ArrayList<>());
        var opened = today.minusYears(1).withDayOfYear(1);
        for (var product : menu) {
            var price = product.dollars() * level;
            rows.add("ALL", product.id(), opened.toString(), price);
            var dice = random.nextInt(100);
            if (dice < 15) {
                rows.add(
                        "ALL",
                        product.id(),
                        today.minusDays(3 + random.nextInt(90)).toString(),
                        price * 1.05);
            } else if (dice < 30) {
                rows.add(
                        "ALL",
                        product.id(),
                        today.plusDays(1 + random.nextInt(60)).toString(),
                        price * 1.08);
            }
            if (dice % 10 == 0) {
                rows.add("DELIVERY", product.id(), opened.toString(), price * 1.15);
            } else if (dice % 10 == 1) {
                rows.add("KIOSK", product.id(), opened.toString(), price * 0.97);
            } else if (dice == 2) {
                // Breakfast ends, and with it the offer in the app.
                rows.add("APP", product.id(), opened + "T06:00", price * 0.8);
                rows.add("APP", product.id(), today.plusDays(7) + "T10:30", price);
            }
        }
        for (var swap : SampleMenu.swaps(menu)) {
            rows.add(swap, opened.toString(), swap.dollars() * level);
        }
        return rows.rows;
    }

    private static SampleCountry country(int number) {
        return SampleCountry.ALL.get(number % SampleCountry.ALL.size());
    }

    /** Of the store with that number, whether there is one or not. */
    static String id(int number) {
        return String.format("%s-%04d", country(number).code(), 1 + number / SampleCountry.ALL.size());
    }

    /** Its own for every store, so that a store is the same however many there are. */
    private SplittableRandom random(int number) {
        return new SplittableRandom(seed * 1_000_003 + number);
    }

    private static byte[] csv(List<List<String>> rows) {
        var text = new StringBuilder();
        try (var writer = new CsvWriter(text)) {
            for (var row : rows) {
                writer.row(row);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(UTF_8);
    }

    private record Prices(String store, SampleCountry country, List<List<String>> rows) {

        void add(String channel, String product, String effectiveDate, double price) {
            rows.add(List.of(store, channel, product, "", "", effectiveDate, amount(price), country.currency()));
        }

        void add(SampleMenu.Swap swap, String effectiveDate, double price) {
            rows.add(List.of(
                    store, "ALL", "", swap.combo(), swap.option(), effectiveDate, amount(price), country.currency()));
        }

        private String amount(double price) {
            var rounding = country.rounding();
            return BigDecimal.valueOf(rounding.round(price), rounding.decimals())
                    .toPlainString();
        }
    }

    /** The bytes of a file whose rows are made a store at a time. */
    private static final class Rows extends InputStream {
        private final Iterator<List<List<String>>> stores;
        private byte[] chunk;
        private int position;

        Rows(ImportKind kind, Iterator<List<List<String>>> stores) {
            this.stores = stores;
            this.chunk = csv(List.of(kind.columns()));
        }

        @Override
        public int read() {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (position == chunk.length) {
                if (!stores.hasNext()) {
                    return -1;
                }
                chunk = csv(stores.next());
                position = 0;
            }
            var count = Math.min(length, chunk.length - position);
            System.arraycopy(chunk, position, target, offset, count);
            position += count;
            return count;
        }
    }
}
