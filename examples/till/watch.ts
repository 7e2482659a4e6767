import { priceChanges } from "./changes.js";

const [url, store, channel = "ALL", after = null] = process.argv.slice(2);
if (!url || !store) {
  console.error("usage: npm run watch -- URL STORE [CHANNEL [POSITION]]");
  process.exit(2);
}
const onRetry = (reason: unknown) => console.warn(reason instanceof Error ? reason.message : reason);
for await (const changes of priceChanges(url, store, channel, after, { onRetry })) {
  console.log(JSON.stringify(changes));
}
