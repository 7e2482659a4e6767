import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes Menuboard's two import files from The Economist's Big Mac data: what one product has cost in some 70 countries
 * since 2000. A country becomes a store, its price of a date a base price from that date on.
 *
 * <pre>java examples/BigMac.java big-mac-source-data-v2.csv OUT_DIR</pre>
 *
 * The data is at github.com/TheEconomist/big-mac-data, published under CC BY 4.0: name The Economist where you show it.
 */
final class BigMac {
    private static final String HEADER = "name,iso_a3,currency_code,local_price,dollar_ex,GDP_dollar,GDP_local,date";
    private static final String PRODUCT = "BIGMAC";

    /** A price counts from midnight of the store's clock; of a country with several clocks this is the one of most people. */
    private static final Map<String, String> TIME_ZONES = Arrays.stream("""
                    ARE Asia/Dubai, ARG America/Argentina/Buenos_Aires, AUS Australia/Sydney, AUT Europe/Vienna,
                    AZE Asia/Baku, BEL Europe/Brussels, BHR Asia/Bahrain, BRA America/Sao_Paulo, CAN America/Toronto,
                    CHE Europe/Zurich, CHL America/Santiago, CHN Asia/Shanghai, COL America/Bogota,
                    CRI America/Costa_Rica, CZE Europe/Prague, DEU Europe/Berlin, DNK Europe/Copenhagen,
                    EGY Africa/Cairo, ESP Europe/Madrid, EST Europe/Tallinn, EUZ Europe/Brussels, FIN Europe/Helsinki,
                    FRA Europe/Paris, GBR Europe/London, GRC Europe/Athens, GTM America/Guatemala, HKG Asia/Hong_Kong,
                    HND America/Tegucigalpa, HRV Europe/Zagreb, HUN Europe/Budapest, IDN Asia/Jakarta,
                    IND Asia/Kolkata, IRL Europe/Dublin, ISR Asia/Jerusalem, ITA Europe/Rome, JOR Asia/Amman,
                    JPN Asia/Tokyo, KOR Asia/Seoul, KWT Asia/Kuwait, LBN Asia/Beirut, LKA Asia/Colombo,
                    LTU Europe/Vilnius, LVA Europe/Riga, MDA Europe/Chisinau, MEX America/Mexico_City,
                    MYS Asia/Kuala_Lumpur, NIC America/Managua, NLD Europe/Amsterdam, NOR Europe/Oslo,
                    NZL Pacific/Auckland, OMN Asia/Muscat, PAK Asia/Karachi, PER America/Lima, PHL Asia/Manila,
                    POL Europe/Warsaw, PRT Europe/Lisbon, QAT Asia/Qatar, ROU Europe/Bucharest, RUS Europe/Moscow,
                    SAU Asia/Riyadh, SGP Asia/Singapore, SVK Europe/Bratislava, SVN Europe/Ljubljana,
                    SWE Europe/Stockholm, THA Asia/Bangkok, TUR Europe/Istanbul, TWN Asia/Taipei, UKR Europe/Kyiv,
                    URY America/Montevideo, USA America/New_York, VEN America/Caracas, VNM Asia/Ho_Chi_Minh,
                    ZAF Africa/Johannesburg
                    """.split(","))
            .map(entry -> entry.strip().split(" "))
            .collect(Collectors.toMap(entry -> entry[0], entry -> entry[1]));

    /** Menuboard and address books name countries with two letters. */
    private static final Map<String, String> TWO_LETTERS = Arrays.stream(Locale.getISOCountries())
            .collect(Collectors.toMap(code -> Locale.of("", code).getISO3Country(), Function.identity()));

    private record Price(String country, String name, String currency, BigDecimal amount, String date) {}

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java examples/BigMac.java big-mac-source-data-v2.csv OUT_DIR");
            System.exit(2);
        }
        try {
            convert(Path.of(args[0]), Path.of(args[1]));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void convert(Path source, Path folder) throws IOException {
        if (!Files.isReadable(source)) {
            throw new IllegalArgumentException("There is no file " + source + " that can be read.");
        }
        var prices = read(source);
        var latest = new TreeMap<String, Price>();
        prices.forEach(price -> latest.merge(
                price.country(), price, (one, other) -> one.date().compareTo(other.date()) > 0 ? one : other));

        Files.createDirectories(folder);
        write(folder.resolve("stores.csv"), "id,name,country,timeZone,currency", latest.values().stream()
                .map(price -> List.of(
                        price.country(),
                        price.name(),
                        // The euro area is no country.
                        TWO_LETTERS.getOrDefault(price.country(), ""),
                        timeZone(price.country()),
                        price.currency()))
                .toList());

        var rows = new ArrayList<List<String>>();
        var rounded = new ArrayList<String>();
        for (var price : prices) {
            var minor = Currency.getInstance(price.currency()).getDefaultFractionDigits();
            var amount = price.amount().setScale(minor, RoundingMode.HALF_EVEN);
            if (amount.compareTo(price.amount()) != 0) {
                rounded.add("  " + price.name() + " " + price.date() + ": " + price.amount().toPlainString() + " -> "
                        + amount.toPlainString() + " " + price.currency());
            }
            rows.add(List.of(price.country(), PRODUCT, price.date(), amount.toPlainString(), price.currency()));
        }
        write(folder.resolve("prices.csv"), "store,product,effectiveDate,amount,currency", rows);

        System.out.println(latest.size() + " stores are in " + folder.resolve("stores.csv"));
        System.out.println(rows.size() + " prices are in " + folder.resolve("prices.csv"));
        if (!rounded.isEmpty()) {
            System.out.println(rounded.size() + " of them are averages with more decimals than their currency has, and were"
                    + " rounded half to even:");
            rounded.forEach(System.out::println);
        }
        System.out.println("Source: The Economist, CC BY 4.0");
    }

    /** The source quotes nothing, so that a row is its text between commas; whatever looks different is refused. */
    private static List<Price> read(Path source) throws IOException {
        var lines = Files.readAllLines(source, StandardCharsets.UTF_8);
        if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
            throw new IllegalArgumentException(source + " must begin with the header " + HEADER);
        }
        var prices = new ArrayList<Price>();
        for (var number = 2; number <= lines.size(); number++) {
            var line = lines.get(number - 1);
            var fields = line.split(",", -1);
            if (fields.length != 8 || line.contains("\"")) {
                throw new IllegalArgumentException("Line " + number + " is not 8 plain fields: " + line);
            }
            try {
                Currency.getInstance(fields[2]);
                // Takes 4e+06 as well, which an import does not.
                prices.add(new Price(fields[1], fields[0], fields[2], new BigDecimal(fields[3]), fields[7]));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("Line " + number + " has no price: " + line, e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("Line " + number + " has an unknown currency: " + line, e);
            }
        }
        return prices;
    }

    private static String timeZone(String country) {
        var zone = TIME_ZONES.get(country);
        if (zone == null) {
            throw new IllegalArgumentException("Country " + country + " is new here: add its time zone to BigMac.java.");
        }
        return zone;
    }

    private static void write(Path file, String header, List<List<String>> rows) throws IOException {
        try (var out = new PrintWriter(Files.newBufferedWriter(file))) {
            out.print(header + "\r\n");
            rows.forEach(row -> out.print(row.stream().map(BigMac::quoted).collect(Collectors.joining(",")) + "\r\n"));
        }
    }

    private static String quoted(String field) {
        return field.matches("[^,\"\r\n]*") ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
