/** Sends the answer of the fake model to one request, over HTTP. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicError, anthropicFrames } from './anthropic.ts';
import type { Conversation } from './conversation.ts';
import type { Answer, Frame } from './frames.ts';
import { openaiError, openaiFrames } from './openai.ts';
import type { Reply } from './reply.ts';
import type { DraftRequest } from './request.ts';
import { play } from './scenarios.ts';
import { usageFor } from './usage.ts';

export type Headers = Readonly<Record<string, string>>;

const clientReadsMs = 400;

export async function answer(
  response: ServerResponse,
  request: DraftRequest,
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

function answerOf(request: DraftRequest, reply: Exclude<Reply, { kind: 'error' }>): Answer {
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

/** False if the client disconnected. */
async function sendFrames(
  response: ServerResponse,
  request: DraftRequest,
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
 * machine to read them: omp silently repeats a request of whose answer it has seen nothing.
 */
async function drop(
  response: ServerResponse,
  request: DraftRequest,
  frames: Iterable<Frame>,
): Promise<void> {
  await sendFrames(response, request, [...frames].slice(0, 4));
  await sleep(clientReadsMs);
  request.outcome = 'dropped';
  response.destroy();
}

/** The header keeps the hosts' HTTP clients from silently repeating a failed request. */
export function sendJson(
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
