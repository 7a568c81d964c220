/**
 * Drives the real extension through turns of a long session, in this process, and prints how long each handler took. Runs on Node and on Bun.
 *
 *     node drive.ts <directory> <entries> <turns> <rests>        with PI_LEDGER_HOME set
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import piLedger from '../../../extension/index.ts';
import { quantile } from '../statistics.ts';
import { createSession } from './session.ts';

export interface Timing {
  readonly p50: number;
  readonly p99: number;
  /** The very first call in the process: nothing is compiled yet. */
  readonly first: number;
}

/** In microseconds, by the hook's name; `append` is the bare write that they are compared with. */
export type Timings = Readonly<Record<string, Timing>>;

type Handler = (event: object, ctx: object) => unknown;

/** Not counted: an engine compiles what it has seen often. */
const warmUpTurns = 100;
const appendBytes = 700;

async function main([directory = '', entries, turns, rests]: readonly string[]): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const handlers = new Map<string, Handler>();
  const on = (event: string, handler: Handler) => handlers.set(event, handler);
  piLedger({ on, registerCommand: () => undefined });

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
  const fire = (trigger: string, event: object = {}) => {
    const handler = handlers.get(trigger);
    if (handler === undefined) throw new Error(`the extension does not listen to ${trigger}`);
    time(trigger, () => handler(event, session.ctx));
  };
  const line = `${'x'.repeat(appendBytes - 1)}\n`;
  const append = () => time('append', () => appendFileSync(join(directory, 'bare.ndjson'), line));

  fire('session_start', { reason: 'startup' });
  for (let rest = 0; rest < Number(rests); rest += 1) {
    session.submitPrompt();
    session.answer(null);
    fire('agent_settled');
    await nextTurn();
  }
  for (let turn = 0; turn < Number(turns); turn += 1) {
    playTurn(turn, session, fire);
    append();
    await nextTurn();
  }
  console.log(JSON.stringify(Object.fromEntries([...samples].map(([name, taken]) => [name, timingOf(taken)]))));
}

/** The hooks of a turn with one tool call, in the hosts' order; every fifth turn is an answer without tools. */
function playTurn(turn: number, session: ReturnType<typeof createSession>, fire: (trigger: string, event?: object) => void): void {
  const toolCallId = turn % 5 === 4 ? null : `bench_${turn}`;
  session.answer(toolCallId);
  if (toolCallId !== null) {
    const tool = { toolCallId, toolName: 'read', isError: false };
    fire('tool_execution_start', tool);
    fire('tool_result', tool);
    fire('tool_execution_end', tool);
    session.endTool(toolCallId);
  }
  fire('turn_end', { turnIndex: turn });
}

function timingOf(samples: readonly number[]): Timing {
  const counted = samples.length > 2 * warmUpTurns ? samples.slice(warmUpTurns) : samples;
  return { p50: quantile(counted, 0.5), p99: quantile(counted, 0.99), first: samples[0] ?? Number.NaN };
}

if (import.meta.main) await main(process.argv.slice(2));
