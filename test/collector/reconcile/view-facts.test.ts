import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { noFigures } from '../../../collector/reconcile/figures.ts';
import { readViewFacts } from '../../../collector/reconcile/view-facts.ts';
import { temporaryDirectory } from '../support/directory.ts';
import {
  aLedger,
  at,
  event,
  header,
  type Ledger,
  type LedgerOptions,
  line,
  writeFile,
} from './support/two-sides.ts';

const directory = temporaryDirectory();

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(directory, 'views-'));
});

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

/** Two sessions with files. */
function sound(options: LedgerOptions = {}): Ledger {
  writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
  writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
  return aLedger({ events: [event('s', one), event('x', two)], ...options });
}

describe('views, read for reconcile', () => {
  it('are read page by page', async () => {
    const ledger = sound({ pageRows: 1, ignored: [] });
    const { bySession, byKind, ignored, begunBeforeFloor } = await readViewFacts(
      ledger.ask,
      true,
      1,
    );
    expect([...bySession].map(([id, { inputTokens }]) => [id, inputTokens])).toEqual([
      ['s', 10n],
      ['x', 20n],
    ]);
    expect([...byKind.keys()]).toEqual(['turn']);
    expect([ignored.size, begunBeforeFloor.size]).toEqual([0, 0]);
    expect(
      ledger.asked.filter((path) => path.startsWith('/v1/sessions?ignored=include')),
    ).toHaveLength(4);
  });

  it('are of the finest rows, which alone have hours with sessions or branches', async () => {
    const ledger = sound();
    await readViewFacts(ledger.ask, false);
    const sinceEver = 'since=0001-01-01T00:00:00Z&limit=1000';
    expect(ledger.asked).toContain(`/v1/usage?by=session&${sinceEver}`);
    expect(ledger.asked).toContain(`/v1/usage?by=kind,branch&${sinceEver}`);
    expect(ledger.asked.filter((path) => path.startsWith('/v1/sessions'))).toEqual([]);
  });

  it('leave a row without a name unnamed, and missing figures at zero', async () => {
    const rows = [
      {
        session: null,
        records: 1,
        meteredNanoUsd: '1',
        subscriptionNanoUsd: '2',
        unknownBillingNanoUsd: '4',
      },
    ];
    const { bySession } = await readViewFacts(async () => ({ rows, next: null, total: {} }), false);
    expect(bySession).toEqual(new Map([['', { ...noFigures(), records: 1n, nanoUsd: 7n }]]));
  });

  it('are not read for ever if each page has a next one', async () => {
    let pages = 0;
    const ask = async () => {
      pages += 1;
      if (pages > 100_000) throw new Error('asked for ever');
      return { rows: [], next: 'again', total: {} };
    };
    await expect(readViewFacts(ask, false)).rejects.toThrow(
      '/v1/usage?by=session&since=0001-01-01T00:00:00Z has more than 100000000 rows.',
    );
  });

  it('name sessions begun before the deleted history, or at an unknown time', async () => {
    const startedAt = { s: at(0), x: at(5) };
    const { begunBeforeFloor } = await readViewFacts(
      sound({ startedAt }).ask,
      false,
      Date.parse(at(5)),
    );
    expect([...begunBeforeFloor]).toEqual(['s']);
    const unknown = await readViewFacts(
      sound({ startedAt: { ...startedAt, x: 'yesterday' } }).ask,
      false,
      Date.parse(at(5)),
    );
    expect([...unknown.begunBeforeFloor]).toEqual(['s', 'x']);
  });
});
