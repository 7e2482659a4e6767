import { follow, type SubscriptionOptions } from "../client/subscription.js";
import { graphql } from "../gql/gql.js";
import type { Amount } from "./till.js";

const PriceChanges = graphql(`
  subscription PriceChanges($store: ID!, $channel: String, $after: String) {
    priceChanges(store: $store, channel: $channel, after: $after) {
      position
      changes {
        subject {
          product {
            key
          }
        }
        after {
          amount
          currency
        }
      }
    }
  }
`);

export interface Changes {
  /** Keep it with the prices: after a restart it says where to go on. */
  position: string;
  /** By product; null for what has no price of its own in this channel any more: what `ALL` says counts, if that is another one. */
  prices: Record<string, Amount | null>;
}

/**
 * Prices of a store's products in one channel as they change, each once and in order. A till of another channel than `ALL` follows
 * both, with a position for each: where its own has no price, that of `ALL` counts. The first that comes without a position to go on
 * after has none: it says where the till is.
 *
 * @param url of GraphQL's streams, `…/graphql/stream`
 * @param after the position kept last; null for now
 */
export async function* priceChanges(
  url: string,
  store: string,
  channel: string,
  after: string | null,
  options: SubscriptionOptions = {},
): AsyncGenerator<Changes, void, void> {
  const events = follow(url, PriceChanges, { store, channel, after }, (e) => e.priceChanges.position, options);
  for await (const { priceChanges: event } of events) {
    const prices: Record<string, Amount | null> = {};
    for (const change of event.changes) {
      if (change.subject.product) {
        prices[change.subject.product.key] = change.after ?? null;
      }
    }
    yield { position: event.position, prices };
  }
}
