/** The views against the log: faults, and what was deleted or ignored on purpose. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { noClaims } from '../../../collector/reconcile/claim-book.ts';
import { type Figures, noFigures, noSums } from '../../../collector/reconcile/figures.ts';
import { createFindings } from '../../../collector/reconcile/findings.ts';
import { judgeViews } from '../../../collector/reconcile/judge-views.ts';
import type { LogFacts } from '../../../collector/reconcile/log-facts.ts';
import type { ReconcileOptions } from '../../../collector/reconcile/reconcile.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { compared, told } from './support/compared.ts';
import {
  aLedger,
  anEvent,
  event,
  header,
  type Ledger,
  type LedgerOptions,
  line,
  spendOf,
  type ViewRow,
  writeFile,
} from './support/two-sides.ts';
import { aClaim } from './support/units.ts';

const directory = temporaryDirectory();

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(directory, 'views-'));
});

const one = { id: 'a1', second: 1 };

const two = { id: 'a2', second: 2, input: 20 };

/** Like `told`, with overall differences by their reason alone. */
async function reasonsIn(
  ledger: Ledger,
  more: Partial<ReconcileOptions> = {},
): Promise<readonly string[]> {
  return (await told(root, ledger, more)).told.map((each) => each.replace(/^(\w+) x1$/, '$1'));
}

/** Two sessions with files. */
function sound(options: LedgerOptions = {}): Ledger {
  writeFile(root, 's.jsonl', [header('s', 0), line(one)]);
  writeFile(root, 'x.jsonl', [header('x', 0), line(two)]);
  return aLedger({ events: [event('s', one), event('x', two)], ...options });
}

const rowOf = (rows: ViewRow[], session: string): ViewRow =>
  rows.find((row) => row.session === session) as ViewRow;

describe('views', () => {
  it('that say what the log says are no difference', async () => {
    expect(await reasonsIn(sound())).toEqual([]);
  });

  it.each([
    'records',
    'inputTokens',
    'outputTokens',
    'cacheReadTokens',
    'cacheWriteTokens',
    'reasoningTokens',
    'unpricedRecords',
    'unreportedRecords',
    'nanoUsd',
  ] as const)('that have one more %s of a session are a fault, told once', async (name) => {
    const ledger = sound();
    ledger.views((rows) => {
      rowOf(rows, 's').figures[name] += 1n;
    });
    expect(await reasonsIn(ledger)).toEqual(['s view_differs x1']);
  });

  it('say both sums where they differ', async () => {
    const ledger = sound();
    ledger.views((rows) => {
      rowOf(rows, 's').figures.nanoUsd = 5n;
    });
    const { sessions } = await compared(root, ledger);
    const text = (nano: number) =>
      `1 records, 10 in, 1 out, 0 read, 0 written, ${nano} nano-dollars, 0 unpriced, 0 unreported`;
    expect(sessions[0]?.differences).toMatchObject([{ inLog: text(1_000_000), inViews: text(5) }]);
  });

  it.each<[what: string, change: (rows: ViewRow[]) => void, expected: readonly string[]]>([
    ['that lack a session', (rows) => rows.splice(0, 1), ['s view_differs x1']],
    [
      'that have a session more',
      (rows) => rows.push({ ...rowOf(rows, 's'), session: 'z' }),
      ['z view_differs x1'],
    ],
    [
      'that have one as another kind, the sums of sessions being right,',
      (rows) => {
        rowOf(rows, 's').kind = 'tool';
      },
      ['view_differs', 'view_differs'],
    ],
    [
      'that have nothing of a session twice',
      (rows) => rows.push({ session: 'z', kind: 'turn', figures: noFigures() }),
      [],
    ],
  ])('%s are told of', async (_what, change, expected) => {
    const ledger = sound();
    ledger.views(change);
    expect(await reasonsIn(ledger)).toEqual(expected);
  });

  it('say which kind differs', async () => {
    const ledger = sound();
    ledger.views((rows) => {
      rowOf(rows, 's').kind = 'tool';
    });
    const { overall } = await compared(root, ledger);
    const says = (records: number) => expect.stringMatching(`^${records} records, `);
    expect(overall).toMatchObject([
      { reason: 'view_differs', count: 1, kind: 'turn', inLog: says(2), inViews: says(1) },
      { reason: 'view_differs', count: 1, kind: 'tool', inLog: says(0), inViews: says(1) },
    ]);
  });

  it.each([
    'by=project&limit',
    'by=day',
    'by=user&limit',
    'by=project&since=0001-01-01',
    'by=user&since=0001-01-01',
    'by=kind&since=0001-01-01T00:00:00Z',
    'by=project,session',
  ])('whose report %s has another total are a fault', async (query) => {
    const ledger = sound({ report: { query, change: (total) => ({ ...total, inputTokens: 1 }) } });
    const { overall } = await compared(root, ledger);
    expect(overall).toMatchObject([
      { reason: 'view_differs', inViews: expect.stringContaining(query.replace('&limit', '')) },
    ]);
    expect(overall[0]?.inLog).toContain('2 records, 30 in');
  });

  it('that say something else by the hour are a fault, told row by row', async () => {
    const ledger = sound();
    const byDay = '/v1/usage?by=day&limit=1000';
    const quick = async (path: string) => {
      const said = (await ledger.ask(path)) as { rows: object[] };
      if (path !== byDay) return said;
      return {
        rows: Array.from({ length: 25 }, (_, day) => ({ ...said.rows[0], day: `day ${day}` })),
        next: null,
      };
    };
    const { overall, isExplained } = await compared(root, { ...ledger, ask: quick });
    expect(isExplained).toBe(false);
    expect(overall.map(({ reason }) => reason)).toEqual(Array(20).fill('view_differs'));
    expect(overall[0]?.inViews).toMatch(/^by=day "day 0": 2 records, .*; by the hour: nothing$/);
    const exact = async (path: string) =>
      path === byDay ? { rows: [], next: null } : ledger.ask(path);
    const { overall: lacking } = await compared(root, { ...ledger, ask: exact });
    expect(lacking).toMatchObject([
      { inViews: expect.stringMatching(/^by=day null: nothing; by the hour: 2 records, /) },
    ]);
  });

  it.each([
    [10_000, 'view_differs'],
    [10_001, 'subagent_claim'],
  ])(
    'of a session with %d claims are compared with each or with sums over all: %s',
    (count, reason) => {
      const book = noClaims();
      for (let number = 0; number < count; number++)
        book.claims.push(aClaim({ claimKey: `agent:${number}` }));
      const log = {
        sessions: new Map([['s', { sessionId: 's', sums: noSums(), book, imported: true }]]),
      } as unknown as LogFacts;
      const nothing = new Map<string, Figures>();
      const views = {
        bySession: nothing,
        byKind: nothing,
        reports: nothing,
        unequalRows: [],
        ignored: new Set<string>(),
        begunBeforeFloor: new Set<string>(),
        beforeFloor: new Map(),
        ofTools: nothing,
      };
      const findings = createFindings();
      expect(judgeViews(log, views, findings)).toEqual([]);
      expect(findings.of('s')).toMatchObject([{ reason, count: 1 }]);
    },
  );
});

describe('a project that is ignored', () => {
  const ignoring = { ignoresProjects: true };

  it('is in the log and in no view', async () => {
    expect(await reasonsIn(sound({ ignored: ['s'] }), ignoring)).toEqual(['s ignored_project x1']);
  });

  it('is a fault where nothing is ignored by the configuration, or another one is', async () => {
    expect(await reasonsIn(sound({ ignored: ['s'] }))).toEqual(['s view_differs x1']);
    const ledger = sound({ ignored: ['s'] });
    ledger.views((rows) => rows.splice(0, 1));
    expect(await reasonsIn(ledger, ignoring)).toEqual([
      's ignored_project x1',
      'x view_differs x1',
    ]);
  });

  it('that is in a view all the same is compared with it', async () => {
    const ledger = sound({ ignored: ['s'] });
    ledger.views((rows) =>
      rows.push({ session: 's', kind: 'turn', figures: { ...noFigures(), records: 1n } }),
    );
    expect(await reasonsIn(ledger, ignoring)).toEqual(['s view_differs x1']);
  });

  it('of which the log has no record of its own is nothing to speak of', async () => {
    const data = { childSessionId: 's', childEntryId: 'a1', keys: ['agent:A'] };
    const accounted = { ...data, accounted: spendOf(one) };
    const account = anEvent('pi.subagent.accounted.v1', 'p', 1, accounted);
    const events = [event('s', one), event('x', two), account];
    expect(await reasonsIn(sound({ events, ignored: ['p'] }), ignoring)).toEqual([]);
  });

  it('without any record is nothing to speak of', async () => {
    expect(await reasonsIn(sound({ ignored: ['z'] }), ignoring)).toEqual([]);
  });
});
