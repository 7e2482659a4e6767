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
  /** When they were read. */
  asOf: string;
  /** Whether that was now; else no server answered, and these are the last that one did. */
  isCurrent: boolean;
}

/** Reads the prices of a store's basket, and goes on with the last ones while it cannot. */
export class Till {
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
        return await this.keep({ prices, asOf: new Date().toISOString(), isCurrent: true });
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

  private async keep(basket: Basket): Promise<Basket> {
    const kept = { ...basket, prices: { ...(await this.kept())?.prices, ...basket.prices } };
    await writeFile(`${this.file}.new`, JSON.stringify(kept));
    await rename(`${this.file}.new`, this.file); // whole or not at all
    return basket;
  }

  private async last(products: string[], failures: NoAnswer[]): Promise<Basket> {
    const kept = await this.kept();
    if (!kept) {
      throw new AggregateError(failures, "no server answers, and no prices are kept");
    }
    const prices = Object.fromEntries(Object.entries(kept.prices).filter(([product]) => products.includes(product)));
    return { prices, asOf: kept.asOf, isCurrent: false };
  }

  private async kept(): Promise<Basket | null> {
    try {
      return JSON.parse(await readFile(this.file, "utf8")) as Basket;
    } catch {
      return null;
    }
  }
}
