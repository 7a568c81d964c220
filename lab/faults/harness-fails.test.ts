/**
 * The harness can fail: on a real ledger that is tampered with while its collector does not run,
 * each invariant is broken alone, and found.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { batchContentType, type LedgerEvent } from '@pi-ledger/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planned } from './load/events.ts';
import { terminate } from './steps/stops.ts';
import { createTally } from './steps/tally.ts';
import { createCounterWatch, type Totals } from './truth/counter-watch.ts';
import { judge } from './truth/judge.ts';
import { createLogWatch, doublesIn, type LogRow } from './truth/log-watch.ts';
import { createOffered, type Offered } from './truth/offered.ts';
import { createWatch, type Watch } from './truth/watch.ts';
import { ask, logAfter } from './world/ask.ts';
import { openEmbedded } from './world/embedded.ts';
import type { World } from './world/world.ts';

const seed = 11;
const stream = 1;
const events = 60;

let directory: string;
let world: World;
let offered: Offered;
let complaints: string[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pi-ledger-faults-'));
  world = await openEmbedded({ directory });
  offered = createOffered();
  complaints = [];
  await post(Array.from({ length: events }, (_, index) => planned(seed, place(index + 1)).event));
});
afterEach(async () => {
  await world.stop();
  rmSync(directory, { recursive: true, force: true });
});

const place = (number: number) => ({ stream, number });
const idAt = (number: number): string => planned(seed, place(number)).id;

async function post(batch: readonly LedgerEvent[]): Promise<void> {
  const ids = batch.map(({ id }) => id);
  const answer = await fetch(`${world.programs[0]?.url()}/v1/events`, {
    method: 'POST',
    body: JSON.stringify(batch),
    headers: { 'content-type': batchContentType },
  });
  expect(answer.status).toBe(200);
  offered.note('test', { is: 'offered', ids });
  offered.note('test', { is: 'acknowledged', ids });
}

function newWatch(of: World = world): Watch {
  const complain = (violation: string): void => void complaints.push(violation);
  return createWatch({
    ...{ seed, world: of, offered, complain, isAckInLog: true },
    listen: () => undefined,
  });
}

/** What the watch and the judge find. */
async function found(): Promise<readonly string[]> {
  const judged = await judge({ seed, world, offered, watch: newWatch(), restMsMax: 0 });
  return [...new Set([...complaints, ...judged])];
}

/** Changes the store of a collector that does not run. */
async function tamper(change: (database: DatabaseSync) => void): Promise<void> {
  const [collector] = world.programs;
  await collector?.terminate();
  const database = new DatabaseSync(join(world.agents.home, 'ledger.db'));
  change(database);
  database.close();
  await collector?.start();
}

it('finds nothing in a ledger that is as it should be', async () => {
  expect(await found()).toEqual([]);
});

it('finds an acknowledged event that is gone, and the gap that it leaves', async () => {
  await tamper((database) => void database.exec('DELETE FROM events WHERE position = 7'));
  const all = await found();
  expect(all).toContain('after position 6 comes 8');
  expect(all.filter((each) => each.startsWith('lost: '))).toHaveLength(1);
});

it('finds an event that is in the log twice', async () => {
  // No store of ours can be made to hold one: its answer is doctored.
  const log = createLogWatch(seed, offered);
  for await (const rows of logAfter(world, 0)) {
    const third = rows[2] as LogRow;
    expect(log.see([...rows, { ...third, position: events + 1 }])).toEqual([
      `double: ${third.event.id} is in the log again at ${events + 1}`,
    ]);
  }
  expect(doublesIn(log.seen)).toBe(1);
});

it('finds an event that is in two cells, and a gap in the second', async () => {
  const log = createLogWatch(seed, offered);
  for await (const rows of logAfter(world, 0)) {
    const [first, second] = rows as [LogRow, LogRow];
    const inCellOne = (row: LogRow, position: number) => ({ ...row, position: 2 ** 44 + position });
    expect(log.see([first])).toEqual([]);
    expect(log.see([inCellOne(second, 1)])).toEqual([]);
    expect(log.see([inCellOne(first, 3)])).toEqual([
      `after position ${2 ** 44 + 1} comes ${2 ** 44 + 3}`,
      `double: ${first.event.id} is in the log again at ${2 ** 44 + 3}`,
    ]);
  }
});

it('finds an event that is not what was offered, and one that nobody offered', async () => {
  await tamper(
    (database) =>
      void database.exec(
        `UPDATE events SET event = replace(event, 'session-1-0', 'session-1-9')
         WHERE position = 2`,
      ),
  );
  await fetch(`${world.programs[0]?.url()}/v1/events`, {
    method: 'POST',
    body: JSON.stringify([planned(seed, { stream: 2, number: 1 }).event]),
    headers: { 'content-type': batchContentType },
  });
  const all = await found();
  expect(all).toContain(`${idAt(2)} is not what was offered`);
  expect(all).toContainEqual(expect.stringMatching(/ was never offered$/));
});

it('finds an entry that still counts in a fork, and moves that nobody claims', async () => {
  const copied = Array.from({ length: 500 }, (_, index) => planned(seed, place(index + 1))).find(
    ({ copy, event }) => copy !== null && Number(event.sequence) > events,
  );
  if (copied === undefined) throw new Error('Nobody forked in 500 turns.');
  const { id, session, copy, event } = copied;
  const fork = `fork-of-${session}`;
  await post([copy as LedgerEvent]);
  expect(await found()).toEqual([`${id} of ${session} counts in [["${fork}",1]]`]);
  // Its number alone: the producer's others never arrive.
  await post([event]);
  expect((await found()).filter((each) => !each.startsWith('/producers/1 misses'))).toEqual([]);
  const moves = "event ->> '$.type' = 'pi.entry.moved.v1'";
  await tamper((database) => {
    database.exec(`UPDATE events SET event = replace(event, '${id}', '${idAt(2)}') WHERE ${moves}`);
  });
  expect(await found()).toContainEqual(expect.stringMatching(` moves ${idAt(2)}, which nobody`));
});

it('finds a view that is not the fold of the log, until it is rebuilt', async () => {
  await tamper((database) => {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%rollup_usage%'")
      .all() as { readonly name: string }[];
    expect(tables.length).toBeGreaterThan(0);
    for (const { name } of tables)
      database.exec(`UPDATE "${name}" SET inputTokens = inputTokens + 1`);
  });
  const all = await found();
  expect(all).toContainEqual(expect.stringMatching(/^usage by project: .* has inputTokens/));
  expect(all).toContainEqual(expect.stringMatching(/^usage by model: .* has inputTokens/));
  expect(all.filter((each) => each.startsWith('after a rebuild'))).toEqual([]);
});

it('finds a number of a producer that never arrived, and what is no event', async () => {
  await post([planned(seed, place(events + 3)).event]);
  await fetch(`${world.programs[0]?.url()}/v1/events`, {
    method: 'POST',
    body: '[{"half": "an event"}]',
    headers: { 'content-type': batchContentType },
  });
  const all = await found();
  expect(all).toContain('/producers/1 misses 2 events: [[61,62]]');
  expect(all).toContainEqual(expect.stringMatching(/^1 dead letters: /));
});

it('finds a drop that no spool counted', async () => {
  offered.note('producer 1', { is: 'offered', ids: [idAt(90), idAt(91)] });
  offered.note('producer 1', { is: 'refused', ids: [idAt(90), idAt(91)], dropped: 1 });
  expect(await found()).toEqual(['producer 1 was refused 2 events and counted 1 drops']);
});

it('finds a counter that falls, and a series that vanishes', async () => {
  const before = await ask<Totals>(world, '/v1/totals');
  const series = before.rows.findIndex(({ kind, amount }) => kind === 'counter' && amount !== '0');
  const fallen = before.rows.map((row, index) =>
    index === series ? { ...row, amount: '0' } : row,
  );
  const watch = createCounterWatch();
  expect(watch.see(before)).toEqual([]);
  expect(watch.see(before)).toEqual([]);
  expect(watch.see({ ...before, rows: fallen })).toHaveLength(1);
  expect(watch.see(before)).toEqual([]);
  expect(
    watch.see({ ...before, rows: before.rows.filter((_, index) => index !== series) }),
  ).toHaveLength(1);
  // Folded anew, it may begin lower.
  expect(watch.see({ generation: 'another', rows: fallen })).toEqual([]);
});

it('finds a program that needs too much memory', async () => {
  const programs = world.programs.map((each) => ({ ...each, residentBytes: () => 600e6 }));
  const watch = newWatch({ ...world, programs });
  watch.begin();
  await watch.end();
  expect(complaints).toEqual(['collector has 600 MB resident']);
});

it('finds a program that does not end in order', async () => {
  await world.programs[0]?.kill();
  const stage = {
    ...{ seed, world, offered, tally: createTally() },
    ...{ moveAgentsClock: () => undefined, crew: null as never },
    complain: (violation: string) => void complaints.push(violation),
  };
  await terminate.perform(stage, { below: () => 0, chance: () => false });
  expect(complaints).toEqual([expect.stringMatching(/^collector ended with null /)]);
});
