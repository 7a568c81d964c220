/** The central comparison: what the ledger stores and reports against the session files. */
import { expect } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import {
  readSessionTruth,
  type SessionTruth,
  type TruthRecord,
  totalsOf,
} from '../truth/session-truth.ts';
import type { Ledger } from './ledger.ts';
import {
  type Grouping,
  parseReport,
  type UsageFigures,
  type UsageReport,
} from './ledger-report.ts';
import { type LedgerRecord, readLedgerRecords } from './ledger-store.ts';

/**
 * Waits until every record of the session files is in the log. Rejects, listing missing, extra and
 * repeated records, after `waitMsMax`. Each record is compared by session, entry, time, kind,
 * every token count and the nano-dollars.
 */
export async function ledgerHolds(
  ledger: Ledger,
  truth: SessionTruth,
  project: string | null = null,
): Promise<void> {
  const expected = truth.records.map(lineOf).sort();
  await eventually(
    async () =>
      expect(
        differences((await readLedgerRecords(ledger.store, project)).map(lineOf), expected),
      ).toEqual(none),
    { intervalMs: 100 },
  );
}

/**
 * Checks the reports of one project, or of all, by every grouping: each row and each total is the
 * sum over the session files.
 */
export async function reportsAgree(
  ask: (by: Grouping) => Promise<UsageReport>,
  truth: SessionTruth,
  project: string | null,
): Promise<void> {
  const total = figuresOf(truth.records);
  for (const by of ['model', 'session', 'kind', 'day'] as const) {
    const report = await ask(by);
    expect({ by, total: report.total }).toEqual({ by, total });
    expect({ by, rows: rowsOf(report) }).toEqual({ by, rows: expectedRows(truth, by) });
  }
  const byProject = await ask('project');
  expect(byProject.total).toEqual(total);
  if (project !== null)
    expect(rowsOf(byProject)).toEqual(truth.records.length === 0 ? {} : { [project]: total });
}

/** Asks the running collector directly, without starting a process for each question. */
export async function askCollector(
  ledger: Ledger,
  by: Grouping,
  project: string,
): Promise<UsageReport> {
  const response = await fetch(
    `${ledger.url}/v1/usage?${new URLSearchParams({ by, project, limit: '1000' })}`,
  );
  if (response.status !== 200)
    throw new Error(`usage by ${by}: ${response.status} ${await response.text()}`);
  return parseReport(await response.text());
}

/**
 * The figures that the ledger must give for these records. Every model of the sandboxes is billed
 * by use: none by subscription.
 */
export function figuresOf(records: readonly TruthRecord[]): UsageFigures {
  const { costNanoUsd, costParts, ...counts } = totalsOf(records);
  const [input, output, cacheRead, cacheWrite] = costParts;
  return {
    ...counts,
    meteredNanoUsd: String(costNanoUsd),
    subscriptionNanoUsd: '0',
    unknownBillingNanoUsd: '0',
    byBilling: {
      inputNanoUsd: String(input),
      outputNanoUsd: String(output),
      cacheReadNanoUsd: String(cacheRead),
      cacheWriteNanoUsd: String(cacheWrite),
    },
  };
}

export function truthOf(sandbox: { readonly sessions: string }): SessionTruth {
  return readSessionTruth(sandbox.sessions);
}

const none = { missing: [], extra: [], twice: [] };

function differences(actual: readonly string[], expected: readonly string[]) {
  const [have, want] = [new Set(actual), new Set(expected)];
  return {
    missing: expected.filter((line) => !have.has(line)),
    extra: actual.filter((line) => !want.has(line)),
    twice: actual.filter((line, index) => actual.indexOf(line) !== index),
  };
}

function lineOf(record: LedgerRecord | TruthRecord): string {
  const {
    sessionId,
    entryId,
    timestamp,
    kind,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  } = record;
  const tokens = [
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  ].join('/');
  return `${sessionId} ${entryId} ${timestamp} ${kind} ${tokens} ${record.costNanoUsd}`;
}

const labels: Readonly<Record<Exclude<Grouping, 'project'>, (record: TruthRecord) => string>> = {
  model: ({ model }) => model ?? '(unknown)',
  session: ({ sessionId }) => sessionId,
  kind: ({ kind }) => kind,
  // The sandboxes live in UTC.
  day: ({ timestamp }) => timestamp.slice(0, 10),
};

function expectedRows(
  { records }: SessionTruth,
  by: Exclude<Grouping, 'project'>,
): Readonly<Record<string, UsageFigures>> {
  const groups = Map.groupBy(records, labels[by]);
  return Object.fromEntries([...groups].map(([label, group]) => [label, figuresOf(group)]));
}

function rowsOf({ by: [by], rows }: UsageReport): Readonly<Record<string, UsageFigures>> {
  return Object.fromEntries(
    rows.map(({ [by]: label, ...figures }) => [label ?? '(unknown)', figures as UsageFigures]),
  );
}
