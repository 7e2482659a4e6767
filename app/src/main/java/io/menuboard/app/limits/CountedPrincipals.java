package io.menuboard.app.limits;

import io.menuboard.access.http.Principals;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;

/** Has {@link RequestLimits} count who sends a request as soon as that is known. */
@Singleton
@Requires(bean = RequestLimits.class)
final class CountedPrincipals implements BeanCreatedEventListener<Principals> {
    private final BeanProvider<RequestLimits> limits;

    CountedPrincipals(BeanProvider<RequestLimits> limits) {
        this.limits = limits;
    }

    @Override
    public Principals onCreated(BeanCreatedEvent<Principals> event) {
        var found = event.getBean();
        return request -> found.of(request).thenApply(caller -> {
            limits.get().count(request, caller);
            return caller;
        });
    }
}
