/** A session whose tools delegate, subagents that keep their sessions, and what a ledger says. */
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  newSession,
  toolCall,
  toolResult,
  userSays,
} from '../../../extension/support/fake-session.ts';
import { writeSession } from '../../importers/support/files.ts';
import { commandLine } from './command-line.ts';
import { outcome } from './outcome.ts';

export const at = (second: number) => Date.parse('2026-03-01T09:00:00.000Z') + second * 1_000;

/** Figures by which each answer can be told from the others. */
export const spent = (...inputs: readonly number[]) => {
  const input = inputs.reduce((sum, each) => sum + each, 0);
  const output = inputs.length;
  return { input, output, cacheRead: 0, cacheWrite: 0, cost: { total: input / 1e6 } };
};

export interface Call {
  readonly id: string;
  readonly turn: string;
  /** When its result was written. */
  readonly second: number;
  readonly usage?: object;
  readonly details?: Record<string, unknown>;
  /** The agent whose result it asks for. */
  readonly agentId?: string;
}

/** Each turn asks at a second for some input, and its tools answer. */
export function delegating(
  turns: readonly (readonly [id: string, second: number, input: number])[],
  calls: readonly Call[],
): FakeSession {
  const parent = newSession('parent', at(0));
  append(parent, 'u', at(1), userSays());
  for (const [id, second, input] of turns) {
    const called = calls.filter(({ turn }) => turn === id);
    const content = called.map(({ id: callId, agentId }) => ({
      ...toolCall(callId, 'subagent'),
      ...(agentId !== undefined && { arguments: { agent_id: agentId } }),
    }));
    append(parent, id, at(second), answer(id, { content, usage: spent(input) }));
    for (const call of called) {
      const { message, ...rest } = toolResult(call.id, 'subagent', false, call.details);
      const said = { ...message, ...(call.usage !== undefined && { usage: call.usage }) };
      append(parent, `of-${call.id}`, at(call.second), { ...rest, message: said });
    }
  }
  return parent;
}

/** A subagent that answers at each second. */
export function working(
  id: string,
  startSecond: number,
  answers: readonly (readonly [second: number, input: number])[],
  parentSession?: string,
): FakeSession {
  const child = newSession(id, at(startSecond), { parentSession });
  append(child, `${id}-u`, at(startSecond), userSays());
  for (const [second, input] of answers) giveAnswer(child, second, input);
  return child;
}

function giveAnswer(child: FakeSession, second: number, input: number): void {
  const id = `${child.id}-${second}`;
  append(child, id, at(second), answer(id, { usage: spent(input) }));
}

/** A session and the name of its file; the hosts' own without one. */
export type Written = readonly [session: FakeSession, name?: string];

/** Where pi-subagents keeps a subagent: below its parent. */
export const placeBelow = (parent: FakeSession, run: string) =>
  join(basename(fileOf(parent), '.jsonl'), run, 'run-0', 'session.jsonl');

/**
 * Imports the files all at once, and one by one from either end, into ledgers of their own. Returns
 * what these say: the input, and what `reconcile` finds.
 */
export async function ledgersOf(directory: string, written: readonly Written[]) {
  const oneByOne = written.map((each) => [each]);
  const ways = [[written], oneByOne, oneByOne.toReversed()];
  return Promise.all(ways.map((imports) => ledgerOf(directory, imports)));
}

async function ledgerOf(directory: string, imports: readonly (readonly Written[])[]) {
  const sessions = mkdtempSync(join(directory, 'sessions-'));
  const ledger = commandLine(directory);
  for (const files of imports) {
    for (const [session, name] of files) writeSession(sessions, session, name);
    await ledger.run('import', '--pi', sessions);
  }
  const { total } = JSON.parse((await ledger.run('report', '--json')).printed);
  const found = await outcome(ledger, '--pi', sessions);
  rmSync(sessions, { recursive: true });
  return { input: total.inputTokens as number, code: found.code, faults: found.faults };
}

/** The same for each order of imports, and nothing to complain of. */
export const explained = (input: number) =>
  Array.from({ length: 3 }, () => ({ input, code: 0, faults: [] }));
