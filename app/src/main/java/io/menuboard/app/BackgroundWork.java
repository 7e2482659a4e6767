package io.menuboard.app;

import io.menuboard.app.queues.QueueConsumer;
import io.menuboard.querydb.Workload;
import io.menuboard.tasks.TaskWorkers;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import java.util.List;
import java.util.concurrent.Executors;

/**
 * Begins what an instance does by itself once it serves; commands, which do not serve, leave it to those that do. Ends it
 * before anything is closed that it needs: this bean needs all of them, and so is closed before them.
 */
final class BackgroundWork implements ApplicationEventListener<ServerStartupEvent>, AutoCloseable {
    private final TaskWorkers taskWorkers;
    private final List<QueueConsumer> consumers;
    private final PeriodicWorkers periodicWorkers;

    BackgroundWork(TaskWorkers taskWorkers, List<QueueConsumer> consumers, PeriodicWorkers periodicWorkers) {
        this.taskWorkers = taskWorkers;
        this.consumers = List.copyOf(consumers);
        this.periodicWorkers = periodicWorkers;
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        Workload.BACKGROUND.run(() -> {
            taskWorkers.start();
            consumers.forEach(QueueConsumer::start);
            periodicWorkers.start();
        });
    }

    /** All of it at once, so that it takes as long as the slowest part: within half a minute by default. */
    @Override
    public void close() {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.execute(taskWorkers::close);
            threads.execute(periodicWorkers::close);
            consumers.forEach(consumer -> threads.execute(consumer::close));
        }
    }
}
