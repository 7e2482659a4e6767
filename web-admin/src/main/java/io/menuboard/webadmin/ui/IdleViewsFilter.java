package io.menuboard.webadmin.ui;

import io.micronaut.context.annotation.Replaces;
import io.micronaut.http.annotation.Filter;
import io.micronaut.views.ViewsFilter;
import io.micronaut.views.ViewsModelDecorator;
import io.micronaut.views.ViewsRendererLocator;
import io.micronaut.views.ViewsResolver;
import io.micronaut.views.turbo.TurboFrameRenderer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the filter of Micronaut Views away from all requests. It searches every response, GraphQL's too, for a model to
 * render, which {@link Views} has done before.
 */
@Filter(IdleViewsFilter.NO_PATH)
@Replaces(ViewsFilter.class)
final class IdleViewsFilter extends ViewsFilter {
    static final String NO_PATH = "/no/page/has/this/address";

    IdleViewsFilter(
            ViewsResolver resolver,
            ViewsRendererLocator renderers,
            @Nullable ViewsModelDecorator decorator,
            @Nullable TurboFrameRenderer frames) {
        super(resolver, renderers, decorator, frames);
    }
}
