/** What deleted history explains, and what it does not. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { told } from './support/compared.ts';
import {
  aLedger,
  anEvent,
  at,
  event,
  header,
  type Ledger,
  type LedgerOptions,
  line,
  spendOf,
  type ViewRow,
  writeFile,
} from './support/two-sides.ts';

const directory = temporaryDirectory();
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(directory, 'views-'));
});

const rowOf = (rows: ViewRow[], session: string): ViewRow =>
  rows.find((row) => row.session === session) as ViewRow;
const reasonsIn = async (ledger: Ledger): Promise<readonly string[]> =>
  (await told(root, ledger)).told;

describe('after history was deleted', () => {
  const floor = at(30);
  const old = { id: 'o1', second: 1 };
  const young = { id: 'y1', second: 31, input: 20 };
  const startedAt = { s: at(0) };

  /** A session partly deleted; the views still have all of it. */
  function half(options: LedgerOptions = {}, more = 0n): Ledger {
    writeFile(root, 's.jsonl', [header('s', 0), line(old), line(young)]);
    const known = { events: [event('s', young)], deleted: [event('s', old)] };
    const ledger = aLedger({ ...known, floor, startedAt, ...options });
    ledger.views((rows) => {
      for (const row of rows) if (row.session === 's') row.figures.records += more;
    });
    return ledger;
  }

  it('records of before are counted and compared with nothing', async () => {
    expect(await reasonsIn(half())).toEqual(['s sealed x2']);
  });

  it('what came late, and is of before, is compared as little', async () => {
    expect(
      await reasonsIn(half({ deleted: [], events: [event('s', old), event('s', young)] })),
    ).toEqual(['s sealed x2']);
  });

  it('views that have less than the log still has are wrong all the same', async () => {
    expect(await reasonsIn(half({}, -2n))).toEqual(['s view_differs x1', 's sealed x1']);
    const less = half();
    less.views((rows) => {
      for (const { figures } of rows) figures.nanoUsd -= 1_000_001n;
    });
    expect(await reasonsIn(less)).toEqual(['s view_differs x1', 's sealed x1']);
  });

  it('views may have more of a file, whenever they say that its session began', async () => {
    expect(await reasonsIn(half({ startedAt: { s: at(31) } }, 1n))).toEqual(['s sealed x2']);
  });

  it('records of after are compared as ever', async () => {
    expect(await reasonsIn(half({ events: [] }))).toContain('s not_imported x1');
    expect(
      await reasonsIn(half({ events: [event('s', young, {}, { outputTokens: 9 })] })),
    ).toContain('s tokens_differ x1');
  });

  it('a session that began after it has no excuse', async () => {
    writeFile(root, 'x.jsonl', [header('x', 32), line({ id: 'x1', second: 33 })]);
    const ledger = half({
      events: [event('s', young), event('x', { id: 'x1', second: 33 })],
      startedAt: { s: at(0), x: at(32) },
    });
    ledger.views((rows) => {
      rowOf(rows, 'x').figures.records += 1n;
    });
    expect(await reasonsIn(ledger)).toEqual(['s sealed x2', 'x view_differs x1']);
  });

  it('a session without a file that began before it has one', async () => {
    const ledger = half({
      events: [event('s', young), event('gone', { id: 'g1', second: 33 })],
      startedAt: { s: at(0), gone: at(0) },
    });
    ledger.views((rows) => {
      rowOf(rows, 'gone').figures.records += 1n;
    });
    expect(await reasonsIn(ledger)).toEqual(['gone file_gone x1', 'gone sealed x1', 's sealed x2']);
  });

  it('views may have what the log has no more at all', async () => {
    writeFile(root, 's.jsonl', [header('s', 0), line(old)]);
    const ledger = aLedger({ deleted: [event('s', old)], floor, ignored: [], startedAt });
    expect(await reasonsIn(ledger)).toEqual(['s sealed x2']);
  });

  it('claims may count less: what accounts for them may be deleted', async () => {
    const claim = anEvent('pi.subagent.claimed.v1', 's', 32, {
      entryId: 'c1',
      key: 'agent:A',
      claimed: spendOf({ id: 'c1', second: 32 }),
    });
    const details = {
      results: [{ id: 'A', index: 0, usage: spendOf({ id: 'c1', second: 32 }).rawUsage }],
    };
    const result = line(
      { id: 'c1', second: 32 },
      { role: 'toolResult', usage: undefined, details },
    );
    const ledger = half({ events: [event('s', young), claim] }, -1n);
    writeFile(root, 's.jsonl', [header('s', 0), line(old), line(young), result]);
    expect(await reasonsIn(ledger)).toEqual(['s subagent_claim x1', 's sealed x2']);
  });
});
