import { Menuboard } from "../client/menuboard.js";
import { Hopeless, Worker } from "./worker.js";

const [url, name] = process.argv.slice(2);
if (!url || !name) {
  console.error("usage: npm run worker -- SERVER NAME");
  process.exit(2);
}
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => stop.abort());
}
const worker = new Worker(new Menuboard(url), {
  name,
  handlers: {
    "labels.print": async (task) => {
      const { store } = (task.payload ?? {}) as { store?: string };
      if (!store) {
        throw new Hopeless("the payload names no store");
      }
      console.log(`labels of ${store}, attempt ${task.attempt}`);
      return { labels: 12 };
    },
  },
});
await worker.run(stop.signal);
