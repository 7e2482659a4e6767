import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The build's formatter step: {@code check} fails naming every Java file that palantir-java-format would change,
 * {@code apply} changes them. A source-file program rather than Spotless because the formatter parses with the JDK
 * that runs it, and Maven itself may run on 17 (ADR 0002).
 */
final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    public static void main(String[] args) throws IOException, FormatterException {
        var apply = args[0].equals("apply");
        if (!apply && !args[0].equals("check")) {
            System.err.println("-Dformat takes check or apply, not " + args[0]);
            System.exit(2);
        }
        var unformatted = new ArrayList<Path>();
        for (var file : javaFiles()) {
            var source = Files.readString(file);
            var formatted = format(source);
            if (!formatted.equals(source)) {
                unformatted.add(file);
                if (apply) {
                    Files.writeString(file, formatted);
                }
            }
        }
        if (!apply && !unformatted.isEmpty()) {
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

    private static String format(String source) throws FormatterException {
        var imports = ImportOrderer.reorderImports(
                RemoveUnusedImports.removeUnusedImports(source), JavaFormatterOptions.Style.PALANTIR);
        return FORMATTER.formatSource(imports);
    }
}
