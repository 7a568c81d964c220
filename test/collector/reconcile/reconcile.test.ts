/** Session files, a log and views that differ: which differences are faults, and their names. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { responseKeyOf } from '../../../collector/reconcile/files/tool-claims.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, explained, fault, told } from './support/compared.ts';
import {
  aLedger,
  anEvent,
  at,
  event,
  header,
  line,
  live,
  spendOf,
  writeFile,
} from './support/two-sides.ts';

const directory = temporaryDirectory();

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(directory, 'sides-'));
});

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

const three = { id: 'a3', second: 3, input: 30 };

/** An account of the child's for its parent. */
const account = (parent: string, child: string, recorded: typeof two | typeof one) => {
  const data = {
    childSessionId: child,
    childEntryId: recorded.id,
    keys: ['agent:A'],
    accounted: spendOf(recorded),
  };
  return anEvent('pi.subagent.accounted.v1', parent, recorded.second, data);
};

describe('files and a log', () => {
  it('that agree have no difference, and say what was read', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    const { isExplained, sessions, overall, problems, totals, read } = await compared(
      root,
      aLedger({ events: [event('s', one), event('s', two)] }),
    );
    expect({ isExplained, overall, problems }).toEqual({
      isExplained: true,
      overall: [],
      problems: [],
    });
    const figures = { records: 2n, inputTokens: 30n, nanoUsd: 2_000_000n };
    expect(sessions).toMatchObject([
      { sessionId: 's', files: [path], inViews: figures, differences: [] },
    ]);
    expect([sessions[0]?.inFiles?.get('turn'), sessions[0]?.inLog?.get('turn')]).toMatchObject([
      figures,
      figures,
    ]);
    expect(totals).toMatchObject({ inFiles: figures, inLog: figures, inViews: figures });
    expect(read).toMatchObject({ files: 1, events: 2, bytes: expect.any(Number) });
    expect(read.bytes).toBeGreaterThan(500);
  });

  it('are told session by session, sorted by id, with what each side knows', async () => {
    writeFile(root, 'b.jsonl', [header('b', 0), line(one)]);
    writeFile(root, 'b-again.jsonl', [header('b', 0), line(two)]);
    const { sessions, read } = await compared(
      root,
      aLedger({ events: [event('c', one), event('a', { ...one, second: 5 })] }),
    );
    expect(sessions.map(({ sessionId, files }) => [sessionId, files.length])).toEqual([
      ['a', 0],
      ['b', 2],
      ['c', 0],
    ]);
    expect(
      sessions.map(({ inFiles, inLog, inViews }) => [
        inFiles !== null,
        inLog !== null,
        inViews !== null,
      ]),
    ).toEqual([
      [false, true, true],
      [true, false, false],
      [false, true, true],
    ]);
    expect(read.files).toBe(2);
  });

  it.each([
    ['a session that the log does not have', [], 's not_imported x2'],
    ['a record that the log does not have', [event('s', one)], 's missing_in_log x1'],
    [
      'a record that the file does not have',
      [event('s', one), event('s', two), event('s', three)],
      's extra_in_log x1',
    ],
    [
      'a live record that the file does not have',
      [event('s', one), event('s', two), live('s', three)],
      's extra_in_log x1',
    ],
    [
      'a record that stands there twice',
      [event('s', one), event('s', two), event('s', two)],
      's twice_in_log x1',
    ],
    [
      'a record that has other figures',
      [event('s', one), event('s', two, {}, { outputTokens: 2 })],
      's tokens_differ x1',
    ],
  ])('differ by %s: a fault', async (_what, events, line_) => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one), line(two)]);
    expect(await told(root, aLedger({ events }))).toEqual(fault(line_));
  });

  it('name the file of a session that was not imported, and the place of a record', async () => {
    const path = writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    expect((await compared(root, aLedger())).sessions[0]?.differences).toMatchObject([
      { reason: 'not_imported', file: path },
    ]);
    const { sessions } = await compared(
      root,
      aLedger({ events: [event('s', one), event('s', two)] }),
    );
    expect(sessions[0]?.differences).toMatchObject([
      { reason: 'extra_in_log', kind: 'turn', entryId: 'a2', position: 2, at: at(2) },
    ]);
  });

  it('need not have the same sessions if the file is gone or never was', async () => {
    const events = [
      event('gone', one),
      live('live', two),
      live('both', three),
      event('both', { id: 'a4', second: 4 }),
    ];
    expect(await told(root, aLedger({ events }))).toEqual(
      explained('both file_gone x2', 'gone file_gone x1', 'live live_only_session x1'),
    );
  });

  it('differ by a session of which the log has everything but its records', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
    expect(await told(root, aLedger({ events: [account('s', 'c', one)] }))).toEqual(
      fault('c claim_differs x1', 's not_imported x1'),
    );
  });

  it('differ by what a session without a file says that it recorded, and did not', async () => {
    const events = [live('c', one), account('p', 'c', two)];
    expect(await told(root, aLedger({ events }))).toEqual(
      fault('c live_only_session x1', 'c claim_differs x1'),
    );
  });

  it('differ by an account of more than a session recorded, though its records agree', async () => {
    writeFile(root, 'c.jsonl', [header('c', 0), line(one)]);
    expect(
      await told(root, aLedger({ events: [event('c', one), account('p', 'c', two)] })),
    ).toEqual(fault('c claim_differs x1'));
  });

  it('differ by a format that is not known, in a whole file and no line of it', async () => {
    const newer = { ...header('s', 0), version: 99 };
    const file = writeFile(root, 's.jsonl', [newer, line(one)]);
    const { sessions } = await compared(root, aLedger({ events: [event('s', one)] }));
    expect(sessions[0]?.differences).toEqual([
      { reason: 'format_unknown', explained: false, count: 1, file },
    ]);
  });

  it('differ once by a record that its subagent accounts for, and that is missing', async () => {
    writeFile(root, 'c.jsonl', [header('c', 0), line(one), line(two)]);
    expect(
      await told(root, aLedger({ events: [event('c', one), account('p', 'c', two)] })),
    ).toEqual(fault('c missing_in_log x1'));
  });

  it.each<[what: string, by: string, more: object, lines: readonly string[]]>([
    [
      'another session has recorded it too: both count',
      'c',
      {},
      ['p claim_differs x1', 'p subagent_claim x1'],
    ],
    ['it is another answer', 'c', { requestedAtMs: 6 }, ['p subagent_claim x1']],
    ['it is its own', 'p', {}, ['p subagent_claim x1']],
  ])('differ by an answer that nobody accounts for where %s', async (_where, by, more, lines) => {
    const key = responseKeyOf({ responseId: 'r-a1', timestamp: 5, usage: spendOf(one).rawUsage });
    const claim = anEvent('pi.subagent.claimed.v1', 'p', 3, {
      entryId: 't1',
      key,
      claimed: spendOf(one),
    });
    const answer = live(by, one);
    const events = [
      claim,
      { ...answer, data: { ...(answer.data as object), requestedAtMs: 5, ...more } },
    ];
    const found = (await told(root, aLedger({ events }))).told.filter((each) =>
      each.includes('claim'),
    );
    expect(found.toSorted()).toEqual(lines);
  });

  it('do not differ by a session without any record', async () => {
    writeFile(root, 's.jsonl', [header('s', 0)]);
    expect(await told(root, aLedger())).toEqual(explained());
  });

  it('differ by an answer that counts in two sessions, though both sides agree', async () => {
    const again = { id: 'b1', second: 11 };
    writeFile(root, 'a.jsonl', [header('a', 0), line(one)]);
    writeFile(root, 'b.jsonl', [header('b', 10), line(again, { responseId: 'r-a1' })]);
    const events = [event('a', one), event('b', again, {}, { responseId: 'r-a1' })];
    expect(await told(root, aLedger({ events }))).toEqual(fault('b same_answers x1'));
  });

  it('have copies where they were copied to', async () => {
    writeFile(root, 'old.jsonl', [header('old', 0), line(one), line(two)]);
    writeFile(root, 'new.jsonl', [header('new', 10, 'old'), line(one), line(two)]);
    const { sessions } = await compared(
      root,
      aLedger({ events: [event('old', one), event('old', two)] }),
    );
    const copied = { reason: 'copied', explained: true, count: 2, otherSessionId: 'old' };
    expect(sessions.map(({ sessionId, differences }) => [sessionId, differences])).toEqual([
      ['new', [copied]],
      ['old', []],
    ]);
  });
});
