/**
 * What the views say by session, by kind and in the totals of reports, in the same figures as log
 * and files.
 */
import type { AskCollector } from './ask.ts';
import { addFigures, countNames, type Figures, figuresOfKind, noFigures } from './figures.ts';

export interface ViewFacts {
  readonly bySession: ReadonlyMap<string, Figures>;
  readonly byKind: ReadonlyMap<string, Figures>;
  /** Totals by query, covering each rollup that answers reports. */
  readonly reports: ReadonlyMap<string, Figures>;
  readonly unequalRows: readonly UnequalRow[];
  /** Sessions of projects that the user's rules ignore. */
  readonly ignored: ReadonlySet<string>;
  /** Sessions that may have deleted records. */
  readonly begunBeforeFloor: ReadonlySet<string>;
  /** By session and kind: what counts of the time before the floor; empty without one. */
  readonly beforeFloor: FiguresByKind;
  /** By session: what counts as spend of tools, whenever; empty without a floor. */
  readonly ofTools: ReadonlyMap<string, Figures>;
}

type FiguresByKind = ReadonlyMap<string, ReadonlyMap<string, Figures>>;

export async function readViewFacts(
  ask: AskCollector,
  ignoresProjects: boolean,
  floorMs = 0,
): Promise<ViewFacts> {
  return {
    bySession: await usageBy(ask, 'session'),
    byKind: await usageBy(ask, 'kind', ',branch'),
    reports: await reportTotals(ask),
    unequalRows: await readUnequalRows(ask),
    ignored: ignoresProjects ? await ignoredSessions(ask) : new Set(),
    ...(floorMs > 0 ? await sealedFacts(ask, floorMs) : nothingSealed),
  };
}

type SealedFacts = Pick<ViewFacts, 'begunBeforeFloor' | 'beforeFloor' | 'ofTools'>;

const nothingSealed: SealedFacts = {
  begunBeforeFloor: new Set(),
  beforeFloor: new Map(),
  ofTools: new Map(),
};

async function sealedFacts(ask: AskCollector, floorMs: number): Promise<SealedFacts> {
  const ofTools = new Map<string, Figures>();
  for (const [session, byKind] of await sessionKinds(ask, '')) {
    const figures = byKind.get('tool');
    if (figures !== undefined) ofTools.set(session, figures);
  }
  return {
    begunBeforeFloor: await begunBefore(ask, floorMs),
    beforeFloor: await sessionKinds(ask, `&until=${new Date(floorMs).toISOString()}`),
    ofTools,
  };
}

async function sessionKinds(ask: AskCollector, until: string): Promise<FiguresByKind> {
  const bySession = new Map<string, Map<string, Figures>>();
  for await (const row of readRows(ask, `/v1/usage?by=session,kind${sinceEver}${until}`)) {
    const session = String(row.session ?? '');
    const byKind = bySession.get(session) ?? new Map<string, Figures>();
    bySession.set(session, byKind);
    addFigures(figuresOfKind(byKind, String(row.kind ?? '')), readFigures(row));
  }
  return bySession;
}

const reports = [
  'by=project',
  'by=day',
  'by=user',
  'by=thinking',
  'by=kind&since=0001-01-01T00:00:00Z',
  'by=project,session',
  'by=project&since=0001-01-01',
  'by=user&since=0001-01-01',
];

async function reportTotals(ask: AskCollector): Promise<ReadonlyMap<string, Figures>> {
  const totals = new Map<string, Figures>();
  for (const report of reports) {
    const { total } = (await ask(`/v1/usage?${report}&limit=1`)) as { readonly total: Row };
    totals.set(report, readFigures(total));
  }
  return totals;
}

async function begunBefore(ask: AskCollector, floorMs: number): Promise<ReadonlySet<string>> {
  const begun = new Set<string>();
  for await (const { id, startedAt } of readRows(ask, '/v1/sessions?ignored=include')) {
    if (!(Date.parse(String(startedAt)) >= floorMs)) begun.add(String(id));
  }
  return begun;
}

/** The sessions in the list with ignored projects but not in the one without. */
async function ignoredSessions(ask: AskCollector): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  for await (const { id } of readRows(ask, '/v1/sessions?ignored=include')) ignored.add(String(id));
  for await (const { id } of readRows(ask, '/v1/sessions?ignored=exclude'))
    ignored.delete(String(id));
  return ignored;
}

async function usageBy(
  ask: AskCollector,
  by: string,
  andBy = '',
): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures>();
  for await (const row of readRows(ask, `/v1/usage?by=${by}${andBy}${sinceEver}`)) {
    const name = typeof row[by] === 'string' ? row[by] : '';
    const sums = figures.get(name) ?? noFigures();
    figures.set(name, sums);
    addFigures(sums, readFigures(row));
  }
  return figures;
}

const amountNames = ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'] as const;

function readFigures(row: Row): Figures {
  const figures = noFigures();
  for (const name of countNames) figures[name] = BigInt(String(row[name] ?? 0));
  for (const name of amountNames) figures.nanoUsd += BigInt(String(row[name] ?? '0'));
  return figures;
}

// Rows of reports that two rollups answer differently. The quick answer to a report comes from a
// coarse rollup; since a moment, the same report comes from one that knows hours. A row of either
// that was put under another name leaves all totals as they are.

/** A row of which two rollups say different things; null: nothing. */
interface UnequalRow {
  /** As in a query: `by=project`. */
  readonly report: string;
  readonly name: string;
  readonly quick: string | null;
  readonly exact: string | null;
}

const groupings = ['project', 'model', 'day', 'user'];

export async function readUnequalRows(ask: AskCollector): Promise<readonly UnequalRow[]> {
  const unequal: UnequalRow[] = [];
  for (const by of groupings) {
    const report = `by=${by}`;
    const quick = await textsBy(ask, by, '');
    const exact = await textsBy(ask, by, sinceEver);
    for (const name of new Set([...quick.keys(), ...exact.keys()])) {
      const said = { quick: quick.get(name) ?? null, exact: exact.get(name) ?? null };
      if (said.quick !== said.exact) unequal.push({ report, name, ...said });
    }
  }
  return unequal;
}

async function textsBy(
  ask: AskCollector,
  by: string,
  period: string,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const row of readRows(ask, `/v1/usage?by=${by}${period}`))
    texts.set(JSON.stringify(row[by] ?? null), rowText(row));
  return texts;
}

/** Amounts of each billing apart, as reports show them. */
function rowText(row: Row): string {
  const { meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd } = row;
  const amounts = [meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd].join(' + ');
  return `${countNames.map((name) => `${row[name]} ${name}`).join(', ')}, ${amounts} nano-dollars`;
}

// Rows of a list that the ledger answers page by page.

type Row = Readonly<Record<string, unknown>>;

/** Only the finest rows have hours with sessions or branches: these make them answer. */
const sinceEver = '&since=0001-01-01T00:00:00Z';

const pageRows = 1_000;
const pagesMax = 100_000;

interface Page {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export async function* readRows(ask: AskCollector, path: string): AsyncGenerator<Row> {
  let cursor = '';
  for (let page = 0; page < pagesMax; page++) {
    const { rows, next } = (await ask(`${path}&limit=${pageRows}${cursor}`)) as Page;
    yield* rows;
    if (next === null) return;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  throw new Error(`${path} has more than ${pageRows * pagesMax} rows.`);
}
