package io.menuboard.webadmin.uploads;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.HttpServerConfiguration.MultipartConfiguration;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder in which the server keeps files of forms while they arrive; each instance has one of its own. Micronaut deletes a
 * file that was bound to an argument and read; this deletes what it leaves: files of forms that broke off or were refused, and of
 * fields that nobody asked for. Thread-safe.
 */
@Singleton
final class ArrivingFiles implements BeanCreatedEventListener<MultipartConfiguration>, AutoCloseable {
    private static final String NAME = "menuboard-forms";

    private static final Logger log = LoggerFactory.getLogger(ArrivingFiles.class);

    private final Set<Arrival> arriving = new HashSet<>();

    private @Nullable Path folder;

    /** A form whose files may be arriving, or be read. */
    static final class Arrival {
        /** Files that were there when it began, and so are none of its own. */
        private final Set<Path> before;

        private Arrival(Set<Path> before) {
            this.before = before;
        }
    }

    @Override
    public MultipartConfiguration onCreated(BeanCreatedEvent<MultipartConfiguration> event) {
        return located(event.getBean());
    }

    /** Makes the folder, in {@code micronaut.server.multipart.location} where that is set, and puts it there. */
    synchronized MultipartConfiguration located(MultipartConfiguration multipart) {
        try {
            var given = multipart.getLocation();
            folder = given.isPresent()
                    ? Files.createTempDirectory(given.get().toPath(), NAME)
                    : Files.createTempDirectory(NAME);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        multipart.setLocation(folder.toFile());
        return multipart;
    }

    /** Begins with a form, before a byte of it is stored. */
    synchronized Arrival begin() {
        var arrival = new Arrival(files());
        arriving.add(arrival);
        return arrival;
    }

    /** Ends with a form, and deletes what belongs to none that is arriving. */
    synchronized void end(Arrival arrival) {
        arriving.remove(arrival);
        for (var file : files()) {
            if (arriving.stream().allMatch(other -> other.before.contains(file))) {
                delete(file);
            }
        }
    }

    /** All that are there now. */
    synchronized Set<Path> files() {
        if (folder == null) {
            return Set.of();
        }
        try (var files = Files.list(folder)) {
            return files.collect(toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("file of a form not deleted: file={}", file, e);
        }
    }

    @Override
    @PreDestroy
    public synchronized void close() {
        files().forEach(ArrivingFiles::delete);
        if (folder != null) {
            delete(folder);
            folder = null;
        }
    }
}
