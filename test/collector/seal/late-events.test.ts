/** Which events from before the floor are in no total. */
import { Readable } from 'node:stream';
import type { LedgerEvent } from '@pi-ledger/contract';
import { expect, it } from 'vitest';
import { importEvents } from '../../../collector/cli/transfer/import-events.ts';
import { sumLate } from '../../../collector/log/history.ts';
import { createSealedTotals, eachCount } from '../../../collector/seal/late-events.ts';

const floorMs = Date.parse('2026-11-10T00:00:00Z');
const spend = {
  ...{ provider: 'p', model: 'm', reported: true, costSource: 'catalog', rawUsage: {} },
  ...eachCount(() => 0n),
};

let events = 0;

function anEvent(subject: string, more: object = {}, beforeMs = 1): LedgerEvent {
  const hex = (floorMs - beforeMs).toString(16).padStart(12, '0');
  events += 1;
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-8000-8000-${String(events).padStart(12, '0')}`;
  const time = new Date(floorMs - beforeMs).toISOString();
  const event = { id, subject, time, type: 'pi.turn.completed.v1', data: { spend }, ...more };
  return event as unknown as LedgerEvent;
}

/** `tools`: what counts of a session's tools. */
async function lateOf(
  all: readonly LedgerEvent[],
  counted: Readonly<Record<string, number>>,
  tools: Readonly<Record<string, bigint>> = {},
) {
  const late = createSealedTotals(floorMs, {
    countRecords: async () => new Map(Object.entries(counted)),
    sumTools: async (sessionId) => eachCount(() => tools[sessionId] ?? 0n),
  }).collect();
  for (const event of all) late.add(event);
  return sumLate(await late.inNoTotal());
}

const started = { type: 'pi.session.started.v1', data: {} };
const unpriced = { ownership: 'named', data: { spend: { ...spend, costSource: 'unpriced' } } };
const ofTool = { type: 'pi.tool.completed.v1', data: { spend, turnEntryId: 't' } };
const moved = (role: string) => ({
  type: 'pi.entry.moved.v1',
  data: { eventId: 'e', role, ownership: null, event: { type: anEvent('').type, data: { spend } } },
});

it.each<[string, readonly LedgerEvent[], Readonly<Record<string, number>>, number, number]>([
  ['all of a session that nobody counts', [anEvent('a', started), anEvent('a')], {}, 2, 1],
  [
    'the records that lack in another',
    [anEvent('a', started), anEvent('a'), anEvent('a')],
    { a: 1 },
    1,
    1,
  ],
  ['each session by itself', [anEvent('a'), anEvent('b')], { a: 9 }, 1, 1],
  ['none of a session that is counted', [anEvent('a')], { a: 1 }, 0, 0],
  ['none of a session that spent nothing', [anEvent('a', started)], {}, 0, 0],
  ['none of after the floor', [anEvent('a', {}, 0)], {}, 0, 0],
  ['no copy that lost its price', [anEvent('a'), anEvent('a', unpriced)], { a: 1 }, 0, 0],
  ['no claim', [anEvent('a'), anEvent('a', ofTool)], { a: 1 }, 0, 0],
  [
    'nothing that was moved out',
    [anEvent('a'), anEvent('a'), anEvent('a', moved('out'))],
    { a: 1 },
    0,
    0,
  ],
  ['what was moved in', [anEvent('a'), anEvent('a', moved('in'))], { a: 1 }, 1, 1],
  ['no stay', [anEvent('a'), anEvent('a', moved('stay'))], { a: 1 }, 0, 0],
])('are %s', async (_what, all, counted, late, sessions) => {
  expect(await lateOf(all, counted)).toEqual({ events: late, sessions });
});

const tokens = { inputTokens: 5, outputTokens: 5, cacheReadTokens: 5, cacheWriteTokens: 5 };
const answered = { data: { spend: { ...spend, ...tokens } } };
const failed = { data: { spend: { ...spend, ...tokens, reported: false } } };
const summary = { type: 'pi.compaction.completed.v1', data: { spend: { ...spend, ...tokens } } };
const accountOf = (childSessionId: string) => ({
  type: 'pi.subagent.accounted.v1',
  data: { childSessionId },
});
const child = [anEvent('c', answered), anEvent('c', answered), anEvent('p', accountOf('c'))];
const other = [anEvent('d', answered), anEvent('p', accountOf('d'))];

it.each<[string, readonly LedgerEvent[], Readonly<Record<string, bigint>>, number]>([
  ['none of one whose answers the tools of its parent count', child, { p: 10n }, 0],
  ['all of one of which they count a part', child, { p: 9n }, 2],
  ['all of one whose parent is another', child, { q: 10n }, 2],
  ['one of two where they count one', [...child, ...other], { p: 14n }, 1],
  ['none of two where they count both', [...child, ...other], { p: 15n }, 0],
  ['what is no answer', [...child, anEvent('c', summary)], { p: 10n }, 1],
  ['an attempt that nobody reported', [...child, anEvent('c', failed)], { p: 10n }, 1],
])('of a subagent that came too late are %s', async (_what, all, tools, late) => {
  expect((await lateOf(all, {}, tools)).events).toBe(late);
});

it('counts an entry once that an export has with its moves', async () => {
  const entry = anEvent('a');
  const out = anEvent('a', moved('out'));
  const lines = [entry, out, anEvent('b', moved('in'))].map((event, index) => ({
    number: index + 1,
    text: JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
  }));
  const { late } = await importEvents({
    lines: Readable.from(lines),
    accept: async () => ({ ...{ accepted: 0, duplicates: 0, expired: 3 }, rejected: [] }),
    readSealedTotals: async () =>
      createSealedTotals(floorMs, {
        countRecords: async () => new Map([['b', 1]]),
        sumTools: async () => eachCount(() => 0n),
      }),
  });
  expect(late).toEqual({ events: 0, sessions: 0 });
});
