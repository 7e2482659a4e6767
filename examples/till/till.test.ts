import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Menuboard, NoAnswer } from "../client/menuboard.js";
import { pricesAndChanges, type Changes } from "./changes.js";
import { Till } from "./till.js";

// A server that sells a hamburger for 4.99 EUR in DE-0001, through the channel KIOSK for 5.49.
const url = process.env["MENUBOARD"] ?? "http://127.0.0.1:8080/graphql";
/** It has just begun, and may take its time. */
const menuboard = new Menuboard(url, { millis: 30_000 });
const nobody = new Menuboard("http://127.0.0.1:1/graphql");
let folder: string;
let file: string;

/** A server that sells at these amounts of EUR. */
function selling(amounts: Record<string, string>): { server: Server; prices: Menuboard } {
  const server = createServer(async (request, response) => {
    const { variables } = (await json(request)) as { variables: { products: string[] } };
    const prices = variables.products.map((product) => {
      const amount = amounts[product];
      return amount ? { price: { amount, currency: "EUR" } } : null;
    });
    response.end(JSON.stringify({ data: { prices } }));
  }).listen(0);
  return { server, prices: new Menuboard(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`) };
}

function refusal(code: string): Response {
  return Response.json({ errors: [{ message: "refused", extensions: { code } }] });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "till-"));
  file = join(folder, "last.json");
});
after(() => rm(folder, { recursive: true }));

test("reads the prices of its channel, and of no channel where that has none", async () => {
  const till = new Till([menuboard], "DE-0001", "KIOSK", file);

  const basket = await till.read(["HAMBURGER", "COLA", "NO-SUCH-THING"]);

  assert.equal(basket.isCurrent, true);
  assert.deepEqual(basket.prices, {
    HAMBURGER: { amount: "5.49", currency: "EUR" },
    COLA: { amount: "1.99", currency: "EUR" },
  });
});

test("asks the next server where one is down or broken", async () => {
  const broken = createServer((_, response) => response.writeHead(502).end("<html>Bad Gateway</html>")).listen(0);
  const port = (broken.address() as AddressInfo).port;
  const servers = [nobody, new Menuboard(`http://127.0.0.1:${port}/graphql`), menuboard];

  const basket = await new Till(servers, "DE-0001", "ALL", file).read(["HAMBURGER"]);
  broken.close();

  assert.equal(basket.isCurrent, true);
  assert.equal(basket.prices["HAMBURGER"]?.amount, "4.99");
});

test("asks the next server where one has had too many requests or fails", async () => {
  const { server, prices } = selling({ HAMBURGER: "4.99" });
  const refusing = ["TOO_MANY_REQUESTS", "INTERNAL"].map(
    (code) => new Menuboard("http://127.0.0.1:1/graphql", { fetcher: async () => refusal(code) }),
  );

  const basket = await new Till([...refusing, prices], "DE-0001", "ALL", join(folder, "next.json")).read(["HAMBURGER"]);
  server.close();

  assert.equal(basket.isCurrent, true);
  assert.equal(basket.prices["HAMBURGER"]?.amount, "4.99");
});

test("goes on with the last prices while no server answers", async () => {
  const kept = join(folder, "kept.json");
  const read = await new Till([menuboard], "DE-0001", "ALL", kept).read(["HAMBURGER", "COLA"]);

  const basket = await new Till([nobody], "DE-0001", "ALL", kept).read(["HAMBURGER"]);

  assert.deepEqual(basket, {
    prices: { HAMBURGER: read.prices["HAMBURGER"] },
    unknown: [],
    asOf: read.asOf,
    isCurrent: false,
  });
});

test("goes on without what has no price any more, and says how old the oldest of the last prices is", async () => {
  const kept = join(folder, "since.json");
  const amounts: Record<string, string> = { HAMBURGER: "4.99", COLA: "1.99", FRIES: "2.49" };
  const { server, prices } = selling(amounts);
  const till = new Till([prices], "DE-0001", "ALL", kept);
  const first = await till.read(["HAMBURGER", "COLA", "FRIES"]);
  await sleep(2); // so that it is later
  delete amounts["HAMBURGER"];
  const second = await till.read(["HAMBURGER", "COLA"]);
  server.close();

  const offline = new Till([nobody], "DE-0001", "ALL", kept);

  const cola = { amount: "1.99", currency: "EUR" };
  const fries = { amount: "2.49", currency: "EUR" };
  assert.deepEqual(await offline.read(["HAMBURGER", "COLA"]), {
    prices: { COLA: cola },
    unknown: [],
    asOf: second.asOf,
    isCurrent: false,
  });
  assert.deepEqual(await offline.read(["COLA", "FRIES", "SALAD"]), {
    prices: { COLA: cola, FRIES: fries },
    unknown: ["SALAD"],
    asOf: first.asOf,
    isCurrent: false,
  });
  assert.deepEqual((await offline.read(["HAMBURGER"])).prices, {});
  await assert.rejects(offline.read(["SALAD"]), /no prices are kept/);
});

test("keeps what is read at the same time", async () => {
  const kept = join(folder, "both.json");
  const { server, prices } = selling({ HAMBURGER: "4.99", COLA: "1.99" });
  const till = new Till([prices], "DE-0001", "ALL", kept);
  await Promise.all(["HAMBURGER", "COLA"].map((product) => till.read([product])));
  server.close();

  const basket = await new Till([nobody], "DE-0001", "ALL", kept).read(["HAMBURGER", "COLA"]);

  assert.deepEqual(Object.keys(basket.prices).sort(), ["COLA", "HAMBURGER"]);
});

test("sells what it has just read, though it cannot keep it", async () => {
  const { server, prices } = selling({ HAMBURGER: "4.99" });

  const basket = await new Till([prices], "DE-0001", "ALL", join(folder, "no-such-folder", "kept.json")).read(["HAMBURGER"]);
  server.close();

  assert.equal(basket.isCurrent, true);
  assert.equal(basket.prices["HAMBURGER"]?.amount, "4.99");
});

test("says so where it has none", async () => {
  await assert.rejects(
    new Till([nobody], "DE-0001", "ALL", join(folder, "none.json")).read(["HAMBURGER"]),
    /no server answers, and no prices are kept/,
  );
});

const price = (amount: string) => ({ amount, currency: "EUR" });

/**
 * What a till is told that has the position `old`, and after which positions it subscribes: the first subscriptions are refused with
 * these codes.
 */
async function told(count: number, ...codes: string[]): Promise<{ told: Changes[]; asked: (string | null)[] }> {
  const asked: (string | null)[] = [];
  const item = (channel: string, key: string, amount: string) => ({
    channel,
    subject: { product: { key } },
    price: price(amount),
  });
  const event = (position: string, ...changes: unknown[]) =>
    `event: next\ndata: ${JSON.stringify({ data: { priceChanges: { position, changes } } })}\n\n`;
  const server = createServer(async (request, response) => {
    const { variables } = (await json(request)) as { variables: { after: string | null } };
    if (!request.url?.endsWith("/stream")) {
      const items = [item("KIOSK", "HAMBURGER", "5.49"), item("ALL", "COLA", "1.99")];
      response.end(JSON.stringify({ data: { menu: { items } } }));
      return;
    }
    const code = codes[asked.push(variables.after) - 1];
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    if (code) {
      const errors = [{ message: "refused", extensions: { code } }];
      response.end(`event: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`);
    } else {
      const change = { subject: { product: { key: "HAMBURGER" } }, after: price("5.99") };
      response.write(event("1") + event("2", change));
    }
  }).listen(0);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  const controller = new AbortController();
  const options = { signal: controller.signal, millis: 1, readAgainMillis: 1 };

  const told: Changes[] = [];
  try {
    for await (const changes of pricesAndChanges(new Menuboard(url), `${url}/stream`, "DE-0001", "KIOSK", "old", options)) {
      if (told.push(changes) === count) {
        controller.abort();
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { told, asked };
}

test("reads all prices again where its position is no longer known", async () => {
  assert.deepEqual(await told(2, "POSITION_EXPIRED"), {
    told: [
      { position: "1", prices: { HAMBURGER: price("5.49") }, isAll: true },
      { position: "2", prices: { HAMBURGER: price("5.99") }, isAll: false },
    ],
    asked: ["old", null],
  });
});

test("reads all prices again and again while the server tells of no changes", async () => {
  assert.deepEqual(await told(4, "SUBSCRIPTIONS_UNAVAILABLE", "SUBSCRIPTIONS_UNAVAILABLE"), {
    told: [
      { position: null, prices: { HAMBURGER: price("5.49") }, isAll: true },
      { position: null, prices: { HAMBURGER: price("5.49") }, isAll: true },
      { position: "1", prices: { HAMBURGER: price("5.49") }, isAll: true },
      { position: "2", prices: { HAMBURGER: price("5.99") }, isAll: false },
    ],
    asked: ["old", null, null],
  });
});

test("shows its own mistakes", async () => {
  const kept = await readFile(file, "utf8");

  await assert.rejects(
    new Till([menuboard, nobody], "", "ALL", file).read(["HAMBURGER"]),
    (e: NoAnswer) => e.code === "INVALID_ID",
  );
  await assert.rejects(
    new Till([menuboard, nobody], "DE-9999", "ALL", file).read(["HAMBURGER"]),
    /there is no store DE-9999/,
  );
  assert.equal(await readFile(file, "utf8"), kept);
});
