import { readFile, rename, writeFile } from "node:fs/promises";
import { NoAnswer, type Menuboard } from "../client/menuboard.js";
import { graphql } from "../gql/gql.js";

const Prices = graphql(`
  query Prices($store: ID!, $products: [ID!]!, $channel: String) {
    prices(store: $store, products: $products, channel: $channel) {
      price {
        amount
        currency
      }
    }
  }
`);

export interface Amount {
  amount: string;
  currency: string;
}

export interface Basket {
  /** By product; without those that have no price. */
  prices: Record<string, Amount>;
  /** Products of which nobody says what they cost: no server answers, and they were never read. */
  unknown: string[];
  /** When they were read: the one of them that was read first. */
  asOf: string;
  /** Whether that was now; else no server answered, and these are the last that one did. */
  isCurrent: boolean;
}

/** By product: its last price, null for none, and when that was read. */
type Kept = Record<string, { price: Amount | null; asOf: string }>;

/** Reads the prices of a store's basket, and goes on with the last ones while it cannot. */
export class Till {
  private keeping: Promise<void> = Promise.resolve();

  /**
   * @param servers asked in this order until one answers
   * @param file keeps the last prices, also while the till is off
   */
  constructor(
    private readonly servers: Menuboard[],
    private readonly store: string,
    private readonly channel: string,
    private readonly file: string,
  ) {}

  async read(products: string[]): Promise<Basket> {
    const failures: NoAnswer[] = [];
    for (const server of this.servers) {
      try {
        const prices = await this.ask(server, products);
        const basket = { prices, unknown: [], asOf: new Date().toISOString(), isCurrent: true };
        this.keeping = this.keeping.then(() => this.keep(products, basket));
        await this.keeping;
        return basket;
      } catch (e) {
        if (!(e instanceof NoAnswer) || !e.isPassing) {
          throw e; // the till asks for what it must not: another server would say the same
        }
        failures.push(e);
      }
    }
    return this.last(products, failures);
  }

  private async ask(server: Menuboard, products: string[]): Promise<Record<string, Amount>> {
    const { prices } = await server.ask(Prices, { store: this.store, products, channel: this.channel });
    if (!prices) {
      throw new Error(`there is no store ${this.store}`);
    }
    // In the order of the products, null for what is not sold.
    return Object.fromEntries(products.flatMap((product, i) => (prices[i] ? [[product, prices[i].price]] : [])));
  }

  /** One after the other. What cannot be kept is sold all the same. */
  private async keep(products: string[], { prices, asOf }: Basket): Promise<void> {
    try {
      const kept = await this.kept();
      for (const product of products) {
        kept[product] = { price: prices[product] ?? null, asOf };
      }
      await writeFile(`${this.file}.new`, JSON.stringify({ products: kept }));
      await rename(`${this.file}.new`, this.file); // whole or not at all
    } catch (e) {
      console.warn(`prices of ${asOf} are not kept: ${e instanceof Error ? e.message : e}`);
    }
  }

  private async last(products: string[], failures: NoAnswer[]): Promise<Basket> {
    const kept = await this.kept();
    const known = products.flatMap((product) => (kept[product] ? [{ product, ...kept[product] }] : []));
    const [asOf] = known.map((last) => last.asOf).sort();
    if (asOf === undefined) {
      throw new AggregateError(failures, "no server answers, and no prices are kept");
    }
    return {
      prices: Object.fromEntries(known.flatMap(({ product, price }) => (price ? [[product, price]] : []))),
      unknown: products.filter((product) => !kept[product]),
      asOf,
      isCurrent: false,
    };
  }

  private async kept(): Promise<Kept> {
    try {
      return (JSON.parse(await readFile(this.file, "utf8")) as { products?: Kept }).products ?? {};
    } catch {
      return {};
    }
  }
}
