package io.menuboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the numbers were measured on. */
final class Machine {
    private Machine() {}

    static String description() throws IOException {
        return "%s, %d cores, %d GB of memory, Linux %s, JDK %s"
                .formatted(
                        field("/proc/cpuinfo", "model name"),
                        Runtime.getRuntime().availableProcessors(),
                        Math.round(Long.parseLong(
                                        field("/proc/meminfo", "MemTotal").replaceAll("\\D", ""))
                                / 1e6),
                        System.getProperty("os.version").replaceAll("-.*", ""),
                        Runtime.version());
    }

    private static String field(String file, String name) throws IOException {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
