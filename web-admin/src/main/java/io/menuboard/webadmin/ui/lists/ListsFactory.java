package io.menuboard.webadmin.ui.lists;

import io.menuboard.kernel.PageLimits;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires what shows lists. */
@Factory
final class ListsFactory {

    @Singleton
    Lists lists(PageLimits limits, Views views) {
        return new Lists(limits, views);
    }
}
