/** Asks the collector: several questions in one request, with the token that was pasted, if any. */

import type { Answers, PathOf } from '@pi-ledger/contract/answers';

/** Why there is no answer, in words for the reader. */
export interface Problem {
  /**
   * `signIn`: a token is needed or no longer holds. `forbidden`: it does not allow this. `offline`:
   * nobody answers.
   */
  readonly is: 'signIn' | 'forbidden' | 'offline' | 'refused';
  readonly message: string;
}

export type Outcome =
  | { readonly is: 'answered'; readonly body: unknown }
  | { readonly is: 'failed'; readonly problem: Problem };

/** What came of a question with a body. */
export type Posted<Answer> =
  | { readonly is: 'answered'; readonly body: Answer }
  | Extract<Outcome, { is: 'failed' }>;

export interface Client {
  /** One outcome for each URL, in order. Never rejects. */
  askAll(urls: readonly string[]): Promise<readonly Outcome[]>;
  /** A question with a body, which changes nothing. `query` starts with `?`. Never rejects. */
  post<Path extends PathOf<'POST'>>(
    path: Path,
    query: string,
    body: string,
  ): Promise<Posted<Answers[`POST ${Path}`]>>;
  /** For everybody who asks this collector. Never rejects. */
  hideInsight(id: string): Promise<Posted<Answers['POST /v1/insights/{id}/hidden']>>;
  /** The stream of `/v1/live`. Rejects when nobody answers. */
  openLive(after: string | null, signal: AbortSignal): Promise<Response>;
  /** Signs out when the token is null. */
  setToken(token: string | null): void;
}

/** The API takes as many questions in one request. */
const asksMax = 12;
const waitMsMax = 15_000;

export function createClient(fetchIt: typeof fetch): Client {
  let token: string | null = null;
  const headers = (): Record<string, string> =>
    token === null ? {} : { authorization: `Bearer ${token}` };

  async function askSome(urls: readonly string[]): Promise<readonly Outcome[]> {
    const query = new URLSearchParams(urls.map((url): [string, string] => ['ask', url]));
    try {
      const signal = AbortSignal.timeout(waitMsMax);
      const response = await fetchIt(`/v1/answers?${query}`, { headers: headers(), signal });
      const body = await response.json();
      if (!response.ok) return urls.map(() => failed(response.status, body));
      const answers: readonly OneAnswer[] = body.answers;
      return answers.map((each) =>
        each.status < 300 ? { is: 'answered', body: each.body } : failed(each.status, each.body),
      );
    } catch (error) {
      return urls.map(() => ({ is: 'failed', problem: offline(error, urls) }));
    }
  }

  async function send<Answer>(url: string, text: string): Promise<Posted<Answer>> {
    try {
      const response = await fetchIt(url, {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/json' },
        body: text,
      });
      const body = await response.json();
      return response.ok ? { is: 'answered', body } : failed(response.status, body);
    } catch (error) {
      return { is: 'failed', problem: offline(error, [url]) };
    }
  }

  return {
    async askAll(urls) {
      const parts = Array.from({ length: Math.ceil(urls.length / asksMax) }, (_, index) =>
        urls.slice(index * asksMax, (index + 1) * asksMax),
      );
      return (await Promise.all(parts.map(askSome))).flat();
    },
    post: (path, query, text) => send(`${path}${query}`, text),
    hideInsight: (id) =>
      send(`/v1/insights/${encodeURIComponent(id)}/hidden`, JSON.stringify({ hidden: true })),
    openLive(after, signal) {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      return fetchIt(`/v1/live${query}`, { headers: headers(), signal });
    },
    setToken(next) {
      token = next;
    },
  };
}

interface OneAnswer {
  readonly status: number;
  readonly body: unknown;
}

function failed(status: number, body: unknown): Extract<Outcome, { is: 'failed' }> {
  const message = messageOf(body) ?? `Status ${status}.`;
  const is = status === 401 ? 'signIn' : status === 403 ? 'forbidden' : 'refused';
  return { is: 'failed', problem: { is, message } };
}

function messageOf(body: unknown): string | null {
  return typeof body === 'object' &&
    body !== null &&
    'message' in body &&
    typeof body.message === 'string'
    ? body.message
    : null;
}

function offline(error: unknown, urls: readonly string[]): Problem {
  const isSlow = error instanceof Error && error.name === 'TimeoutError';
  const what = urls.map((url) => url.split('?')[0]).join(', ');
  return isSlow
    ? { is: 'refused', message: `No answer from ${what} within ${waitMsMax / 1_000} s.` }
    : { is: 'offline', message: `Nobody answers at ${location.host}.` };
}

/** The answers that the collector has put into the page, by URL. */
export function firstAnswers(text: string | null): ReadonlyMap<string, unknown> {
  return new Map(text === null ? [] : Object.entries<unknown>(JSON.parse(text)));
}
