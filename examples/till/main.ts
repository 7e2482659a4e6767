import { Menuboard } from "../client/menuboard.js";
import { Till } from "./till.js";

const [servers, store, ...products] = process.argv.slice(2);
if (!servers || !store || products.length === 0) {
  console.error("usage: npm run till -- SERVER[,SERVER] STORE PRODUCT...");
  process.exit(2);
}
const till = new Till(
  servers.split(",").map((url) => new Menuboard(url)),
  store,
  "ALL",
  `last-prices-${store}.json`,
);
const basket = await till.read(products);
for (const product of products) {
  const price = basket.prices[product];
  const otherwise = basket.unknown.includes(product) ? "not known" : "not sold here";
  console.log(`${product}  ${price ? `${price.amount} ${price.currency}` : otherwise}`);
}
if (!basket.isCurrent) {
  console.warn(`no server answers: prices of ${basket.asOf}`);
}
