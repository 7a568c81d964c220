/** Session files, a log and views that do not say the same: which of it is a fault, and how it is named. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ReconcileOptions, type Reconciliation, reconcile } from '../../../collector/reconcile/reconcile.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { aLedger, at, event, header, type Ledger, line, live, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();
const nowMs = Date.parse(at(0)) + 3_600_000;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };
const three = { id: 'a3', second: 3, input: 30 };

function compared(ledger: Ledger, more: Partial<ReconcileOptions> = {}): Promise<Reconciliation> {
  return reconcile({ directories: [root], ask: ledger.ask, nowMs, hasChanged: () => false, ...more });
}

/** `session reason xcount`, and overall ones without a session. */
async function told(ledger: Ledger, more: Partial<ReconcileOptions> = {}): Promise<{ isExplained: boolean; told: readonly string[] }> {
  const { isExplained, sessions, overall } = await compared(ledger, more);
  const bySession = sessions.flatMap(({ sessionId, differences }) =>
    differences.map(({ reason, count }) => `${sessionId} ${reason} x${count}`),
  );
  return { isExplained, told: [...bySession, ...overall.map(({ reason, count }) => `${reason} x${count}`)] };
}

const explained = (...lines: readonly string[]) => ({ isExplained: true, told: lines });
const fault = (...lines: readonly string[]) => ({ isExplained: false, told: lines });

describe('files and a log', () => {
  it('that agree have no difference, and say what was read', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    const { isExplained, sessions, overall, problems, totals, read } = await compared(
      aLedger({ events: [event('s', one), event('s', two)] }),
    );
    expect({ isExplained, overall, problems }).toEqual({ isExplained: true, overall: [], problems: [] });
    const figures = { records: 2n, inputTokens: 30n, nanoUsd: 2_000_000n };
    expect(sessions).toMatchObject([{ sessionId: 's', files: [path], inViews: figures, differences: [] }]);
    expect([sessions[0]?.inFiles?.get('turn'), sessions[0]?.inLog?.get('turn')]).toMatchObject([figures, figures]);
    expect(totals).toMatchObject({ inFiles: figures, inLog: figures, inViews: figures });
    expect(read).toMatchObject({ files: 1, events: 2, bytes: expect.any(Number) });
    expect(read.bytes).toBeGreaterThan(500);
  });

  it('are told session by session, sorted by id, with what each side knows', async () => {
    writeFile(root, 'b.jsonl', [header('b', 0), line(one)]);
    writeFile(root, 'b-again.jsonl', [header('b', 0), line(two)]);
    const { sessions, read } = await compared(aLedger({ events: [event('c', one), event('a', { ...one, second: 5 })] }));
    expect(sessions.map(({ sessionId, files }) => [sessionId, files.length])).toEqual([
      ['a', 0],
      ['b', 2],
      ['c', 0],
    ]);
    expect(sessions.map(({ inFiles, inLog, inViews }) => [inFiles !== null, inLog !== null, inViews !== null])).toEqual([
      [false, true, true],
      [true, false, false],
      [false, true, true],
    ]);
    expect(read.files).toBe(2);
  });

  it.each([
    ['a session that the log does not have', [], 's not_imported x2'],
    ['a record that the log does not have', [event('s', one)], 's missing_in_log x1'],
    ['a record that the file does not have', [event('s', one), event('s', two), event('s', three)], 's extra_in_log x1'],
    ['a live record that the file does not have', [event('s', one), event('s', two), live('s', three)], 's extra_in_log x1'],
    ['a record that stands there twice', [event('s', one), event('s', two), event('s', two)], 's twice_in_log x1'],
    ['a record that has other figures', [event('s', one), event('s', two, {}, { outputTokens: 2 })], 's tokens_differ x1'],
  ])('differ by %s: a fault', async (_what, events, line_) => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await told(aLedger({ events }))).toEqual(fault(line_));
  });

  it('name the file of a session that was not imported, and the place of a record', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    expect((await compared(aLedger())).sessions[0]?.differences).toMatchObject([{ reason: 'not_imported', file: path }]);
    const { sessions } = await compared(aLedger({ events: [event('s', one), event('s', two)] }));
    expect(sessions[0]?.differences).toMatchObject([{ reason: 'extra_in_log', kind: 'turn', entryId: 'a2', position: 2, at: at(2) }]);
  });

  it('need not have the same sessions where there is no file: it is gone, or there was none', async () => {
    const events = [event('gone', one), live('live', two), live('both', three), event('both', { id: 'a4', second: 4 })];
    expect(await told(aLedger({ events }))).toEqual(explained('both file_gone x2', 'gone file_gone x1', 'live live_only_session x1'));
  });

  it('do not differ by a session without any record', async () => {
    writeFile(root, 's.jsonl', [header('s', 0)]);
    expect(await told(aLedger())).toEqual(explained());
  });

  it('have copies where they were copied to', async () => {
    writeFile(root, 'old.jsonl', [header('old', 0), line(one), line(two)]);
    writeFile(root, 'new.jsonl', [header('new', 10, 'old'), line(one), line(two)]);
    const { sessions } = await compared(aLedger({ events: [event('old', one), event('old', two)] }));
    const copied = { reason: 'copied', explained: true, count: 2, otherSessionId: 'old' };
    expect(sessions.map(({ sessionId, differences }) => [sessionId, differences])).toEqual([
      ['new', [copied]],
      ['old', []],
    ]);
  });
});

describe('a record that the log counts under another session', () => {
  const fork = (parent: string) => writeFile(root, 'c.jsonl', [header('c', 10, parent), line(one), line({ id: 'own', second: 11 })]);
  const logged = (owner: string) => aLedger({ events: [event(owner, one), event('c', { id: 'own', second: 11 })] });

  it.each([
    ['the one that the header names', 'a'],
    ['... by its file', '/somewhere/2026-03-01T09-00-00-000Z_a.jsonl'],
    ['... which stands on a Windows machine', 'C:\\sessions\\2026_a.jsonl'],
  ])('is explained where it is copied from %s, which is gone', async (_what, parent) => {
    fork(parent);
    expect(await told(logged('a'))).toEqual(explained('c owner_assumed x1'));
  });

  it('is explained where the header of a header names it', async () => {
    writeFile(root, 'b.jsonl', [header('b', 9, '2026_a.jsonl')]);
    fork('2026_b.jsonl');
    expect(await told(logged('a'))).toEqual(explained('c owner_assumed x1'));
  });

  it.each([
    ['nobody names', 'x'],
    ['no header leads to', 'b'],
  ])('is a fault where %s it', async (_what, parent) => {
    writeFile(root, 'b.jsonl', [header('b', 9)]);
    fork(parent);
    expect(await told(logged('a'))).toEqual(fault('c session_differs x1'));
  });

  it('is a fault where headers lead round in a circle', async () => {
    writeFile(root, 'b.jsonl', [header('b', 9, 'c')]);
    fork('b');
    expect(await told(logged('a'))).toEqual(fault('c session_differs x1'));
  });

  it('is a fault where it is no copy', async () => {
    writeFile(root, 'c.jsonl', [header('c', 0, 'a'), line(one)]);
    expect(await told(aLedger({ events: [event('a', one)] }))).toEqual(fault('c session_differs x1'));
  });

  it('is a fault once for each, where two sessions have each other’s', async () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    writeFile(root, 'b.jsonl', [header('b', 0), line(two)]);
    expect(await told(aLedger({ events: [event('b', one), event('a', two)] }))).toEqual(
      fault('a session_differs x1', 'b session_differs x1'),
    );
  });

  it('leaves the others of that session to be told of: live, or gone', async () => {
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    expect(await told(aLedger({ events: [live('x', one), live('x', two)] }))).toEqual(
      fault('a session_differs x1', 'x live_only_session x1'),
    );
    expect(await told(aLedger({ events: [event('x', one), event('x', two)] }))).toEqual(fault('a session_differs x1', 'x file_gone x1'));
  });
});

describe('a line that cannot be read', () => {
  const damaged = JSON.stringify(line(two)).slice(0, 100);

  it('is explained where the live extension has told its record', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, line(three)]);
    const { sessions, isExplained } = await compared(aLedger({ events: [event('s', one), live('s', two), event('s', three)] }));
    expect(isExplained).toBe(true);
    expect(sessions[0]?.differences).toMatchObject([{ reason: 'unreadable_line', explained: true, count: 1, line: 3, entryId: 'a2' }]);
  });

  it.each([
    ['nobody has', []],
    ['an importer has', [event('s', two)]],
    ['a live record of another entry has', [live('s', { id: 'b9', second: 9 })]],
    ['another session has', [live('x', two)]],
  ])('is a fault where %s told its record', async (_who, more) => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, line(three)]);
    const { isExplained, told: lines } = await told(aLedger({ events: [event('s', one), event('s', three), ...more] }));
    expect(isExplained).toBe(false);
    expect(lines).toContain('s line_left_out x1');
  });

  it('without a name explains one live record, and no more', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), '{"ty'], '');
    const half = [event('s', one), live('s', two)];
    const lines = ['s unreadable_line x1', 's unreadable_line x1'] as const;
    expect(await told(aLedger({ events: half }))).toEqual(explained(...lines));
    expect(await told(aLedger({ events: [...half, live('s', three)] }))).toEqual(fault(...lines, 's extra_in_log x1'));
    expect(await told(aLedger({ events: [event('s', one), event('s', two)] }))).toEqual(fault(lines[0], 's extra_in_log x1'));
  });

  it.each([
    ['first', [live('s', two), live('s', three)]],
    ['last', [live('s', three), live('s', two)]],
  ])('with a name explains its own record, and no other one: it comes %s', async (_when, records) => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged], '');
    const { sessions } = await compared(aLedger({ events: [event('s', one), ...records] }));
    expect(sessions[0]?.differences).toMatchObject([
      { reason: 'unreadable_line', entryId: 'a2' },
      { reason: 'extra_in_log', entryId: 'a3' },
    ]);
  });

  it('of another session explains nothing', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    writeFile(root, 'x.jsonl', [header('x', 0), line(three), '{"ty'], '');
    const events = [event('s', one), event('x', three), live('s', two)];
    expect(await told(aLedger({ events }))).toEqual(fault('s extra_in_log x1', 'x unreadable_line x1'));
  });

  it('is named with its file and place', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), damaged, line(one)]);
    const { sessions, problems } = await compared(aLedger({ events: [event('s', one)] }));
    expect(sessions[0]?.differences).toEqual([{ reason: 'line_left_out', explained: false, count: 1, file: path, line: 2, entryId: 'a2' }]);
    expect(problems).toMatchObject([{ path, line: 2 }]);
  });

  it('of a file without a session is a fault of no session, if it may hold spend', async () => {
    const path = writeFile(root, 'notes.jsonl', [line(one)]);
    writeFile(root, 'other.jsonl', ['hello']);
    const { overall, isExplained, problems } = await compared(aLedger());
    expect({ overall, isExplained }).toEqual({
      overall: [{ reason: 'file_left_out', explained: false, count: 1, file: path }],
      isExplained: false,
    });
    expect(problems).toHaveLength(2);
  });
});

describe('a record ahead of the clock', () => {
  const dayMs = 24 * 60 * 60 * 1_000;
  const clock = (aheadMs: number) => ({ nowMs: Date.parse(at(9)) - aheadMs });
  const late = { id: 'late', second: 9 };

  it.each([
    ['more than a day', dayMs + 1, 'ahead_of_clock'],
    ['a day', dayMs, 'missing_in_log'],
  ])('of %s is not taken in yet, or should have been', async (_what, aheadMs, reason) => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one), line(late)]);
    const { sessions } = await compared(aLedger({ events: [event('s', one)] }), clock(aheadMs));
    expect(sessions[0]?.differences).toMatchObject([
      { reason, explained: false, count: 1, file: path, entryId: 'late', kind: 'turn', at: at(9) },
    ]);
  });

  it.each([
    ['alone is why the session is not there', [line(late)], 's ahead_of_clock x1'],
    ['beside others is not', [line(one), line(late)], 's not_imported x2'],
  ])('%s', async (_what, lines, expected) => {
    writeFile(root, 's.jsonl', [header('s', 0), ...lines]);
    expect(await told(aLedger(), clock(dayMs + 1))).toEqual(fault(expected));
  });

  it('says nothing of records of before, and nothing of other sessions', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(late)]);
    writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
    const events = [event('s', late), event('s', three)];
    expect((await told(aLedger({ events }), clock(dayMs + 1))).told).toEqual([
      's missing_in_log x1',
      's extra_in_log x1',
      'x not_imported x1',
    ]);
  });
});

describe('a file that is written while it is compared', () => {
  const changing = (...paths: readonly string[]) => ({ hasChanged: ({ path }: { path: string }) => paths.includes(path) });

  it.each([
    ['a session that is not there', [], explained('s file_changing x2')],
    ['a record that is not there', [event('s', one)], explained('s file_changing x1')],
    ['a record that is not in the file', [event('s', one), event('s', two), live('s', three)], explained('s file_changing x1')],
    ['other figures', [event('s', one), event('s', two, {}, { outputTokens: 2 })], fault('s tokens_differ x1')],
  ])('explains %s, or is no excuse', async (_what, events, expected) => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await told(aLedger({ events }), changing(path))).toEqual(expected);
  });

  it('is no excuse for another session', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    const other = writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
    expect(await told(aLedger(), changing(other))).toEqual(fault('s not_imported x1', 'x file_changing x1'));
  });

  it('is an excuse where it is one of several copies', async () => {
    writeFile(root, 'a.jsonl', [header('s', 0), line(one)]);
    const copy = writeFile(root, 'b.jsonl', [header('s', 0), line(one)]);
    expect((await told(aLedger(), changing(copy))).told).toContain('s file_changing x1');
  });
});

describe('a ledger that works meanwhile', () => {
  /** One more live record whenever the views were asked, so many times. */
  function working(times: number) {
    let added = 0;
    return aLedger({
      events: [live('s', { id: 'first', second: 0 })],
      onAsk(path, { events }) {
        if (!path.startsWith('/v1/usage?by=session') || added >= times) return;
        added += 1;
        events.push(live('s', { id: `n${added}`, second: added }));
      },
    });
  }

  it.each([0, 1, 4])('is asked until it stood still over it: after %d records', async (times) => {
    const ledger = working(times);
    const { isExplained, read, totals } = await compared(ledger);
    expect({ isExplained, events: read.events, records: totals.inViews.records }).toEqual({
      isExplained: true,
      events: times + 1,
      records: BigInt(times + 1),
    });
    expect(ledger.asked.filter((path) => path.startsWith('/v1/usage?by=session'))).toHaveLength(times + 1);
  });

  it('is not asked for ever', async () => {
    const ledger = working(100);
    await compared(ledger);
    expect(ledger.asked.filter((path) => path.startsWith('/v1/usage?by=session'))).toHaveLength(5);
  });
});
