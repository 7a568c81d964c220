/** A session that is paused for ten minutes and lets a tool work meanwhile; and subagents. */
import { basename, join } from 'node:path';
import {
  answer,
  append,
  type FakeSession,
  fileOf,
  newSession,
  toolCall,
  toolResult,
  usage,
  userSays,
} from '../../../extension/support/fake-session.ts';

const startMs = Date.parse('2026-11-20T09:00:00.000Z');
export const at = (minute: number) => startMs + minute * 60_000;
export const mark = (state: string) => ({
  type: 'custom',
  customType: 'pi-ledger.recording',
  data: { state },
});
export const result = (more: Record<string, unknown> = {}) => {
  const { message, ...rest } = toolResult('c', 'subagent');
  return { ...rest, message: { ...message, ...more } };
};

/** a, paused from minute 10 to 20: b calls a tool, whose result tells `more`; resumed, c. */
export function parentWith(more: Record<string, unknown>): FakeSession {
  const parent = newSession('parent', startMs);
  append(parent, 'u', at(1), userSays());
  append(parent, 'a', at(2), answer('a'));
  append(parent, 'm1', at(10), mark('paused'));
  append(parent, 'b', at(11), answer('b', { content: [toolCall('c', 'subagent')] }));
  append(parent, 't', at(18), result(more));
  append(parent, 'm2', at(20), mark('resumed'));
  append(parent, 'c', at(21), answer('c'));
  return parent;
}

export function childAt(minute: number, id = 'child', parentSession?: string): FakeSession {
  const child = newSession(id, at(minute), { parentSession });
  append(child, `${id}-u`, at(minute), userSays());
  append(child, `${id}-1`, at(minute), answer(`${id}-1`, { usage: usage(40) }));
  append(child, `${id}-2`, at(minute), answer(`${id}-2`, { usage: usage(60) }));
  return child;
}

export const of40and60 = { ...usage(100), output: 14, cacheRead: 6 };

/** The name of the parent's file, and of the folder for its subagents. */
export const stemOf = (parent: FakeSession) => basename(fileOf(parent), '.jsonl');

export const placeBelow = (parent: FakeSession, run = 'r') =>
  join(stemOf(parent), run, 'run-0', 'session.jsonl');
