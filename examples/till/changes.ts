import { NoAnswer, type Menuboard } from "../client/menuboard.js";
import { follow, pause, type SubscriptionOptions } from "../client/subscription.js";
import { graphql } from "../gql/gql.js";
import type { Amount } from "./till.js";

/** Code of the error where the server tells nobody of changes, as during an upgrade. */
const UNAVAILABLE = "SUBSCRIPTIONS_UNAVAILABLE";

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

// STRONG, so that it has every change that was made before it is asked for.
const Menu = graphql(`
  query Menu($store: ID!, $channel: String) {
    menu(store: $store, channel: $channel, consistency: STRONG) {
      items {
        channel
        subject {
          product {
            key
          }
        }
        price {
          amount
          currency
        }
      }
    }
  }
`);

export interface Changes {
  /** Keep it with the prices: after a restart it says where to go on. Null while the server tells of no changes. */
  position: string | null;
  /** By product; null for what has no price of its own in this channel any more: what `ALL` says counts, if that is another one. */
  prices: Record<string, Amount | null>;
  /** Whether these are all prices that the channel has: what is not among them has none. */
  isAll: boolean;
}

export interface PriceOptions extends SubscriptionOptions {
  /** How long to wait before the prices are read again while the server tells of no changes. */
  readAgainMillis?: number;
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
): AsyncGenerator<Changes & { position: string }, void, void> {
  const events = follow(url, PriceChanges, { store, channel, after }, (e) => e.priceChanges.position, options);
  for await (const { priceChanges: event } of events) {
    const prices: Record<string, Amount | null> = {};
    for (const change of event.changes) {
      if (change.subject.product) {
        prices[change.subject.product.key] = change.after ?? null;
      }
    }
    yield { position: event.position, prices, isAll: false };
  }
}

/**
 * As `priceChanges`, with all prices first where there is no position to go on after, and again where the server can no longer tell
 * what came after it: because it is too old, or the prices of the store were loaded. While the server tells of no changes, all prices
 * come every so often instead.
 */
export async function* pricesAndChanges(
  menuboard: Menuboard,
  url: string,
  store: string,
  channel: string,
  after: string | null,
  options: PriceOptions = {},
): AsyncGenerator<Changes, void, void> {
  let isTold = true;
  for (let position = after; !options.signal?.aborted; position = null) {
    try {
      if (!isTold) {
        isTold = true; // as far as is known
        yield { position: null, prices: await all(menuboard, store, channel), isAll: true };
        await pause(options.readAgainMillis ?? 60_000, options.signal);
      }
      let isAll = position === null;
      for await (const changes of priceChanges(url, store, channel, position, options)) {
        // Read after the position is known, so that what changes meanwhile comes next.
        yield isAll ? { ...changes, prices: await all(menuboard, store, channel), isAll } : changes;
        isAll = false;
      }
    } catch (e) {
      if (!(e instanceof NoAnswer) || !(e.isPassing || e.code === "POSITION_EXPIRED" || e.code === UNAVAILABLE)) {
        throw e;
      }
      isTold = e.code !== UNAVAILABLE;
      options.onRetry?.(e);
      await pause(options.millis ?? 500, options.signal);
    }
  }
}

async function all(menuboard: Menuboard, store: string, channel: string): Promise<Record<string, Amount>> {
  const { menu } = await menuboard.ask(Menu, { store, channel });
  const own = menu?.items.filter((item) => item.channel === channel) ?? [];
  return Object.fromEntries(
    own.flatMap(({ subject, price }) => (subject.product ? [[subject.product.key, price]] : [])),
  );
}
