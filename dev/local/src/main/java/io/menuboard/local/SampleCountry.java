package io.menuboard.local;

import java.util.List;

/**
 * Country of sample stores, with its prices.
 *
 * @param level what a product of one dollar costs, in the currency's main unit
 * @param rounding makes an amount look like a price
 * @param streets as they are called there; a house number is put where {@code %d} is
 */
record SampleCountry(
        String code, String currency, double level, Rounding rounding, List<SampleCity> cities, List<String> streets) {

    /** @param postalCode one of the town's */
    record SampleCity(String name, String region, String postalCode, String timeZone) {}

    /** In cents, or whatever the smallest units are: the next amount below that ends as prices there do. */
    record Rounding(int decimals, long step, long ending) {

        /** The amount in smallest units, at least one step. */
        long round(double amount) {
            var units = Math.round(amount * Math.pow(10, decimals));
            return Math.max(1, Math.round((units - ending) / (double) step)) * step + ending;
        }
    }

    /** Every country of the sample. Some clocks are odd on purpose, and some currencies have no decimals or three. */
    static final List<SampleCountry> ALL = List.of(
            new SampleCountry(
                    "DE",
                    "EUR",
                    0.95,
                    new Rounding(2, 10, -1),
                    List.of(
                            city("Berlin", "Berlin", "10117", "Europe/Berlin"),
                            city("Hamburg", "Hamburg", "20095", "Europe/Berlin"),
                            city("München", "Bayern", "80331", "Europe/Berlin"),
                            city("Köln", "Nordrhein-Westfalen", "50667", "Europe/Berlin"),
                            city("Büsingen am Hochrhein", "Baden-Württemberg", "78266", "Europe/Busingen")),
                    List.of("Bahnhofstraße %d", "Hauptstraße %d", "Lindenallee %d", "Marktplatz %d")),
            new SampleCountry(
                    "US",
                    "USD",
                    1.0,
                    new Rounding(2, 10, -1),
                    List.of(
                            city("New York", "NY", "10001", "America/New_York"),
                            city("Chicago", "IL", "60601", "America/Chicago"),
                            city("Phoenix", "AZ", "85001", "America/Phoenix"),
                            city("Los Angeles", "CA", "90012", "America/Los_Angeles"),
                            city("Honolulu", "HI", "96813", "Pacific/Honolulu")),
                    List.of("%d Main Street", "%d Broadway", "%d Elm Avenue", "%d Lincoln Road")),
            new SampleCountry(
                    "CA",
                    "CAD",
                    1.25,
                    new Rounding(2, 10, -1),
                    List.of(
                            city("Toronto", "ON", "M5H 2N2", "America/Toronto"),
                            city("St. John's", "NL", "A1C 1A1", "America/St_Johns"),
                            city("Vancouver", "BC", "V6B 1A1", "America/Vancouver")),
                    List.of("%d Queen Street", "%d Water Street", "%d King Street West")),
            new SampleCountry(
                    "JP",
                    "JPY",
                    105,
                    new Rounding(0, 50, -10),
                    List.of(
                            city("Tokyo", "Tokyo", "104-0061", "Asia/Tokyo"),
                            city("Osaka", "Osaka", "530-0001", "Asia/Tokyo"),
                            city("Sapporo", "Hokkaido", "060-0001", "Asia/Tokyo")),
                    List.of("Ekimae-dori %d-chome", "Chuo-dori %d-chome", "Honmachi %d-chome")),
            new SampleCountry(
                    "IN",
                    "INR",
                    38,
                    new Rounding(2, 1000, -100),
                    List.of(
                            city("Kolkata", "West Bengal", "700016", "Asia/Kolkata"),
                            city("Mumbai", "Maharashtra", "400001", "Asia/Kolkata"),
                            city("Bengaluru", "Karnataka", "560001", "Asia/Kolkata")),
                    List.of("%d Park Street", "%d MG Road", "%d Station Road")),
            new SampleCountry(
                    "KW",
                    "KWD",
                    0.28,
                    new Rounding(3, 50, 0),
                    List.of(
                            city("Kuwait City", "Al Asimah", "13001", "Asia/Kuwait"),
                            city("Salmiya", "Hawalli", "22001", "Asia/Kuwait")),
                    List.of("Salem Al Mubarak Street %d", "Gulf Road %d")),
            new SampleCountry(
                    "AU",
                    "AUD",
                    1.4,
                    new Rounding(2, 10, -5),
                    List.of(
                            city("Sydney", "NSW", "2000", "Australia/Sydney"),
                            city("Lord Howe Island", "NSW", "2898", "Australia/Lord_Howe"),
                            city("Adelaide", "SA", "5000", "Australia/Adelaide"),
                            city("Brisbane", "QLD", "4000", "Australia/Brisbane")),
                    List.of("%d George Street", "%d Beach Parade", "%d Victoria Road", "%d Station Street")),
            new SampleCountry(
                    "BR",
                    "BRL",
                    4.4,
                    new Rounding(2, 50, -10),
                    List.of(
                            city("São Paulo", "SP", "01310-100", "America/Sao_Paulo"),
                            city("Manaus", "AM", "69005-010", "America/Manaus"),
                            city("Fernando de Noronha", "PE", "53990-000", "America/Noronha")),
                    List.of("Avenida Central, %d", "Rua Augusta, %d", "Rua das Flores, %d")),
            new SampleCountry(
                    "GB",
                    "GBP",
                    0.8,
                    new Rounding(2, 10, -1),
                    List.of(
                            city("London", "", "W1D 1BS", "Europe/London"),
                            city("Leeds", "West Yorkshire", "LS1 4DY", "Europe/London"),
                            city("Belfast", "County Antrim", "BT1 5GS", "Europe/London")),
                    List.of("%d High Street", "%d Church Lane", "%d Station Parade")),
            new SampleCountry(
                    "CH",
                    "CHF",
                    1.3,
                    new Rounding(2, 10, 0),
                    List.of(
                            city("Zürich", "ZH", "8001", "Europe/Zurich"),
                            city("Basel", "BS", "4051", "Europe/Zurich")),
                    List.of("Bahnhofstrasse %d", "Seestrasse %d", "Poststrasse %d")),
            new SampleCountry(
                    "CL",
                    "CLP",
                    720,
                    new Rounding(0, 100, -10),
                    List.of(
                            city("Santiago", "Metropolitana", "8320000", "America/Santiago"),
                            city("Hanga Roa", "Valparaíso", "2770000", "Pacific/Easter")),
                    List.of("Alameda %d", "Calle Larga %d")),
            new SampleCountry(
                    "NP",
                    "NPR",
                    65,
                    new Rounding(2, 500, 0),
                    List.of(city("Kathmandu", "Bagmati", "44600", "Asia/Kathmandu")),
                    List.of("Durbar Marg %d", "New Road %d", "Ring Road %d")),
            new SampleCountry(
                    "TN",
                    "TND",
                    1.9,
                    new Rounding(3, 100, 0),
                    List.of(
                            city("Tunis", "Tunis", "1000", "Africa/Tunis"),
                            city("Sfax", "Sfax", "3000", "Africa/Tunis")),
                    List.of("%d avenue Habib Bourguiba", "%d rue de Marseille")),
            new SampleCountry(
                    "NZ",
                    "NZD",
                    1.5,
                    new Rounding(2, 10, 0),
                    List.of(
                            city("Auckland", "Auckland", "1010", "Pacific/Auckland"),
                            city("Waitangi", "Chatham Islands", "8016", "Pacific/Chatham")),
                    List.of("%d Queen Street", "%d Wharf Road", "%d Memorial Avenue")));

    private static SampleCity city(String name, String region, String postalCode, String timeZone) {
        return new SampleCity(name, region, postalCode, timeZone);
    }
}
