package io.menuboard.app;

import io.menuboard.app.queues.QueueConsumer;
import io.menuboard.querydb.Workload;
import io.menuboard.tasks.TaskWorkers;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;
import java.util.List;

/** Begins what an instance does by itself once it serves; commands, which do not serve, leave it to those that do. */
@Singleton
final class BackgroundWork implements ApplicationEventListener<ServerStartupEvent> {
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
}
