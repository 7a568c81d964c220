/**
 * The requests of this process, as Node's HTTP client tells them on its diagnostics channels: those
 * of `fetch`, and so of all hosts and packages that ask models over HTTP. Bun's client tells
 * nothing, and nothing is told of child processes, WebSockets and `node:http`.
 *
 * Only a request that asks a model is of interest: a POST to one of the known paths. Paths are
 * looked at and not kept. Counting tokens, listing models, logging in and tools' servers have other
 * paths.
 *
 * Contract: a throw in a subscriber would end the host, so none leaves this file. Nothing is
 * changed, awaited or kept; a request that is not answered leaves no trace.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { asObject, asString } from '../../core/record/fields.ts';

export interface RequestListener {
  /** A model is asked. What is returned is given to `answered`; null: it does not matter. */
  sent(origin: string): object | null;
  /** The answer has begun, with success. */
  answered(sent: object): void;
  failed(): void;
}

/** Calls the listener from now on; the answer ends that. */
export type WatchRequests = (listener: RequestListener) => () => void;

export const watchRequests: WatchRequests = (listener) => {
  const pending = new WeakMap<object, object>();
  const create = safely(listener, (message) => {
    const request = asObject(asObject(message)?.request);
    if (request === null || request.method !== 'POST' || !asksModel(request.path)) return;
    const sent = listener.sent(String(request.origin));
    if (sent !== null) pending.set(request, sent);
  });
  const headers = safely(listener, (message) => {
    const { request, response } = asObject(message) ?? {};
    const sent = pending.get(asObject(request) ?? noRequest);
    if (sent !== undefined && isSuccess(asObject(response)?.statusCode)) listener.answered(sent);
  });
  subscribe('undici:request:create', create);
  subscribe('undici:request:headers', headers);
  return () => {
    unsubscribe('undici:request:create', create);
    unsubscribe('undici:request:headers', headers);
  };
};

const noRequest = {};

/** The dialects of all providers that hosts know, and what else costs tokens there. */
const modelPath = new RegExp(
  '/(chat|completions?|messages|responses|conversations|converse(-stream)?|generate|' +
    'invoke(-with-response-stream)?|embed|embeddings|rerank|generations|edits|speech|' +
    'transcriptions|translations)/?$|' +
    ':(generateContent|streamGenerateContent|embedContent|batchEmbedContents|predict|' +
    'rawPredict|streamRawPredict)$',
);

function asksModel(path: unknown): boolean {
  const [name = ''] = asString(path)?.split('?') ?? [];
  return modelPath.test(name);
}

function isSuccess(status: unknown): boolean {
  return typeof status === 'number' && status >= 200 && status < 300;
}

function safely(
  { failed }: RequestListener,
  handle: (message: unknown) => void,
): (message: unknown) => void {
  return (message) => {
    try {
      handle(message);
    } catch {
      failed();
    }
  };
}
