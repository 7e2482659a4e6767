import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, test } from "node:test";
import type { TypedDocumentString } from "../gql/graphql.js";
import { priceChanges } from "../till/changes.js";
import { NoAnswer } from "./menuboard.js";
import { follow } from "./subscription.js";

type Numbers = { numbers: { position: string } };
type Variables = { after?: string | null };

const SUBSCRIPTION = {
  toString: () => "subscription Numbers($after: String) { numbers(after: $after) { position } }",
} as unknown as TypedDocumentString<Numbers, Variables>;

/** The application, which the test of all examples starts. */
const menuboard = process.env["MENUBOARD"] ?? "http://127.0.0.1:8080/graphql";
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Answers one request after the other, each in its own way; keeps the positions that were asked for. */
function serve(...answers: ((response: ServerResponse) => void)[]): { url: string; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      asked.push(JSON.parse(body).variables.after);
      (answers[asked.length - 1] ?? (() => {}))(response);
    });
  }).listen(0);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/stream`, asked };
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" }).write(":\n\n");
}

function tell(response: ServerResponse, ...positions: string[]): void {
  for (const position of positions) {
    response.write(`event: next\ndata: ${JSON.stringify({ data: { numbers: { position } } })}\n\n`);
  }
}

function fail(response: ServerResponse, code: string): void {
  response.write(`event: next\ndata: ${JSON.stringify({ errors: [{ message: code, extensions: { code } }] })}\n\n`);
  response.end("event: complete\ndata:\n\n");
}

async function read(url: string, count: number): Promise<string[]> {
  const controller = new AbortController();
  const read: string[] = [];
  const options = { signal: controller.signal, millis: 1 };
  for await (const event of follow(url, SUBSCRIPTION, {}, (e) => e.numbers.position, options)) {
    read.push(event.numbers.position);
    if (read.length === count) {
      controller.abort();
    }
  }
  return read;
}

test("goes on after its last event, whatever ended the one before", async () => {
  const { url, asked } = serve(
    (response) => {
      begin(response);
      tell(response, "1", "2");
      response.end(); // an instance that stops
    },
    (response) => {
      begin(response);
      tell(response, "3");
      fail(response, "SUBSCRIBER_TOO_SLOW");
    },
    (response) => {
      begin(response);
      response.destroy(); // a network that breaks
    },
    (response) => response.writeHead(502).end("<html>Bad Gateway</html>"),
    (response) =>
      response
        .writeHead(429, { "Content-Type": "application/json" })
        .end('{"errors":[{"message":"later","extensions":{"code":"TOO_MANY_SUBSCRIBERS"}}]}'),
    (response) =>
      response
        .writeHead(429, { "Content-Type": "application/json", "Retry-After": "1" })
        .end('{"errors":[{"message":"later","extensions":{"code":"TOO_MANY_REQUESTS"}}]}'),
    (response) => {
      begin(response);
      fail(response, "INTERNAL");
    },
    (response) => {
      begin(response);
      fail(response, "OTHER_VERSION");
    },
    (response) => {
      begin(response);
      tell(response, "4", "5");
    },
  );

  assert.deepEqual(await read(url, 5), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(asked, [undefined, "2", "3", "3", "3", "3", "3", "3", "3"]);
});

test("goes on where a connection says nothing any more", async () => {
  const { url, asked } = serve(
    (response) => {
      begin(response);
      tell(response, "1"); // and then its machine has no current
    },
    (response) => {
      begin(response);
      tell(response, "2");
    },
  );
  const controller = new AbortController();
  const reasons: unknown[] = [];
  const onRetry = (reason: unknown) => reasons.push(reason);
  const options = { signal: controller.signal, millis: 1, silentMillis: 300, onRetry };
  const positions: string[] = [];
  for await (const event of follow(url, SUBSCRIPTION, {}, (e) => e.numbers.position, options)) {
    if (positions.push(event.numbers.position) === 2) {
      controller.abort();
    }
  }

  assert.deepEqual(positions, ["1", "2"]);
  assert.deepEqual(asked, [undefined, "1"]);
  assert.deepEqual(reasons, ["nothing was heard for 300 ms"]);
});

test("shows the mistakes of whoever subscribes", async () => {
  const { url } = serve((response) => {
    begin(response);
    tell(response, "1");
  });
  const wrong = follow(url, SUBSCRIPTION, {}, () => {
    throw new Error("no such field");
  });

  await assert.rejects(wrong.next(), /no such field/);
  for (const address of ["127.0.0.1:8080/graphql/stream", "localhost:8080/graphql/stream", ""]) {
    await assert.rejects(follow(address, SUBSCRIPTION, {}, (e) => e.numbers.position).next(), TypeError);
  }
});

test("does not go on where that is no use", async () => {
  const { url } = serve((response) => {
    begin(response);
    tell(response, "1");
    fail(response, "POSITION_EXPIRED");
  });

  await assert.rejects(read(url, 2), (e: NoAnswer) => e.code === "POSITION_EXPIRED");
});

test("is told by Menuboard where a till is, and goes on there", { timeout: 30_000 }, async () => {
  const controller = new AbortController();
  for await (const begin of priceChanges(`${menuboard}/stream`, "DE-0001", "ALL", null, { signal: controller.signal })) {
    assert.deepEqual(begin.prices, {});
    assert.match(begin.position, /./);
    controller.abort();
  }
  const nobody = priceChanges(`${menuboard}/stream`, "NO-SUCH-STORE", "ALL", null);
  await assert.rejects(nobody.next(), (e: NoAnswer) => e.code === "NOT_FOUND");
});

test("tells what Menuboard refuses", { timeout: 30_000 }, async () => {
  await assert.rejects(read(`${menuboard}/stream`, 1), (e: NoAnswer) => e.code === "GRAPHQL_VALIDATION_FAILED");
});
