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
  "STOPPING",
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
}

const MOST_MILLIS = 60_000;

/**
 * Events of a subscription that has a position, each once and in order: where a server stops, is away or sends this client away, it
 * subscribes again after the last event that it has given out. Ends by the signal; throws `NoAnswer` where trying again is no use.
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
  const token = options.token ?? process.env["MENUBOARD_TOKEN"];
  const client = createClient({
    url,
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
      try {
        for await (const event of events) {
          const error = event.errors?.[0];
          if (error) {
            const code = String(error.extensions?.["code"] ?? "");
            if (AGAIN.has(code)) {
              break;
            }
            throw new NoAnswer(error.message, code, false);
          }
          if (event.data) {
            failures = 0;
            after = position(event.data);
            yield event.data;
          }
        }
      } finally {
        options.signal?.removeEventListener("abort", stop);
      }
    } catch (e) {
      if (!(await isPassing(e))) {
        throw e;
      }
    }
    await pause(Math.min(MOST_MILLIS, first * 2 ** failures), options.signal);
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
function pause(millis: number, signal?: AbortSignal): Promise<void> {
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
