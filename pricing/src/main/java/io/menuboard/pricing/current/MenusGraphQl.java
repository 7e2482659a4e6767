package io.menuboard.pricing.current;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code menus.graphqls} to its use case. Fields of records need no fetcher of their own. */
final class MenusGraphQl implements GraphQlModule {
    private final Menus menus;
    private final CurrentPrices prices;

    MenusGraphQl(Menus menus, CurrentPrices prices) {
        this.menus = menus;
        this.prices = prices;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.definitions("menus");
        parts.query("menu", this::menu);
        parts.object("Menu", Menu.class);
        parts.object("MenuItem", MenuItem.class);
    }

    private @Nullable Object menu(Arguments args) {
        Instant at = args.find("at");
        var asked = new Asked(
                PricingInput.store(args),
                PricingInput.channel(args),
                at == null ? args.shared("now", menus::now) : at,
                ReadConsistency.valueOf(args.text("consistency")));
        Supplier<Optional<Menu>> menu = () -> menus.menu(args.access(), asked);
        // Which instant it was made for is another one each time.
        var found = args.find("at") == null && args.selects("at")
                ? menu.get()
                : CurrentPricesGraphQl.read(prices, args, asked, menu);
        return found.orElse(null);
    }
}
