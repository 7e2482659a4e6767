package io.menuboard.app;

import io.menuboard.tasks.TaskWorkers;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.runtime.server.event.ServerStartupEvent;
import jakarta.inject.Singleton;

/** Begins what an instance does by itself once it serves; commands, which do not serve, leave it to those that do. */
@Singleton
final class BackgroundWork implements ApplicationEventListener<ServerStartupEvent> {
    private final TaskWorkers taskWorkers;

    BackgroundWork(TaskWorkers taskWorkers) {
        this.taskWorkers = taskWorkers;
    }

    @Override
    public void onApplicationEvent(ServerStartupEvent event) {
        taskWorkers.start();
    }
}
