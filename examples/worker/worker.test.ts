import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Menuboard } from "../client/menuboard.js";
import { graphql } from "../gql/gql.js";
import { Hopeless, Worker, type Handler } from "./worker.js";

const url = process.env["MENUBOARD"] ?? "http://127.0.0.1:8080/graphql";
/** A server that has just begun may take its time. */
const PATIENT = { millis: 30_000 };
const menuboard = new Menuboard(url, PATIENT);

const SubmitTask = graphql(`
  mutation SubmitTask($input: SubmitTaskInput!) {
    submitTask(input: $input) {
      task {
        id
      }
      errors {
        message
      }
    }
  }
`);

const TaskNow = graphql(`
  query TaskNow($id: ID!) {
    task(id: $id) {
      status
      result
      reason
      attempt
      failures
      progress {
        done
        total
      }
    }
  }
`);

async function submitted(type: string): Promise<string> {
  const { submitTask } = await menuboard.ask(SubmitTask, { input: { type, payload: { store: "DE-0001" } } });
  return submitTask!.task!.id;
}

async function now(id: string) {
  return (await menuboard.ask(TaskNow, { id })).task!;
}

function operation(request: RequestInit | undefined): string {
  return /mutation (\w+)/.exec(String(request?.body))?.[1] ?? "";
}

function refusing(mutation: string, code: string): Response {
  return Response.json({ data: { [mutation]: { errors: [{ code, message: "refused" }] } } });
}

/** A worker that is given one task, after as many answers were lost, and stops when it asks for another. */
function serving(
  extend: (input: { progress: unknown }) => Response,
  handler: Handler,
  { lost = 0, leaseSeconds = 60 }: { lost?: number; leaseSeconds?: number },
) {
  const asked: string[] = [];
  const stop = new AbortController();
  const task = { id: "1", type: "example.given", payload: null, attempt: 1, lease: { leaseToken: "1" } };
  const given = new Menuboard("http://127.0.0.1:1/graphql", {
    fetcher: async (_, request) => {
      const name = operation(request);
      asked.push(name);
      switch (name) {
        case "ClaimTasks": {
          const claims = asked.filter((one) => one === name).length - lost;
          if (claims <= 0) {
            throw new TypeError("connection reset");
          }
          if (claims > 1) {
            stop.abort();
          }
          return Response.json({ data: { claimTasks: { tasks: claims > 1 ? [] : [task], errors: [] } } });
        }
        case "ExtendLease":
          return extend(JSON.parse(String(request?.body)).variables.input);
        default:
          return Response.json({ data: { completeTask: { errors: [] } } });
      }
    },
  });
  const worker = new Worker(given, { name: "w-given", handlers: { "example.given": handler }, leaseSeconds });
  return { worker: () => worker.run(stop.signal), asked };
}

/** The same whose task comes late. */
function late(extend: () => Response) {
  let hasBegun = false;
  const handler = async () => {
    hasBegun = true;
    return null;
  };
  return { ...serving(extend, handler, { lost: 1 }), begun: () => hasBegun };
}

/** Has a worker do tasks of one type until one is as it should be. */
async function work(type: string, handler: Handler, id: string, status: string, via = menuboard, leaseSeconds = 60) {
  const stop = new AbortController();
  const worker = new Worker(via, { name: `w-${type}`, handlers: { [type]: handler }, leaseSeconds, waitSeconds: 1 });
  const running = worker.run(stop.signal);
  while ((await now(id)).status !== status) {
    await sleep(50);
  }
  stop.abort();
  await running;
  return now(id);
}

describe("a worker", { concurrency: true }, () => {
  test("does a task and says what came of it", async () => {
    const id = await submitted("example.done");

    const task = await work("example.done", async ({ payload }) => ({ printed: payload }), id, "COMPLETED");

    assert.deepEqual(task.result, { printed: { store: "DE-0001" } });
  });

  test("extends the lease with the progress of what takes long", async () => {
    const id = await submitted("example.long");

    const task = await work(
      "example.long",
      async (_, report) => {
        report({ done: 1, total: 2 });
        while (!(await now(id)).progress) {
          await sleep(50);
        }
        return "extended";
      },
      id,
      "COMPLETED",
      menuboard,
      3,
    );

    assert.equal(task.result, "extended");
    assert.deepEqual(task.progress, { done: 1, total: 2 });
  });

  test("has a failure tried again, and not where that is hopeless", async () => {
    const id = await submitted("example.failing");

    const task = await work(
      "example.failing",
      async ({ attempt }) => {
        throw attempt === 1 ? new Error("no paper") : new Hopeless("no printer");
      },
      id,
      "DEAD",
    );

    assert.equal(task.reason, "no printer");
    assert.equal(task.failures, 2);
  });

  test("ends the task where its result is refused", async () => {
    const large = await submitted("example.large");
    const strange = await submitted("example.strange");

    const tooLarge = await work("example.large", async () => "x".repeat(100_000), large, "DEAD");
    const noJson = await work("example.strange", async () => 1n, strange, "DEAD");

    assert.equal(tooLarge.reason, "RESULT_TOO_LARGE");
    assert.equal(tooLarge.failures, 1);
    assert.equal(noJson.reason, "the result is no JSON");
  });

  test("always has a reason for a failure", async () => {
    const id = await submitted("example.blank");

    const task = await work(
      "example.blank",
      async () => {
        throw new Hopeless(" ".repeat(600));
      },
      id,
      "DEAD",
    );

    assert.equal(task.reason, "failed");
  });

  test("gets the task of a claim whose answer was lost", async () => {
    const id = await submitted("example.lost");
    let lost = 0;
    const asked: string[] = [];
    const losing = new Menuboard(url, {
      ...PATIENT,
      fetcher: async (...request) => {
        asked.push(operation(request[1]));
        const response = await fetch(...request);
        if ((await response.clone().text()).includes('"leaseToken"') && lost++ === 0) {
          throw new TypeError("connection reset");
        }
        return response;
      },
    });

    const task = await work("example.lost", async () => "found", id, "COMPLETED", losing);

    assert.equal(lost > 0, true);
    assert.equal(task.attempt, 1);
    // At once, because nobody knows how much of the lease is left.
    assert.deepEqual(
      asked.filter((name) => name !== "ClaimTasks"),
      ["ExtendLease", "CompleteTask"],
    );
  });

  test("begins no task whose lease has ended when the answer comes", async () => {
    const { worker, asked, begun } = late(() => refusing("extendLease", "LEASE_LOST"));

    await worker();

    assert.deepEqual(asked, ["ClaimTasks", "ClaimTasks", "ExtendLease", "ClaimTasks"]);
    assert.equal(begun(), false);
  });

  test("begins a task whose answer comes late once its lease was extended", async () => {
    let tries = 0;
    const { worker, asked, begun } = late(() => {
      if (tries++ === 0) {
        throw new TypeError("connection reset");
      }
      return Response.json({ data: { extendLease: { errors: [] } } });
    });

    await worker();

    assert.deepEqual(asked, ["ClaimTasks", "ClaimTasks", "ExtendLease", "ExtendLease", "CompleteTask", "ClaimTasks"]);
    assert.equal(begun(), true);
  });

  for (const refusal of [
    refusing("extendLease", "INVALID_PROGRESS"),
    Response.json({ errors: [{ message: "no whole number", extensions: { code: "BAD_USER_INPUT" } }] }),
  ]) {
    test("goes on, without it, where its progress is refused", async () => {
      const said: unknown[] = [];
      let enough = () => {};
      const extended = new Promise<void>((resolve) => (enough = resolve));
      let isLost = true;
      const { worker } = serving(
        ({ progress }) => {
          if (said.push(progress) === 3) {
            enough();
          }
          return progress ? refusal.clone() : Response.json({ data: { extendLease: { errors: [] } } });
        },
        async (_task, report, lost) => {
          report({ done: 2, total: 1 });
          await extended;
          isLost = lost.aborted;
          return null;
        },
        { leaseSeconds: 1 },
      );

      await worker();

      assert.deepEqual(said, [{ done: 2, total: 1 }, null, null]);
      assert.equal(isLost, false);
    });
  }

  test("repeats a claim for longer than a lease until there is an answer", async () => {
    const keys: string[] = [];
    const stop = new AbortController();
    const away = new Menuboard(url, {
      fetcher: async (_, request) => {
        keys.push(JSON.parse(String(request?.body)).variables.input.idempotencyKey);
        if (keys.length < 5) {
          throw new TypeError("connection refused"); // with the pauses in between, for longer than the lease
        }
        if (keys.length === 6) {
          stop.abort();
        }
        return Response.json({ data: { claimTasks: { tasks: [], errors: [] } } });
      },
    });

    await new Worker(away, { name: "w-away", handlers: { "example.away": async () => null }, leaseSeconds: 1 }).run(
      stop.signal,
    );

    assert.equal(keys.length, 6);
    assert.equal(new Set(keys.slice(0, 5)).size, 1);
    assert.notEqual(keys[5], keys[0]);
  });

  test("pauses where a claim that was to wait is answered at once, with nothing", async () => {
    const asked: number[] = [];
    const stop = new AbortController();
    const full = new Menuboard(url, {
      fetcher: async () => {
        if (asked.push(performance.now()) === 3) {
          stop.abort();
        }
        return Response.json({ data: { claimTasks: { tasks: [], errors: [] } } });
      },
    });

    await new Worker(full, { name: "w-full", handlers: { "example.full": async () => null } }).run(stop.signal);

    assert.equal(asked.length, 3);
    assert.ok(asked.slice(1).every((at, i) => at - asked[i]! > 400));
  });

  test("does no task again that is done, and does not end, where Menuboard fails or has had too many requests", async () => {
    const id = await submitted("example.refused");
    const refusals = new Map([
      ["ClaimTasks", ["TOO_MANY_REQUESTS", "INTERNAL"]],
      ["CompleteTask", ["INTERNAL", "TOO_MANY_REQUESTS"]],
    ]);
    const refusing = new Menuboard(url, {
      ...PATIENT,
      fetcher: async (where, request) => {
        const code = refusals.get(operation(request))?.pop();
        return code ? Response.json({ errors: [{ message: "refused", extensions: { code } }] }) : fetch(where, request);
      },
    });

    const task = await work("example.refused", async () => "done", id, "COMPLETED", refusing);

    assert.deepEqual([...refusals.values()], [[], []]);
    assert.equal(task.attempt, 1);
    assert.equal(task.failures, 0);
  });

  test("tells a handler that its lease is lost", async () => {
    const id = await submitted("example.cancelled");
    const CancelTask = graphql(`
      mutation CancelTask($id: ID!) {
        cancelTask(input: { id: $id }) {
          errors {
            message
          }
        }
      }
    `);
    let told = false;

    await work(
      "example.cancelled",
      async (_task, _report, lost) => {
        await menuboard.ask(CancelTask, { id });
        await once(lost, "abort");
        told = true;
      },
      id,
      "CANCELLED",
      menuboard,
      3,
    );

    assert.equal(told, true);
  });

  test("ends what it does and begins nothing when it stops", async () => {
    const type = `example.${randomUUID()}`;
    const ids = [await submitted(type), await submitted(type)];
    const stop = new AbortController();

    await new Worker(menuboard, {
      name: "w-stopped",
      handlers: {
        [type]: async () => {
          stop.abort();
          return "ended";
        },
      },
    }).run(stop.signal);

    const tasks = await Promise.all(ids.map(now));
    assert.deepEqual(tasks.map((task) => task.status).sort(), ["COMPLETED", "PENDING"]);
  });
});
