import { createClient } from "graphql-sse";
import type { TypedDocumentString } from "../gql/graphql.js";
import { NoAnswer } from "./menuboard.js";

/** Codes of errors after which a client subscribes again, where it was. */
const AGAIN = new Set([
  "ACCESS_CHANGED",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "OTHER_VERSION",
  "OVERLOADED",
  "PRICES_LOADING",
  "SUBSCRIBER_TOO_SLOW",
  "TOO_MANY_REQUESTS",
  "TOO_MANY_SUBSCRIBERS",
  "UNAVAILABLE",
]);

export interface SubscriptionOptions {
  /** What Menuboard knows the client by; the one of the environment where it is not said. */
  token?: string | undefined;
  /** Ends the subscription. */
  signal?: AbortSignal;
  /** How long to wait before the first of the attempts that fail one after the other, doubled each time up to a minute. */
  millis?: number;
  /** Silence after which a connection counts as broken; the server sends something every 15 seconds, events or not. */
  silentMillis?: number;
  /** Is told why it subscribes again. */
  onRetry?: (reason: unknown) => void;
}

const MOST_MILLIS = 60_000;
const SILENT_MILLIS = 45_000;

/**
 * Events of a subscription that has a position, each once and in order: where a server stops, is away or sends this client away, it
 * subscribes again after the last event that it has given out. Ends by the signal; throws `NoAnswer` where trying again is no use,
 * and `TypeError` for what is no URL of HTTP.
 *
 * @param url of GraphQL's streams, `…/graphql/stream`
 * @param variables without the position, or with the one to begin after
 * @param position after an event
 */
export async function* follow<R, V extends { after?: string | null | undefined }>(
  url: string,
  document: TypedDocumentString<R, V>,
  variables: V,
  position: (event: R) => string,
  options: SubscriptionOptions = {},
): AsyncGenerator<R, void, void> {
  if (!/^https?:$/.test(new URL(url).protocol)) {
    throw new TypeError(`${url} is no URL of HTTP`);
  }
  const token = options.token ?? process.env["MENUBOARD_TOKEN"];
  let heard = () => {};
  const client = createClient({
    url,
    fetchFn: async (...request: Parameters<typeof fetch>) => listening(await fetch(...request), () => heard()),
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    retryAttempts: 0, // it would begin again where this began
  });
  const first = options.millis ?? 500;
  let after = variables.after;
  for (let failures = 0; !options.signal?.aborted; failures++) {
    try {
      const events = client.iterate<R>({
        query: document.toString(),
        variables: { ...variables, after } as Record<string, unknown>,
      });
      const stop = () => void events.return?.();
      options.signal?.addEventListener("abort", stop);
      const silent = options.silentMillis ?? SILENT_MILLIS;
      const watchdog = setInterval(() => {
        options.onRetry?.(`nothing was heard for ${silent} ms`);
        stop();
      }, silent);
      heard = () => void watchdog.refresh();
      try {
        for await (const event of events) {
          const error = event.errors?.[0];
          if (error) {
            const code = String(error.extensions?.["code"] ?? "");
            if (AGAIN.has(code)) {
              options.onRetry?.(code);
              break;
            }
            throw new NoAnswer(error.message, code, false);
          }
          if (event.data) {
            failures = 0;
            after = told(position, event.data);
            yield event.data;
          }
        }
      } finally {
        clearInterval(watchdog);
        options.signal?.removeEventListener("abort", stop);
      }
    } catch (e) {
      if (!(await isPassing(e))) {
        throw e;
      }
      options.onRetry?.(e);
    }
    await pause(Math.min(MOST_MILLIS, first * 2 ** failures), options.signal);
  }
}

/** Says whenever something comes, a comment too. */
function listening(response: Response, heard: () => void): Response {
  heard();
  const pass = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, to) {
      heard();
      to.enqueue(chunk);
    },
  });
  return response.body ? new Response(response.body.pipeThrough(pass), response) : response;
}

/** A mistake of whoever subscribes, which the next event would meet again. */
function told<R>(position: (event: R) => string, event: R): string {
  try {
    return position(event);
  } catch (e) {
    throw new NoAnswer(`an event without a position: ${e instanceof Error ? e.message : e}`, null, false);
  }
}

/** A refusal by status says by its code whether it passes; whoever could not be reached may be, later. */
async function isPassing(e: unknown): Promise<boolean> {
  if (e instanceof NoAnswer) {
    return e.isPassing;
  }
  const response = (e as { response?: Response }).response;
  if (!response) {
    return true;
  }
  try {
    const { errors } = (await response.json()) as { errors: { message: string; extensions: { code: string } }[] };
    if (errors.some((error) => AGAIN.has(error.extensions.code))) {
      return true;
    }
    throw new NoAnswer(errors[0]?.message ?? "refused", errors[0]?.extensions.code ?? null, false);
  } catch (parsed) {
    if (parsed instanceof NoAnswer) {
      throw parsed;
    }
    return response.status >= 500; // a proxy's page
  }
}

/** At random between half and all of it, so that thousands do not come back together. */
export function pause(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, millis * (0.5 + Math.random() / 2));
    signal?.addEventListener("abort", done);
    if (signal?.aborted) {
      done();
    }
  });
}
