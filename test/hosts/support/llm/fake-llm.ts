/**
 * A fake LLM server on the loopback interface: streaming OpenAI chat completions and Anthropic
 * messages. Answers follow the scenario named in the prompt (`scenarios.ts`), with token numbers
 * that the test can query.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitMsMax } from '../../../support/bounds.ts';
import { answer, type Headers, sendJson } from './answer.ts';
import { type Api, type Conversation, type Purpose, readConversation } from './conversation.ts';
import type { DraftRequest, FakeRequest, Outcome } from './request.ts';
import type { ServedUsage } from './usage.ts';

type Counters = Readonly<Record<Outcome | 'requests', number>>;

/** Called after a request was read and before it is answered; the answer waits for a promise. */
type RequestListener = (request: FakeRequest) => void | Promise<void>;

/**
 * Contract: answers until `close`, which destroys what is open. `requests` grows in order of
 * arrival and its elements change only in `outcome` and `usage`. A body that is no chat request
 * gets a 400 and is not recorded.
 */
export interface FakeLlm {
  readonly port: number;
  readonly requests: readonly FakeRequest[];
  counters(): Counters;
  /**
   * Requests whose answers reported usage, of one purpose or all: what the sessions should contain.
   */
  served(purpose?: Purpose): readonly (FakeRequest & { readonly usage: ServedUsage })[];
  /** Returns a function that removes the listener. */
  onRequest(listener: RequestListener): () => void;
  /** Resolves with the first matching request, past or future; rejects after `timeoutMs`. */
  waitForRequest(fits: (request: FakeRequest) => boolean, timeoutMs?: number): Promise<FakeRequest>;
  close(): Promise<void>;
}

/** `headers`: added to every answer. */
export async function startFakeLlm({
  headers = {},
}: {
  readonly headers?: Headers;
} = {}): Promise<FakeLlm> {
  const requests: DraftRequest[] = [];
  const attempts = new Map<string, number>();
  const listeners = new Set<RequestListener>();

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const api = apiOf(incoming.url ?? '');
    if (!api) return sendJson(response, 404, { error: { message: 'no such path' } });
    const body = await readJson(incoming);
    const conversation = readConversation(api, body);
    const request = draft(
      conversation,
      body,
      incoming.url ?? '',
      requests.length + 1,
      countAttempt(attempts, conversation),
    );
    requests.push(request);
    response.on('close', () => {
      if (request.outcome === 'open') request.outcome = 'aborted';
    });
    for (const listener of [...listeners]) await listener(request);
    await answer(response, request, conversation, headers);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => refuse(response, error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    requests,
    counters: () => count(requests),
    served: (purpose) =>
      requests
        .filter(isServed)
        .filter((request) => purpose === undefined || request.purpose === purpose),
    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    waitForRequest: (fits, timeoutMs = waitMsMax) => waitFor(requests, listeners, fits, timeoutMs),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function draft(
  conversation: Conversation,
  body: unknown,
  path: string,
  sequence: number,
  attempt: number,
): DraftRequest {
  const { api, model, purpose, scenario, step, prompt, tools } = conversation;
  const names = tools.map(({ name }) => name);
  const name = purpose === 'turn' ? scenario.name : '';
  const { tag } = scenario;
  return {
    sequence,
    path,
    api,
    model,
    purpose,
    scenario: name,
    tag,
    step,
    attempt,
    prompt,
    tools: names,
    body,
    outcome: 'open',
    usage: undefined,
  };
}

/** A retry sends the same conversation again; the prompt and its position identify it. */
function countAttempt(
  attempts: Map<string, number>,
  { model, turns, prompt, step }: Conversation,
): number {
  const prompts = turns.filter(({ role }) => role === 'user').length;
  const key = JSON.stringify([model, prompts, prompt, step]);
  const attempt = attempts.get(key) ?? 0;
  attempts.set(key, attempt + 1);
  return attempt;
}

function waitFor(
  requests: readonly FakeRequest[],
  listeners: Set<RequestListener>,
  fits: (request: FakeRequest) => boolean,
  timeoutMs: number,
): Promise<FakeRequest> {
  const past = requests.find(fits);
  if (past) return Promise.resolve(past);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => settle(() => reject(new Error(`no such request within ${timeoutMs} ms`))),
      timeoutMs,
    );
    const listener = (request: FakeRequest): void => {
      if (fits(request)) settle(() => resolve(request));
    };
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      listeners.delete(listener);
      finish();
    };
    listeners.add(listener);
  });
}

function count(requests: readonly FakeRequest[]): Counters {
  const counters = {
    requests: requests.length,
    open: 0,
    answered: 0,
    failed: 0,
    dropped: 0,
    aborted: 0,
  };
  for (const { outcome } of requests) counters[outcome] += 1;
  return counters;
}

function isServed(request: FakeRequest): request is FakeRequest & { readonly usage: ServedUsage } {
  return request.usage !== undefined;
}

function apiOf(path: string): Api | undefined {
  if (/\/chat\/completions$/.test(path)) return 'openai';
  return /\/v1\/messages(\?|$)/.test(path) ? 'anthropic' : undefined;
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else
    sendJson(response, 400, { error: { message: String(error), type: 'invalid_request_error' } });
}
