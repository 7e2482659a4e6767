import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { NoAnswer, type Menuboard } from "../client/menuboard.js";
import { graphql } from "../gql/gql.js";
import type { ClaimTasksMutation, TaskProgressInput } from "../gql/graphql.js";

const ClaimTasks = graphql(`
  mutation ClaimTasks($input: ClaimTasksInput!) {
    claimTasks(input: $input) {
      tasks {
        id
        type
        payload
        attempt
        lease {
          leaseToken
        }
      }
      errors {
        code
        message
      }
    }
  }
`);

const ExtendLease = graphql(`
  mutation ExtendLease($input: ExtendLeaseInput!) {
    extendLease(input: $input) {
      errors {
        code
        message
      }
    }
  }
`);

const CompleteTask = graphql(`
  mutation CompleteTask($input: CompleteTaskInput!) {
    completeTask(input: $input) {
      errors {
        code
        message
      }
    }
  }
`);

const FailTask = graphql(`
  mutation FailTask($input: FailTaskInput!) {
    failTask(input: $input) {
      errors {
        code
        message
      }
    }
  }
`);

const ReleaseTask = graphql(`
  mutation ReleaseTask($input: ReleaseTaskInput!) {
    releaseTask(input: $input) {
      errors {
        code
        message
      }
    }
  }
`);

export type Task = NonNullable<NonNullable<ClaimTasksMutation["claimTasks"]>["tasks"]>[number];

/** Codes of errors of a task that is this worker's no more. */
const LOST = new Set(["LEASE_LOST", "NOT_FOUND"]);

/** Why a task is not to be tried again; any other error is worth another attempt. */
export class Hopeless extends Error {}

/**
 * Does one task, and gives back its result, which is JSON.
 *
 * @param report says how far it is, with the next extension of the lease
 * @param lost aborts where the lease is lost: somebody else may be at it
 */
export type Handler = (task: Task, report: (progress: TaskProgressInput) => void, lost: AbortSignal) => Promise<unknown>;

interface Lease {
  id: string;
  leaseToken: string | null | undefined;
}

interface Failure {
  reason: string;
  retryable: boolean;
}

export interface Settings {
  name: string;
  /** By type of task. */
  handlers: Record<string, Handler>;
  leaseSeconds?: number;
  waitSeconds?: number;
}

/** Whether to ask again, after so many pauses, and one more of about so many milliseconds. */
type GoOn = (pauses: number, millis: number) => boolean;

/** Claims tasks and does them, one after the other. */
export class Worker {
  private readonly leaseSeconds: number;

  constructor(
    private readonly menuboard: Menuboard,
    private readonly settings: Settings,
  ) {
    this.leaseSeconds = settings.leaseSeconds ?? 60;
  }

  /** Works until it is told to stop; what it is doing then, it ends. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const asked = Date.now();
      const { tasks, isLate } = await this.claim(stop);
      if (tasks.length === 0 && Date.now() - asked < 500 && !stop.aborted) {
        await sleep(1_000 * (0.5 + Math.random())); // so many wait already that this one may not
      }
      for (const task of tasks) {
        await (stop.aborted ? this.release(task) : this.work(task, isLate));
      }
    }
  }

  /**
   * Has the same key until there is an answer, however long that takes: where one is lost, the next brings the same task, late, with
   * what is left of its lease.
   */
  private async claim(stop: AbortSignal): Promise<{ tasks: Task[]; isLate: boolean }> {
    const waitSeconds = this.settings.waitSeconds ?? 20;
    const { name: worker, handlers } = this.settings;
    const { leaseSeconds } = this;
    const input = { worker, types: Object.keys(handlers), leaseSeconds, waitSeconds, idempotencyKey: randomUUID() };
    let isLate = false;
    const answer = await this.repeat(
      () => this.menuboard.ask(ClaimTasks, { input }, (waitSeconds + 5) * 1_000),
      (pauses) => {
        isLate = true;
        return !stop.aborted || pauses === 0;
      },
    );
    check(answer?.claimTasks);
    return { tasks: answer?.claimTasks?.tasks ?? [], isLate };
  }

  private async work(task: Task, isLate: boolean): Promise<void> {
    const lease = leaseOf(task);
    const lost = new AbortController();
    let progress: TaskProgressInput | null = null;
    /** Whether the task is still this worker's; false where that is not known. */
    const extend = async (): Promise<boolean> => {
      const said = progress;
      const code = await this.extend(lease, said);
      if (code && LOST.has(code)) {
        lost.abort();
      }
      if (!code || LOST.has(code) || said === null) {
        return !code;
      }
      progress = progress === said ? null : progress; // it may be what is wrong, and is worth no lease
      return extend();
    };
    if (isLate && !(await this.repeat(extend))) {
      return; // its lease has ended, or may have, and somebody else may be at it
    }
    const extending = setInterval(() => extend().catch(() => {}), (this.leaseSeconds * 1_000) / 4); // two more tries follow
    const outcome = await this.handle(task, (now) => (progress = now), lost.signal);
    clearInterval(extending);
    await ("reason" in outcome ? this.fail(lease, outcome) : this.complete(lease, outcome.result));
  }

  /** Gives back the code of why the lease was not extended. */
  private async extend(lease: Lease, progress: TaskProgressInput | null): Promise<string | undefined> {
    const { leaseSeconds } = this;
    try {
      const answer = await this.menuboard.ask(ExtendLease, { input: { ...lease, leaseSeconds, progress } });
      return refused(lease, answer.extendLease);
    } catch (e) {
      if (!(e instanceof NoAnswer) || e.isPassing || !e.code) {
        throw e;
      }
      console.warn(`task ${lease.id}: ${e.code}: ${e.message}`);
      return e.code;
    }
  }

  /** Saying it again is the same as saying it once. A result that is refused would be the next time, too, so that ends the task. */
  private async complete(lease: Lease, result: unknown): Promise<void> {
    let code: string | undefined;
    try {
      const answer = await this.repeat(() => this.menuboard.ask(CompleteTask, { input: { ...lease, result } }));
      code = refused(lease, answer?.completeTask);
    } catch (e) {
      code = (e instanceof NoAnswer && e.code) || "the result is no JSON";
    }
    if (code && !LOST.has(code)) {
      await this.fail(lease, { reason: code, retryable: false });
    }
  }

  private async fail(lease: Lease, failure: Failure): Promise<void> {
    const answer = await this.repeat(() => this.menuboard.ask(FailTask, { input: { ...lease, ...failure } }));
    refused(lease, answer?.failTask);
  }

  /** What came of the work, or why it failed: nothing that is said of it later makes it another. */
  private async handle(...[task, report, lost]: Parameters<Handler>): Promise<{ result: unknown } | Failure> {
    try {
      return { result: await this.settings.handlers[task.type]!(task, report, lost) };
    } catch (e) {
      const reason = (e instanceof Error ? e.message : String(e)).trim().slice(0, 500) || "failed";
      return { reason, retryable: !(e instanceof Hopeless) };
    }
  }

  private async release(task: Task): Promise<void> {
    const lease = leaseOf(task);
    const answer = await this.repeat(() =>
      this.menuboard.ask(ReleaseTask, { input: { ...lease, reason: "the worker stops" } }),
    );
    refused(lease, answer?.releaseTask);
  }

  /** For as long as a lease lasts. */
  private whileLeased(): GoOn {
    const end = Date.now() + this.leaseSeconds * 1_000;
    return (_pauses, millis) => Date.now() + millis <= end;
  }

  /** Asks until there is an answer, or for as long as it is to go on; null where there is none. */
  private async repeat<T>(ask: () => Promise<T>, goOn = this.whileLeased()): Promise<T | null> {
    for (let pauses = 0, millis = 100; ; pauses++, millis = Math.min(2 * millis, 10_000)) {
      try {
        return await ask();
      } catch (e) {
        if (!(e instanceof NoAnswer) || !e.isPassing) {
          throw e;
        }
        if (!goOn(pauses, millis)) {
          return null;
        }
        await sleep(millis * (0.5 + Math.random()));
      }
    }
  }
}

function leaseOf(task: Task): Lease {
  return { id: task.id, leaseToken: task.lease!.leaseToken };
}

type Payload = { errors: { code: string; message: string }[] } | null | undefined;

/** Tells people what Menuboard did not do with a task; gives back the code of why. */
function refused({ id }: Lease, payload: Payload): string | undefined {
  const error = payload?.errors[0];
  if (error) {
    console.warn(`task ${id}: ${error.code}: ${error.message}`);
  }
  return error?.code;
}

function check(payload: Payload): void {
  const error = payload?.errors[0];
  if (error) {
    throw new Error(`${error.code}: ${error.message}`); // a mistake in the worker, which no repetition mends
  }
}
