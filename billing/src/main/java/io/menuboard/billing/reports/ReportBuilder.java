package io.menuboard.billing.reports;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.ControlTotals;
import io.menuboard.billing.transactions.Quarter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the files of a version of a run out of its lines, and of nothing else: the same lines give the same bytes. Holds
 * {@value #MOST_UNWRITTEN} bytes of files, and about a kilobyte for each agency, whatever the number of lines. Not
 * thread-safe.
 */
final class ReportBuilder {
    private static final List<String> SUMMARY =
            List.of("agency", "currency", "lines", "lateLines", "amount", "agencyShare", "houseShare");

    /** Memory that files may hold: enough for files of some thousand agencies to be written a few kilobytes at a time. */
    static final int MOST_UNWRITTEN = 32 * 1024 * 1024;

    private final RunFiles names;
    private final Path folder;
    private final ReportFile.Unwritten unwritten;
    private final CsvBytes csv = new CsvBytes();
    private final ReportFile ledger;
    private final Map<AgencyId, Agency> agencies = new HashMap<>();
    private final List<LedgerPart> parts = new ArrayList<>();
    private @Nullable OpenPart open;
    private long lines;

    /** @param folder empty; the files are in it */
    ReportBuilder(RunFiles names, Path folder) throws IOException {
        this(names, folder, MOST_UNWRITTEN);
    }

    ReportBuilder(RunFiles names, Path folder, long mostUnwritten) throws IOException {
        this.names = names;
        this.folder = folder;
        this.unwritten = new ReportFile.Unwritten(mostUnwritten);
        this.ledger = new ReportFile(folder.resolve("ledger"), unwritten);
        ledger.add(csv.of(LedgerLine.COLUMNS));
    }

    long lines() {
        return lines;
    }

    /** Bytes of all files that are in memory only. */
    long unwrittenBytes() {
        return unwritten.bytes();
    }

    /** The next line. Lines of one quarter hour come together, late ones after all others. */
    void add(LedgerLine line) throws IOException {
        var quarter = line.transaction().place().quarter();
        var part = open;
        if (part == null || part.late != line.late() || !part.quarter.equals(quarter)) {
            close(part);
            part = new OpenPart(quarter, line.late(), ledger.length());
            open = part;
        }
        var row = csv.of(line.cells());
        part.add(line, row, ledger.length());
        ledger.add(row);
        agency(line.transaction().agency()).add(line, row);
        lines++;
    }

    private void close(@Nullable OpenPart part) {
        if (part != null) {
            parts.add(part.closed(names.run(), ledger.length()));
        }
    }

    private Agency agency(AgencyId id) throws IOException {
        var known = agencies.get(id);
        if (known == null) {
            known = new Agency(names, id, folder, agencies.size(), unwritten);
            known.csv.add(csv.of(LedgerLine.COLUMNS));
            agencies.put(id, known);
        }
        return known;
    }

    /** A file under the name that it is to have. */
    record Named(String name, Path path, String mediaType) {}

    /**
     * A version of a run.
     *
     * @param ledger the file that decides which lines it has
     * @param others all other files
     * @param agencies by agency
     */
    record Reports(Named ledger, List<Named> others, List<LedgerPart> parts, List<AgencyTotals> agencies) {}

    /** Ends the version after its last line. */
    Reports finish() throws IOException {
        close(open);
        var hashes = new TreeMap<String, String>();
        hashes.put(names.ledger(), ledger.finish());
        var others = new ArrayList<Named>();
        var totals = new ArrayList<AgencyTotals>();
        for (var agency : new TreeMap<>(agencies).values()) {
            agency.finish(hashes, others);
            totals.add(new AgencyTotals(names.run(), names.version(), agency.id, agency.totals()));
        }
        others.add(file(names.summaryCsv(), RunFiles.CSV, "summary.csv", hashes, summaryCsv(totals)));
        others.add(file(names.summaryJson(), RunFiles.JSON, "summary.json", hashes, summaryJson(totals)));
        var manifest = LedgerJson.object(json -> {
            LedgerJson.run(json, names);
            json.writeNumberField("lines", lines);
            json.writeArrayFieldStart("partitions");
            for (var part : parts) {
                LedgerJson.part(json, part);
            }
            json.writeEndArray();
            LedgerJson.files(json, hashes);
        });
        others.add(file(names.manifest(), RunFiles.JSON, "manifest", new HashMap<>(), manifest));
        return new Reports(new Named(names.ledger(), ledger.path(), RunFiles.CSV), others, parts, totals);
    }

    private Named file(String name, String mediaType, String local, Map<String, String> hashes, byte[] content)
            throws IOException {
        var file = new ReportFile(folder.resolve(local), unwritten);
        file.add(content);
        hashes.put(name, file.finish());
        return new Named(name, file.path(), mediaType);
    }

    private byte[] summaryCsv(List<AgencyTotals> agencies) throws IOException {
        var rows = new ByteArrayOutputStream();
        rows.writeBytes(csv.of(SUMMARY));
        for (var agency : agencies) {
            for (var totals : agency.totals()) {
                rows.writeBytes(csv.of(List.of(
                        agency.agency(),
                        totals.currency(),
                        totals.lines(),
                        totals.lateLines(),
                        totals.amount(),
                        totals.agencyShare(),
                        totals.houseShare())));
            }
        }
        return rows.toByteArray();
    }

    private byte[] summaryJson(List<AgencyTotals> agencies) {
        return LedgerJson.object(json -> {
            LedgerJson.run(json, names);
            json.writeNumberField("lines", lines);
            LedgerJson.totals(json, sum(agencies));
            json.writeArrayFieldStart("agencies");
            for (var agency : agencies) {
                json.writeStartObject();
                json.writeStringField("agency", agency.agency().value());
                LedgerJson.totals(json, agency.totals());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    static List<Totals> sum(Collection<AgencyTotals> agencies) {
        return Totals.sum(
                agencies.stream().flatMap(agency -> agency.totals().stream()).toList());
    }

    /** Lines of a quarter hour while they come. */
    private static final class OpenPart {
        private final Quarter quarter;
        private final boolean late;
        private final long offset;
        private final Map<Integer, Partition> partitions = new HashMap<>();
        private final LineIndex.Builder index = new LineIndex.Builder();

        OpenPart(Quarter quarter, boolean late, long offset) {
            this.quarter = quarter;
            this.late = late;
            this.offset = offset;
        }

        void add(LedgerLine line, byte[] row, long before) {
            index.add(line.transaction().place(), before - offset);
            partitions
                    .computeIfAbsent(line.transaction().place().shard(), _ -> new Partition())
                    .add(line, row);
        }

        LedgerPart closed(RunId run, long end) {
            var closed = new HashMap<Integer, LedgerPartition>();
            partitions.forEach((shard, partition) -> closed.put(shard, partition.closed()));
            return new LedgerPart(run, quarter, late, offset, end - offset, closed, index.built());
        }
    }

    private static final class Partition {
        private final MessageDigest sha256 = ReportFile.sha256();
        private final Map<String, BigDecimal> sums = new HashMap<>();
        private long count;

        void add(LedgerLine line, byte[] row) {
            count++;
            sha256.update(row);
            var amount = line.transaction().amount();
            sums.merge(amount.currency().getCurrencyCode(), amount.amount(), BigDecimal::add);
        }

        LedgerPartition closed() {
            return new LedgerPartition(
                    new ControlTotals(count, sums), HexFormat.of().formatHex(sha256.digest()));
        }
    }

    /** Files and totals of an agency while its lines come. */
    private static final class Agency {
        private static final byte[] BETWEEN = ",\n".getBytes(UTF_8);

        private final RunFiles names;
        private final AgencyId id;
        private final ReportFile csv;
        private final ReportFile json;
        private final Map<String, Totals> totals = new TreeMap<>();

        Agency(RunFiles names, AgencyId id, Path folder, int number, ReportFile.Unwritten unwritten)
                throws IOException {
            this.names = names;
            this.id = id;
            this.csv = new ReportFile(folder.resolve(number + ".csv"), unwritten);
            this.json = new ReportFile(folder.resolve(number + ".json"), unwritten);
            var head = LedgerJson.object(fields -> {
                fields.writeStringField("agency", id.value());
                LedgerJson.run(fields, names);
            });
            json.add(without(head, 1));
            json.add(",\"lines\":[\n".getBytes(UTF_8));
        }

        void add(LedgerLine line, byte[] row) throws IOException {
            csv.add(row);
            if (!totals.isEmpty()) {
                json.add(BETWEEN);
            }
            json.add(LedgerJson.line(line));
            totals.merge(line.transaction().amount().currency().getCurrencyCode(), Totals.of(line), Totals::plus);
        }

        List<Totals> totals() {
            return List.copyOf(totals.values());
        }

        void finish(Map<String, String> hashes, List<Named> files) throws IOException {
            json.add("\n],".getBytes(UTF_8));
            var tail = LedgerJson.object(fields -> LedgerJson.totals(fields, totals.values()));
            json.add(new String(tail, UTF_8).substring(1).getBytes(UTF_8));
            hashes.put(names.agencyCsv(id), csv.finish());
            hashes.put(names.agencyJson(id), json.finish());
            files.add(new Named(names.agencyCsv(id), csv.path(), RunFiles.CSV));
            files.add(new Named(names.agencyJson(id), json.path(), RunFiles.JSON));
        }

        private static byte[] without(byte[] bytes, int atEnd) {
            return Arrays.copyOf(bytes, bytes.length - atEnd);
        }
    }
}
