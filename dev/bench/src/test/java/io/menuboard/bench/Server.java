package io.menuboard.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Java process of its own, on the JDK that runs the benchmark, so that its CPU time and memory are its own. */
record Server(Process process) implements AutoCloseable {
    private static final long TICKS_PER_SECOND = 100; // USER_HZ, the same on every Linux architecture in use

    static Server start(List<String> arguments, Map<String, String> environment, Path log) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("MENUBOARD_SIGN_IN", "false");
        builder.environment().putAll(environment);
        return new Server(builder.start());
    }

    /** CPU time used so far, user and system; proc(5), fields 14 and 15 of stat. */
    Duration cpu() {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            var ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
            return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Resident memory in megabytes; proc(5), VmRSS of status. */
    long residentMegabytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** What of its heap is in use after a full collection, in megabytes. */
    double liveHeapMegabytes() throws IOException, InterruptedException {
        var jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        var text = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        jcmd.waitFor();
        var total = text.substring(text.lastIndexOf("Total")).strip().split("\\s+", -1);
        return Long.parseLong(total[2]) / 1e6;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(2, TimeUnit.MINUTES)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
