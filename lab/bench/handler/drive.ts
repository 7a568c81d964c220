/**
 * Drives the real extension through turns of a long session, in this process, and prints how long
 * each handler took. Runs on Node and on Bun.
 *
 *     node drive.ts <directory> <entries> <turns> <rests> [<pause in ms>]   with PI_LEDGER_HOME set
 *
 * Without a pause, handlers follow each other and run hot. With one, each comes after a pause in
 * which other work was done, as in a host; and so does the bare append.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quantile } from '../statistics.ts';
import { createSession } from './session.ts';

export interface Timing {
  readonly p50: number;
  readonly p99: number;
  /** The first call in the process, before any compilation. */
  readonly first: number;
}

/** In microseconds, by hook; `append` is the bare write for comparison. */
export type Timings = Readonly<Record<string, Timing>>;

/** As hosts load it. */
const piLedger: (pi: object) => void = createRequire(import.meta.url)(
  '../../../extension/dist/index.cjs',
);

type Handler = (event: object, ctx: object) => unknown;

/** Not counted: engines compile what they have seen often. */
const warmUpTurns = 100;
const appendBytes = 700;

async function main([
  directory = '',
  entries,
  turns,
  rests,
  pauseMs = '0',
]: readonly string[]): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const handlers = new Map<string, Handler>();
  const on = (event: string, handler: Handler) => handlers.set(event, handler);
  piLedger({ on, registerCommand: () => undefined });
  const breathe = pauseMs === '0' ? async () => undefined : () => pause(Number(pauseMs));

  const samples = new Map<string, number[]>();
  const time = (name: string, act: () => unknown): void => {
    const startedMs = performance.now();
    const answer = act();
    const elapsedUs = (performance.now() - startedMs) * 1_000;
    if (answer !== undefined) throw new Error(`${name} answered the host`);
    const taken = samples.get(name);
    if (taken === undefined) samples.set(name, [elapsedUs]);
    else taken.push(elapsedUs);
  };

  const session = createSession(directory, Number(entries));
  const fire: Fire = async (trigger, event = {}) => {
    const handler = handlers.get(trigger);
    if (handler === undefined) throw new Error(`the extension does not listen to ${trigger}`);
    await breathe();
    time(trigger, () => handler({ type: trigger, ...event }, session.ctx));
  };
  const line = `${'x'.repeat(appendBytes - 1)}\n`;

  await fire('session_start', { reason: 'startup' });
  for (let rest = 0; rest < Number(rests); rest += 1) {
    session.submitPrompt();
    session.answer(null, Date.now());
    await fire('agent_settled');
    await nextTurn();
  }
  for (let turn = 0; turn < Number(turns); turn += 1) {
    await playTurn(turn, session, fire);
    await breathe();
    time('append', () => appendFileSync(join(directory, 'bare.ndjson'), line));
    await nextTurn();
  }
  console.log(
    JSON.stringify(
      Object.fromEntries([...samples].map(([name, taken]) => [name, timingOf(taken)])),
    ),
  );
}

type Fire = (trigger: string, event?: object) => Promise<void>;

/**
 * The hooks of a turn with one tool call, in the hosts' order; every fifth turn is an answer
 * without tools.
 */
async function playTurn(
  turn: number,
  session: ReturnType<typeof createSession>,
  fire: Fire,
): Promise<void> {
  const toolCallId = turn % 5 === 4 ? null : `bench_${turn}`;
  await fire('turn_start', { turnIndex: turn });
  const timestamp = Date.now();
  await fire('after_provider_response', { status: 200, headers: limitHeaders });
  await fire('message_start', { message: { role: 'assistant', timestamp, stopReason: 'stop' } });
  session.answer(toolCallId, timestamp);
  if (toolCallId !== null) {
    const tool = { toolCallId, toolName: 'read', isError: false };
    await fire('tool_execution_start', tool);
    await fire('tool_result', tool);
    await fire('tool_execution_end', tool);
    session.endTool(toolCallId);
  }
  await fire('turn_end', { turnIndex: turn });
}

/** As sent by the larger providers. */
const limitHeaders = {
  'content-type': 'text/event-stream',
  'x-request-id': 'req_1',
  'x-ratelimit-limit-requests': '4000',
  'x-ratelimit-remaining-requests': '3999',
  'x-ratelimit-reset-requests': '6m0s',
  'x-ratelimit-limit-tokens': '2000000',
  'x-ratelimit-remaining-tokens': '1999000',
  'x-ratelimit-reset-tokens': '30ms',
};

/**
 * The host's work in between: it renders, and reads and writes JSON, which evicts our data from the
 * processor's caches.
 */
async function pause(pauseMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, pauseMs);
  await promise;
  const rows = JSON.parse(otherWork) as { readonly id: number; readonly text: string }[];
  const byText = new Map(rows.map(({ id, text }) => [`${text} ${id}`, id]));
  if (JSON.stringify([...byText.keys()].sort()).length === 0)
    throw new Error('the other work was not done');
}

const otherWork = JSON.stringify(
  Array.from({ length: 4_000 }, (_, id) => ({
    id,
    text: `row ${(id * 7_919) % 4_000} of the other work`,
  })),
);

function timingOf(samples: readonly number[]): Timing {
  const counted = samples.slice(Math.min(warmUpTurns, Math.floor(samples.length / 5)));
  return {
    p50: quantile(counted, 0.5),
    p99: quantile(counted, 0.99),
    first: samples[0] ?? Number.NaN,
  };
}

if (import.meta.main) await main(process.argv.slice(2));
