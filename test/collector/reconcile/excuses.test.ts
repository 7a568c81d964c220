/**
 * Causes of differences other than faults: damage, a clock, a file being written, a running ledger.
 * Each excuses only its own differences.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import { aLedger, at, event, header, line, live, writeFile } from './support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };
const two = { id: 'a2', second: 2, input: 20 };
const three = { id: 'a3', second: 3, input: 30 };

describe('a line that cannot be read', () => {
  const damaged = JSON.stringify(line(two)).slice(0, 100);

  it('is explained where the live extension has told its record', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, line(three)]);
    const { sessions, isExplained } = await compared(
      root,
      aLedger({ events: [event('s', one), live('s', two), event('s', three)] }),
    );
    expect(isExplained).toBe(true);
    expect(sessions[0]?.differences).toMatchObject([
      { reason: 'unreadable_line', explained: true, count: 1, line: 3, entryId: 'a2' },
    ]);
  });

  it.each([
    ['nobody has', []],
    ['an importer has', [event('s', two)]],
    ['a live record of another entry has', [live('s', { id: 'b9', second: 9 })]],
    ['another session has', [live('x', two)]],
  ])('is a fault where %s told its record', async (_who, more) => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, line(three)]);
    const { isExplained, told: lines } = await told(
      root,
      aLedger({ events: [event('s', one), event('s', three), ...more] }),
    );
    expect(isExplained).toBe(false);
    expect(lines).toContain('s line_left_out x1');
  });

  it('without a name explains one live record, and no more', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), '{"ty'], '');
    const half = [event('s', one), live('s', two)];
    const lines = ['s unreadable_line x1', 's unreadable_line x1'] as const;
    expect(await told(root, aLedger({ events: half }))).toEqual(explained(...lines));
    expect(await told(root, aLedger({ events: [...half, live('s', three)] }))).toEqual(
      fault(...lines, 's extra_in_log x1'),
    );
    expect(await told(root, aLedger({ events: [event('s', one), event('s', two)] }))).toEqual(
      fault(lines[0], 's extra_in_log x1'),
    );
  });

  it('excuses no other fault of the entry that it names', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, line(two)]);
    const changed = event('s', two, {}, { outputTokens: 2 });
    const events = [event('s', one), changed, live('s', { ...two, input: 21 })];
    expect(await told(root, aLedger({ events }))).toEqual(
      fault('s unreadable_line x1', 's tokens_differ x1'),
    );
  });

  it('with a name takes no excuse from a line without one', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged, '{"ty'], '');
    const events = [event('s', one), live('s', two), live('s', three)];
    expect(await told(root, aLedger({ events }))).toMatchObject({ isExplained: true });
  });

  it.each([
    ['first', [live('s', two), live('s', three)]],
    ['last', [live('s', three), live('s', two)]],
  ])(
    'with a name explains its own record, and no other one: it comes %s',
    async (_when, records) => {
      writeFile(root, 's.jsonl', [header('s', 0), line(one), damaged], '');
      const { sessions } = await compared(root, aLedger({ events: [event('s', one), ...records] }));
      expect(sessions[0]?.differences).toMatchObject([
        { reason: 'unreadable_line', entryId: 'a2' },
        { reason: 'extra_in_log', entryId: 'a3' },
      ]);
    },
  );

  it('of another session explains nothing', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    writeFile(root, 'x.jsonl', [header('x', 0), line(three), '{"ty'], '');
    const events = [event('s', one), event('x', three), live('s', two)];
    expect(await told(root, aLedger({ events }))).toEqual(
      fault('s extra_in_log x1', 'x unreadable_line x1'),
    );
  });

  it('is named with its file and place', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), damaged, line(one)]);
    const { sessions, problems } = await compared(root, aLedger({ events: [event('s', one)] }));
    expect(sessions[0]?.differences).toEqual([
      { reason: 'line_left_out', explained: false, count: 1, file: path, line: 2, entryId: 'a2' },
    ]);
    expect(problems).toMatchObject([{ path, line: 2 }]);
  });

  it('of a file without a session is a fault of no session, if it may hold spend', async () => {
    const path = writeFile(root, 'notes.jsonl', [line(one)]);
    writeFile(root, 'other.jsonl', ['hello']);
    const { overall, isExplained, problems, sessions } = await compared(root, aLedger());
    expect({ overall, isExplained, sessions }).toEqual({
      sessions: [],
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
    const { sessions } = await compared(
      root,
      aLedger({ events: [event('s', one)] }),
      clock(aheadMs),
    );
    expect(sessions[0]?.differences).toMatchObject([
      { reason, explained: false, count: 1, file: path, entryId: 'late', kind: 'turn', at: at(9) },
    ]);
  });

  it.each([
    ['alone is why the session is not there', [line(late)], 's ahead_of_clock x1'],
    ['beside others is not', [line(one), line(late)], 's not_imported x2'],
  ])('%s', async (_what, lines, expected) => {
    writeFile(root, 's.jsonl', [header('s', 0), ...lines]);
    expect(await told(root, aLedger(), clock(dayMs + 1))).toEqual(fault(expected));
  });

  it('says nothing of a record that is a day ahead, nor of figures that differ', async () => {
    const later = { id: 'later', second: 10 };
    writeFile(root, 's.jsonl', [header('s', 0), line(late), line(later), line(one)]);
    const lines = [header('x', 0), line({ id: 'x1', second: 11 }), line({ id: 'x2', second: 12 })];
    writeFile(root, 'x.jsonl', lines);
    const changed = event('x', { id: 'x1', second: 11 }, {}, { outputTokens: 2 });
    const ledger = aLedger({ events: [event('s', one), changed] });
    expect((await told(root, ledger, clock(dayMs))).told).toEqual([
      's missing_in_log x1',
      's ahead_of_clock x1',
      'x tokens_differ x1',
      'x ahead_of_clock x1',
    ]);
  });

  it('says nothing of records of before, and nothing of other sessions', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(late)]);
    writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
    const events = [event('s', late), event('s', three)];
    expect((await told(root, aLedger({ events }), clock(dayMs + 1))).told).toEqual([
      's missing_in_log x1',
      's extra_in_log x1',
      'x not_imported x1',
    ]);
  });
});

describe('a file that is written while it is compared', () => {
  const changing = (...paths: readonly string[]) => ({
    hasChanged: ({ path }: { path: string }) => paths.includes(path),
  });

  it.each([
    ['a session that is not there', [], explained('s file_changing x2')],
    ['a record that is not there', [event('s', one)], explained('s file_changing x1')],
    [
      'a record that is not in the file',
      [event('s', one), event('s', two), live('s', three)],
      explained('s file_changing x1'),
    ],
    [
      'other figures',
      [event('s', one), event('s', two, {}, { outputTokens: 2 })],
      fault('s tokens_differ x1'),
    ],
  ])('explains %s, or is no excuse', async (_what, events, expected) => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await told(root, aLedger({ events }), changing(path))).toEqual(expected);
  });

  it('is no excuse for another session', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    const other = writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
    expect(await told(root, aLedger(), changing(other))).toEqual(
      fault('s not_imported x1', 'x file_changing x1'),
    );
  });

  it('is an excuse where it is one of several copies', async () => {
    writeFile(root, 'a.jsonl', [header('s', 0), line(one)]);
    const copy = writeFile(root, 'b.jsonl', [header('s', 0), line(one)]);
    expect((await told(root, aLedger(), changing(copy))).told).toContain('s file_changing x1');
  });
});

describe('a ledger that works meanwhile', () => {
  /** Adds a live record each time the views are read, this many times. */
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
    const { isExplained, read, totals } = await compared(root, ledger);
    expect({ isExplained, events: read.events, records: totals.inViews.records }).toEqual({
      isExplained: true,
      events: times + 1,
      records: BigInt(times + 1),
    });
    expect(ledger.asked.filter((path) => path.startsWith('/v1/usage?by=session'))).toHaveLength(
      times + 1,
    );
  });

  it.each([
    ['a copy without a price', true],
    ['the price of a copy', false],
  ])('is understood when it takes in %s', async (_what, isCopyLater) => {
    const unpriced = { costNanoUsd: null, costSource: 'unpriced' };
    const copy = event('s', two, { ownership: 'named' }, unpriced);
    const [before, later] = isCopyLater ? [event('s', one), copy] : [copy, event('s', two)];
    const records = isCopyLater ? 2 : 1;
    const ledger = aLedger({
      events: [before],
      onAsk(path, { events }) {
        if (path.startsWith('/v1/usage') && !events.includes(later)) events.push(later);
      },
    });
    expect(await told(root, ledger)).toEqual(explained(`s file_gone x${records}`));
  });

  it('is not asked for ever', async () => {
    const ledger = working(100);
    await compared(root, ledger);
    expect(ledger.asked.filter((path) => path.startsWith('/v1/usage?by=session'))).toHaveLength(5);
  });
});
