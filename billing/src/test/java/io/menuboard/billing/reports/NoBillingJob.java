package io.menuboard.billing.reports;

import io.menuboard.messaging.PeriodicJob;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;

/** Keeps the application from making reports by itself, for tests that make them. */
@Singleton
@Requires(property = NoBillingJob.SETTING)
final class NoBillingJob implements BeanCreatedEventListener<PeriodicJob> {
    static final String SETTING = "test.no-billing-job";

    @Override
    public PeriodicJob onCreated(BeanCreatedEvent<PeriodicJob> event) {
        var job = event.getBean();
        return job.name().equals("billing") ? new PeriodicJob(job.name(), job.interval(), () -> {}) : job;
    }
}
