package io.menuboard.pricing.batches;

import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.pricing.PricingInput;
import io.menuboard.pricing.Store;
import io.menuboard.querydb.requests.Concurrently;
import java.time.Instant;

/** Leads from stores of {@code pricing.graphqls} to their batches. */
final class StoreBatchesGraphQl implements GraphQlModule {
    private static final int LISTS_AT_ONCE = 8;

    private final ChangeBatches batches;

    StoreBatchesGraphQl(ChangeBatches batches) {
        this.batches = batches;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.object(PricingInput.STORE, Store.class).batch("upcomingPriceChanges", (stores, args) -> {
            var channel = PricingInput.channel(args);
            Instant from = args.find("from");
            Instant to = args.find("to");
            var page = args.page();
            var access = args.access();
            return Concurrently.map(
                    LISTS_AT_ONCE, stores, store -> batches.upcoming(access, store.id(), channel, from, to, page));
        });
    }
}
