package io.menuboard.pricing.menus;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.pricing.PriceBook;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires menus. What is in effect goes by server time, which instances agree on. */
@Factory
final class MenusFactory {

    @Singleton
    Menus menus(PriceBook book, TableClock clock) {
        return new Menus(book.stores(), book.versions(), clock);
    }

    @Singleton
    GraphQlModule menusGraphQl(Menus menus) {
        return new MenusGraphQl(menus);
    }
}
