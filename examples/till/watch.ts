import { Menuboard } from "../client/menuboard.js";
import { pricesAndChanges } from "./changes.js";

const [url, store, channel = "ALL", after = null] = process.argv.slice(2);
if (!url || !store) {
  console.error("usage: npm run watch -- URL STORE [CHANNEL [POSITION]]");
  process.exit(2);
}
const onRetry = (reason: unknown) => console.warn(reason instanceof Error ? reason.message : reason);
const menuboard = new Menuboard(url);
for await (const changes of pricesAndChanges(menuboard, `${url}/stream`, store, channel, after, { onRetry })) {
  console.log(JSON.stringify(changes));
}
