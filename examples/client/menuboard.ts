import type { TypedDocumentString } from "../gql/graphql.js";

/** Codes of what may succeed if it is asked again. */
const PASSING = new Set([
  "DEADLINE_EXCEEDED",
  "INTERNAL",
  "OTHER_VERSION",
  "OVERLOADED",
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
]);

/** No answer, or one with errors. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /** Code of the first error; null where nobody answered. */
    readonly code: string | null,
    /** Whether it may succeed if it is asked again. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}

export interface Options {
  /** How long to wait for an answer. */
  millis?: number;
  /** What Menuboard knows the client by; the one of the environment where it is not said. */
  token?: string | undefined;
  fetcher?: typeof fetch;
}

type Answer<R> = { data?: R | null; errors?: { message: string; extensions?: { code?: string } }[] };

/** A server of Menuboard: sends typed documents, and gives back their data. */
export class Menuboard {
  constructor(
    private readonly url: string,
    private readonly options: Options = {},
  ) {}

  async ask<R, V>(document: TypedDocumentString<R, V>, variables: V, millis = this.options.millis ?? 2_000): Promise<R> {
    const answer = await this.post<R>(JSON.stringify({ query: document.toString(), variables }), millis);
    const error = answer.errors?.[0];
    if (error || !answer.data) {
      const code = error?.extensions?.code ?? null;
      throw new NoAnswer(error?.message ?? "an answer without data", code, code === null || PASSING.has(code));
    }
    return answer.data;
  }

  private async post<R>(body: string, millis: number): Promise<Answer<R>> {
    const token = this.options.token ?? process.env["MENUBOARD_TOKEN"];
    try {
      const response = await (this.options.fetcher ?? fetch)(this.url, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/graphql-response+json",
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
        body,
        signal: AbortSignal.timeout(millis),
      });
      // Refusals have errors too, whatever their status; a proxy's page is no JSON.
      return (await response.json()) as Answer<R>;
    } catch (e) {
      throw new NoAnswer(`${this.url}: ${e instanceof Error ? e.message : e}`, null, true);
    }
  }
}
