import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingByConcurrent;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * The build's formatter step: {@code check} fails naming every Java file that palantir-java-format would change,
 * {@code apply} changes them. A source-file program rather than Spotless because the formatter parses with the JDK
 * that runs it, and Maven itself may run on 17 (ADR 0002).
 *
 * <p>Parsing every file takes most of a build in which nothing has changed. So the digests of files that were formatted
 * are remembered, and only the others are parsed, on all cores.
 */
final class Format {
    private static final Path REMEMBERED = Path.of("target", "formatted.txt");
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    public static void main(String[] args) throws IOException {
        var apply = args[0].equals("apply");
        if (!apply && !args[0].equals("check")) {
            System.err.println("-Dformat takes check or apply, not " + args[0]);
            System.exit(2);
        }
        var remembered = Files.exists(REMEMBERED) ? Set.copyOf(Files.readAllLines(REMEMBERED)) : Set.<String>of();
        var version = Formatter.class.getProtectionDomain().getCodeSource().getLocation();
        var sources = javaFiles().parallelStream()
                .map(file -> Source.read(file, version.toString()))
                .collect(groupingByConcurrent(source ->
                        remembered.contains(source.digest()) || source.text().equals(source.formatted())));
        var unformatted = sources.getOrDefault(false, List.of()).stream()
                .map(Source::file)
                .sorted()
                .toList();
        Files.createDirectories(REMEMBERED.getParent());
        Files.write(
                REMEMBERED,
                sources.getOrDefault(true, List.of()).stream()
                        .map(Source::digest)
                        .sorted()
                        .toList());
        if (apply) {
            for (var source : sources.getOrDefault(false, List.of())) {
                Files.writeString(source.file(), source.formatted());
            }
        } else if (!unformatted.isEmpty()) {
            unformatted.forEach(file -> System.err.println("not formatted: " + file));
            System.err.println("Format them with: mvn -N validate -Dformat=apply");
            System.exit(1);
        }
    }

    private static List<Path> javaFiles() throws IOException {
        try (var files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.startsWith("build") || file.toString().contains("src/"))
                    .filter(file -> !file.toString().contains("target/"))
                    .sorted()
                    .toList();
        }
    }

    /** @param digest of the text, and of the formatter's version */
    private record Source(Path file, String text, String digest) {

        static Source read(Path file, String version) {
            try {
                var text = Files.readString(file);
                var digest = MessageDigest.getInstance("SHA-256").digest((version + text).getBytes(UTF_8));
                return new Source(file, text, HexFormat.of().formatHex(digest));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        String formatted() {
            try {
                var imports = ImportOrderer.reorderImports(
                        RemoveUnusedImports.removeUnusedImports(text), JavaFormatterOptions.Style.PALANTIR);
                return FORMATTER.formatSource(imports);
            } catch (FormatterException e) {
                throw new IllegalStateException(file.toString(), e);
            }
        }
    }
}
