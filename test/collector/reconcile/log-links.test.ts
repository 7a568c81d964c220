/** Which subagents cover what a tool result claims, by the ties in the log between both. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared } from './support/compared.ts';
import { type Json, moved } from './support/log-moves.ts';
import { aLedger, anEvent, spendOf } from './support/two-sides.ts';

const directory = temporaryDirectory();

const claimed = (entryId: string, input: number) =>
  anEvent('pi.subagent.claimed.v1', 'parent', 5, {
    entryId,
    key: 'turn:t1',
    turnEntryId: 't1',
    claimed: spendOf({ id: entryId, second: 5, input }),
  });
const accounted = anEvent('pi.subagent.accounted.v1', 'parent', 4, {
  childSessionId: 'x',
  childEntryId: 'k1',
  keys: ['session:x'],
  accounted: spendOf({ id: 'k1', second: 4, input: 120 }),
});
const linked = (ref: string, ends: Json, subject = 'parent') =>
  anEvent('pi.subagent.linked.v1', subject, 5, {
    entryId: null,
    childSessionId: null,
    ref,
    ...ends,
  });

/** Results `e1` and `e2` claim 100 and 50; what of that counts beside `x`, which spent 120. */
async function left(...links: readonly Json[]): Promise<number> {
  const root = mkdtempSync(join(directory, 'links-'));
  const events = [claimed('e1', 100), claimed('e2', 50), accounted, ...links];
  const { sessions, totals } = await compared(root, aLedger({ events }));
  const parent = sessions.find(({ sessionId }) => sessionId === 'parent');
  const counted = parent?.inLog?.get('tool')?.inputTokens;
  expect(totals.inLog.inputTokens).toBe(counted);
  return Number(counted);
}

const toX = linked('session:x', { entryId: 'e1' });
const called = linked('file:a/b/c', { entryId: 'e1' });
const callsItself = linked('file:a/b/c', { childSessionId: 'x' });
const toAnother = linked('session:y', { entryId: 'e2' });

describe('a subagent that spent 120', () => {
  it.each<[what: string, links: readonly Json[]]>([
    ['its result names it', [toX]],
    ['its result calls it what it calls itself', [called, callsItself]],
    ['... whoever says so first', [callsItself, called]],
    ['both ends are told at once', [linked('file:d', { entryId: 'e1', childSessionId: 'x' })]],
    ['that is told twice', [toX, toX]],
    ['another result names another one', [toX, toAnother]],
    [
      'a tie of another result is taken away, which was never there',
      [toX, moved('out', 'parent', toAnother)],
    ],
    ['another tie of its result is taken away', [toX, called, moved('out', 'parent', called)]],
    [
      'its result was moved here',
      [moved('in', 'parent', linked('session:x', { entryId: 'e1' }, 'fork'))],
    ],
  ])('covers the 100 of its result, and nothing else: %s', async (_when, links) => {
    expect(await left(...links)).toBe(50);
  });

  it.each<[what: string, links: readonly Json[]]>([
    ['no result names it', []],
    ['its result names another one', [linked('session:y', { entryId: 'e1' })]],
    ['its result calls it otherwise', [called, linked('file:d', { childSessionId: 'x' })]],
    ['only its result has that name', [called]],
    ['only it has that name', [callsItself]],
    ['its result was moved elsewhere', [toX, moved('out', 'parent', toX)]],
    ['a tie is that of another session', [linked('session:x', { entryId: 'e1' }, 'fork')]],
  ])('covers nothing where %s', async (_when, links) => {
    expect(await left(...links)).toBe(150);
  });

  it('covers all that results claim which share it', async () => {
    expect(await left(toX, linked('session:x', { entryId: 'e2' }))).toBe(30);
  });
});
