package io.menuboard.billing.reports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Stands in for S3, and knows what was to be written twice in different ways. */
public final class MemoryFiles implements ReportFiles {
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Map<String, String> contradicted = new ConcurrentHashMap<>();
    private final LongAdder reads = new LongAdder();
    private final Queue<String> unclosed = new ConcurrentLinkedQueue<>();

    @Override
    public boolean create(String name, Path content, String mediaType) {
        var bytes = bytes(content);
        var before = files.putIfAbsent(name, bytes);
        if (before != null && !name.endsWith("/ledger.csv") && !Arrays.equals(before, bytes)) {
            contradicted.put(name, new String(bytes, StandardCharsets.UTF_8));
        }
        return before == null;
    }

    @Override
    public Optional<InputStream> open(String name, long from, long length) {
        reads.increment();
        return Optional.ofNullable(files.get(name)).map(bytes -> {
            var begin = (int) Math.min(from, bytes.length);
            unclosed.add(name);
            return new ByteArrayInputStream(bytes, begin, (int) Math.min(length, bytes.length - begin)) {
                private final AtomicBoolean open = new AtomicBoolean(true);

                @Override
                public void close() {
                    if (open.getAndSet(false)) {
                        unclosed.remove(name);
                    }
                }
            };
        });
    }

    @Override
    public OptionalLong length(String name) {
        var bytes = files.get(name);
        return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes.length);
    }

    String text(String name) {
        return new String(Objects.requireNonNull(files.get(name), name), StandardCharsets.UTF_8);
    }

    /** All files, by name. */
    Map<String, String> texts() {
        var texts = new TreeMap<String, String>();
        files.forEach((name, bytes) -> texts.put(name, new String(bytes, StandardCharsets.UTF_8)));
        return texts;
    }

    /** Files, but for ledgers, that somebody wanted to store with other content than they have. */
    Map<String, String> contradicted() {
        return contradicted;
    }

    /** Number of requests to read one. */
    long reads() {
        return reads.sum();
    }

    /** Names of what is being read, once for each reader that did not close it. */
    public List<String> unclosed() {
        return List.copyOf(unclosed);
    }

    void clear() {
        files.clear();
    }

    private static byte[] bytes(Path content) {
        try {
            return Files.readAllBytes(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
