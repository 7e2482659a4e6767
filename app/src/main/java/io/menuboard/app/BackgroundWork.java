package io.menuboard.app;

import io.menuboard.messaging.BackgroundService;
import io.menuboard.querydb.requests.Workload;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Starts the background services of an instance once it serves; commands, which do not serve, leave the work to those that
 * do. Closes them before anything is closed that they need: this bean needs all of them, and so is closed before them.
 */
final class BackgroundWork implements ApplicationEventListener<ServerStartupEvent>, AutoCloseable {
    private final List<BackgroundService> services;

    BackgroundWork(List<BackgroundService> services) {
        this.services = List.copyOf(services);
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        Workload.BACKGROUND.run(() -> services.forEach(BackgroundService::start));
    }

    /** All of it at once, so that it takes as long as the slowest part: within half a minute by default. */
    @Override
    public void close() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            services.forEach(service -> threads.execute(service::close));
        }
    }
}
