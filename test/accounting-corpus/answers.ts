/** What some cases ask beyond their totals: what a label or a commit cost, and FOCUS. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CorpusCase, nanoUsdOf } from '../collector/reconcile/support/corpus.ts';
import { readCsv } from '../collector/support/csv.ts';

/** Runs pi-ledger. Contract: resolves to what it prints, rejects if it fails. */
export type Program = (...argv: readonly string[]) => Promise<string>;

type Sums = ReadonlyMap<string, bigint>;

export function asksMore({ costBy, focus }: CorpusCase): boolean {
  return costBy !== undefined || focus !== undefined;
}

/** What live sessions recorded beside their files; null if the case has none. */
export function eventsOf({ home }: CorpusCase): string | null {
  const path = join(home, '..', 'events.ndjson');
  return existsSync(path) ? path : null;
}

/** One line for each wrong answer. All answers of one kind add up to the case's total. */
export async function wrongAnswers(
  program: Program,
  { costBy = {}, focus = {} }: CorpusCase,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const [by, truth] of Object.entries(costBy))
    wrong.push(...differences(by, await costsBy(program, by), sumsOf(truth)));
  if (Object.keys(focus).length === 0) return wrong;
  const rows = await focusRows(program);
  for (const [column, truth] of Object.entries(focus))
    wrong.push(...differences(column, focusCosts(rows, column), sumsOf(truth)));
  return wrong;
}

async function costsBy(program: Program, by: string): Promise<Sums> {
  const { rows } = JSON.parse(await program('report', '--by', by, '--json')) as {
    readonly rows: readonly Readonly<Record<string, string | null>>[];
  };
  const costOf = (row: (typeof rows)[number]) =>
    ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'].reduce(
      (sum, name) => sum + BigInt(row[name] ?? 0),
      0n,
    );
  return new Map(rows.map((row) => [row[by] ?? '(none)', costOf(row)]));
}

type FocusRow = ReadonlyMap<string, string>;

async function focusRows(program: Program): Promise<readonly FocusRow[]> {
  const printed = await program('export', '--focus');
  const [head = [], ...rows] = readCsv(`${printed.trimEnd()}\n`);
  return rows.map((row) => new Map(head.map((name, index) => [name, row[index] ?? ''])));
}

function focusCosts(rows: readonly FocusRow[], column: string): Sums {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const billing = row.get('x_Billing') ?? '';
    sums.set(billing, (sums.get(billing) ?? 0n) + BigInt(nanoUsdOf(row.get(column) ?? '')));
  }
  return sums;
}

function sumsOf(truth: Readonly<Record<string, string>>): Sums {
  return new Map(Object.entries(truth).map(([name, usd]) => [name, BigInt(nanoUsdOf(usd))]));
}

function differences(what: string, said: Sums, truth: Sums): readonly string[] {
  return [...new Set([...said.keys(), ...truth.keys()])]
    .filter((name) => said.get(name) !== truth.get(name))
    .map((name) => `${what} ${name}: ${said.get(name)} instead of ${truth.get(name)}`);
}
