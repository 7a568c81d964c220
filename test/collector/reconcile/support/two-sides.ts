/**
 * Records as in a session file and as in the log, and a ledger in memory that answers reconcile's
 * queries.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AskCollector } from '../../../../collector/reconcile/ask.ts';
import { countedByKind } from '../../../../collector/reconcile/counted.ts';
import type { Figures } from '../../../../collector/reconcile/figures.ts';
import { readLogFacts } from '../../../../collector/reconcile/log-facts.ts';

type Json = Record<string, unknown>;

export const at = (second: number) =>
  new Date(Date.parse('2026-03-01T09:00:00.000Z') + second * 1_000).toISOString();

export interface Told {
  readonly id: string;
  readonly second: number;
  readonly input?: number;
}

const usageOf = ({ input = 10 }: Told) => ({
  input,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: input + 1,
  cost: { total: 0.001 },
});

export function header(id: string, second: number, parentSession?: string): Json {
  return { type: 'session', version: 3, id, timestamp: at(second), cwd: '/p', parentSession };
}

export function line(told: Told, message: Json = {}): Json {
  const { id, second } = told;
  const answer = {
    role: 'assistant',
    content: [],
    provider: 'p',
    model: 'm',
    usage: usageOf(told),
    responseId: `r-${id}`,
    timestamp: 1,
  };
  return {
    type: 'message',
    id,
    parentId: null,
    timestamp: at(second),
    message: { ...answer, ...message },
  };
}

export function spendOf(told: Told): Json {
  const usage = usageOf(told);
  return {
    provider: 'p',
    model: 'm',
    inputTokens: usage.input,
    outputTokens: 1,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reported: true,
    costNanoUsd: 1_000_000,
    costSource: 'catalog',
    responseId: `r-${told.id}`,
    rawUsage: usage,
  };
}

/** An imported event; `more`: fields of the event, `spend`: fields of its spend. */
export function event(subject: string, told: Told, more: Json = {}, spend: Json = {}): Json {
  return anEvent(
    'pi.turn.completed.v1',
    subject,
    told.second,
    { entryId: told.id, spend: { ...spendOf(told), ...spend } },
    more,
  );
}

export function live(subject: string, told: Told, more: Json = {}): Json {
  return event(subject, told, { source: '/producers/one', ...more });
}

let events = 0;

export function anEvent(
  type: string,
  subject: string,
  second: number,
  data: Json,
  more: Json = {},
): Json {
  const hex = Date.parse(at(second)).toString(16).padStart(12, '0');
  events += 1;
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-8000-8000-${String(events).padStart(12, '0')}`;
  return { id, source: '/importers/pi', type, subject, time: at(second), data, ...more };
}

export function writeFile(
  root: string,
  name: string,
  lines: readonly (Json | string)[],
  end = '\n',
): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n') + end,
  );
  return path;
}

export interface ViewRow {
  session: string;
  kind: string;
  figures: Figures;
}

export interface Ledger {
  readonly ask: AskCollector;
  readonly events: Json[];
  /** The requested paths. */
  readonly asked: string[];
  /** Changes what the views say; by default they match the log. */
  views(change: (rows: ViewRow[]) => void): void;
}

export interface LedgerOptions {
  readonly events?: readonly Json[];
  readonly floor?: string | null;
  /** Events that were deleted, and that the views still count. */
  readonly deleted?: readonly Json[];
  /** Sessions of projects that are ignored. */
  readonly ignored?: readonly string[];
  /** When the sessions began. */
  readonly startedAt?: Readonly<Record<string, string>>;
  readonly pageRows?: number;
  /** Changed totals of reports, by query. */
  readonly report?: { readonly query: string; change(total: Json): Json };
  /** Called before each query. */
  onAsk?(path: string, ledger: Ledger): void;
}

export function aLedger(options: LedgerOptions = {}): Ledger {
  const { floor = null, ignored = [], startedAt = {}, pageRows = 1_000, report } = options;
  const changes: ((rows: ViewRow[]) => void)[] = [];
  const ledger: Ledger = {
    events: [...(options.events ?? [])],
    asked: [],
    views: (change) => changes.push(change),
    ask: async (path) => {
      options.onAsk?.(path, ledger);
      ledger.asked.push(path);
      const { pathname, searchParams: query } = new URL(path, 'http://localhost');
      if (pathname === '/v1/seal') return { floor };
      if (pathname === '/v1/log') return logPage(query);
      const rows =
        pathname === '/v1/usage'
          ? await usageRows(query.get('by') ?? '', query.get('until'))
          : sessionRows(query.get('ignored') ?? '');
      const from = Number(query.get('cursor') ?? 0);
      const next = from + pageRows < rows.length ? String(from + pageRows) : null;
      const total = sumOfRows((await viewRows()).map(({ figures }) => rowOf(figures)));
      const said =
        report !== undefined && path.includes(report.query) ? report.change(total) : total;
      return { rows: rows.slice(from, from + pageRows), next, total: said };
    },
  };

  function logPage(query: URLSearchParams): unknown {
    const after = Number(query.get('after') ?? 0);
    const rows = ledger.events.map((each, index) => ({ position: index + 1, event: each }));
    const page = rows.slice(after, after + Math.min(pageRows, Number(query.get('limit'))));
    return {
      rows: page,
      next: after + page.length < rows.length ? after + page.length : null,
    };
  }

  /** The changes are of all time, not of what was before a moment. */
  async function viewRows(until: string | null = null): Promise<ViewRow[]> {
    const counted = [...(options.deleted ?? []), ...ledger.events]
      .filter(({ time }) => until === null || String(time) < until)
      .map((each, index) => ({ position: index + 1, event: each }));
    const { sessions } = await readLogFacts(
      async (path) => ({ rows: path.includes('after=0&') ? counted : [], next: null }),
      () => null,
    );
    const rows = [...sessions.values()]
      .filter(({ sessionId }) => !ignored.includes(sessionId))
      .flatMap(({ sessionId, sums, book }) =>
        [...countedByKind(sums, book)].map(([kind, figures]) => ({
          session: sessionId,
          kind,
          figures,
        })),
      );
    if (until === null) for (const change of changes) change(rows);
    return rows;
  }

  /** Nothing here has a branch. */
  async function usageRows(groupings: string, until: string | null): Promise<readonly Json[]> {
    const by = groupings.split(',');
    const namesOf = ({ session, kind }: ViewRow) => ({
      ...(by.includes('session') && { session }),
      ...(by.includes('kind') && { kind }),
    });
    const groups = Map.groupBy(await viewRows(until), (row) => JSON.stringify(namesOf(row)));
    return [...groups].map(([names, rows]) => ({
      ...JSON.parse(names),
      ...sumOfRows(rows.map(({ figures }) => rowOf(figures))),
    }));
  }

  function sessionRows(which: string): readonly Json[] {
    const counted = [...(options.deleted ?? []), ...ledger.events];
    const ids = [...new Set([...counted.map(({ subject }) => String(subject)), ...ignored])];
    const shown = which === 'include' ? ids : ids.filter((id) => !ignored.includes(id));
    return shown.map((id) => ({ id, startedAt: startedAt[id] ?? at(0) }));
  }

  return ledger;
}

/** As in the API: amounts by billing, as text. */
function rowOf({ nanoUsd, ...counts }: Figures): Json {
  const numbers = Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Number(count)]),
  );
  return {
    ...numbers,
    meteredNanoUsd: String(nanoUsd / 2n),
    subscriptionNanoUsd: '0',
    unknownBillingNanoUsd: String(nanoUsd - nanoUsd / 2n),
  };
}

function sumOfRows(rows: readonly Json[]): Json {
  const sum: Json = {};
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const before = sum[name] ?? (typeof value === 'string' ? '0' : 0);
      sum[name] =
        typeof value === 'string'
          ? String(BigInt(String(before)) + BigInt(value))
          : Number(before) + Number(value);
    }
  }
  return sum;
}
