/**
 * A fake LLM server on the loopback interface: streaming OpenAI chat completions and Anthropic
 * messages, with answers that follow the scenario a prompt names (`llm/scenarios.ts`) and token
 * numbers that the test can ask back.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicError, anthropicFrames } from './anthropic.ts';
import { type Api, type Conversation, type Purpose, readConversation } from './conversation.ts';
import type { Answer, Frame } from './frames.ts';
import { openaiError, openaiFrames } from './openai.ts';
import type { Reply } from './reply.ts';
import { play } from './scenarios.ts';
import { type ServedUsage, usageFor } from './usage.ts';

const clientReadsMs = 400;

/**
 * `answered`: sent to its end, with usage. `failed`: an error status. `dropped`: the server
 * destroyed the socket on purpose. `aborted`: the client went away first. `open`: still being
 * answered.
 */
type Outcome = 'open' | 'answered' | 'failed' | 'dropped' | 'aborted';

interface FakeRequest {
  /** From 1, in order of arrival. */
  readonly sequence: number;
  readonly path: string;
  readonly api: Api;
  readonly model: string;
  readonly purpose: Purpose;
  /** Empty unless the purpose is `turn`. */
  readonly scenario: string;
  readonly tag: string;
  readonly step: number;
  /** Identical requests before this one. */
  readonly attempt: number;
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly body: unknown;
  readonly outcome: Outcome;
  /**
   * What the answer has told of its usage so far: an Anthropic answer that is cut off has told its
   * prompt's tokens.
   */
  readonly usage: ServedUsage | undefined;
}

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
   * Requests whose answers have told any usage, of one purpose or all: what the sessions should say
   * was spent.
   */
  served(purpose?: Purpose): readonly (FakeRequest & { readonly usage: ServedUsage })[];
  /** Returns what removes the listener. */
  onRequest(listener: RequestListener): () => void;
  /** Resolves with the first request, past or coming, that fits; rejects after `timeoutMs`. */
  waitForRequest(fits: (request: FakeRequest) => boolean, timeoutMs?: number): Promise<FakeRequest>;
  close(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

type Draft = { -readonly [Key in keyof FakeRequest]: FakeRequest[Key] };

/** `headers`: of every answer, beside its own. */
export async function startFakeLlm({
  headers = {},
}: {
  readonly headers?: Headers;
} = {}): Promise<FakeLlm> {
  const requests: Draft[] = [];
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
    waitForRequest: (fits, timeoutMs = 30_000) => waitFor(requests, listeners, fits, timeoutMs),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  response: ServerResponse,
  request: Draft,
  conversation: Conversation,
  headers: Headers,
): Promise<void> {
  const reply = play(conversation, request.attempt);
  if (reply.kind === 'error') {
    request.outcome = 'failed';
    const error = conversation.api === 'openai' ? openaiError : anthropicError;
    return sendJson(
      response,
      reply.status,
      error(reply.status, reply.type, reply.message),
      headers,
    );
  }
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
  });
  const frames = conversation.api === 'openai' ? openaiFrames : anthropicFrames;
  if (reply.kind === 'drop') return drop(response, request, frames(answerOf(request, reply)));
  if (!(await sendFrames(response, request, frames(answerOf(request, reply))))) return;
  request.outcome = 'answered';
  response.end();
}

function answerOf(request: Draft, reply: Exclude<Reply, { kind: 'error' }>): Answer {
  const { sequence, step, model } = request;
  const blocks =
    reply.kind === 'drop' ? [{ type: 'text', text: reply.text } as const] : reply.blocks;
  const thinking = blocks.some(({ type }) => type === 'thinking');
  const usage = usageFor({ sequence, step, thinking, big: reply.kind === 'message' && reply.big });
  return {
    id: String(sequence),
    model,
    blocks,
    usage,
    wordDelayMs: reply.kind === 'drop' ? 1 : reply.wordDelayMs,
  };
}

/** False when the client went away. */
async function sendFrames(
  response: ServerResponse,
  request: Draft,
  frames: Iterable<Frame>,
): Promise<boolean> {
  for (const { text, pauseMs, told } of frames) {
    if (pauseMs > 0) await sleep(pauseMs);
    if (response.destroyed) return false;
    response.write(text);
    request.usage = told ?? request.usage;
  }
  return true;
}

/**
 * Sends the beginning, up to some words of text, and waits long enough for a client on a busy
 * machine to have read them: omp repeats a request of whose answer it has seen nothing without a
 * word to its session.
 */
async function drop(
  response: ServerResponse,
  request: Draft,
  frames: Iterable<Frame>,
): Promise<void> {
  await sendFrames(response, request, [...frames].slice(0, 4));
  await sleep(clientReadsMs);
  request.outcome = 'dropped';
  response.destroy();
}

function draft(
  conversation: Conversation,
  body: unknown,
  path: string,
  sequence: number,
  attempt: number,
): Draft {
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

/**
 * A retry sends the same conversation again; the prompt and the place in it tell it from all
 * others.
 */
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

/** The header keeps the hosts' HTTP clients from repeating a failed request behind their backs. */
function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Headers = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'x-should-retry': 'false',
  });
  response.end(JSON.stringify(body));
}
