/** What the views say, by session and by kind, in the figures that logs and files are summed in. */
import { countNames, type Figures, noFigures } from './figures.ts';
import type { Ask } from './log-facts.ts';

export interface ViewFacts {
  readonly bySession: ReadonlyMap<string, Figures>;
  readonly byKind: ReadonlyMap<string, Figures>;
}

export async function readViewFacts(ask: Ask): Promise<ViewFacts> {
  return { bySession: await usageBy(ask, 'session'), byKind: await usageBy(ask, 'kind') };
}

const pageRows = 1_000;
const pagesMax = 100_000;

interface UsagePage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly next: string | null;
}

async function usageBy(ask: Ask, by: string): Promise<ReadonlyMap<string, Figures>> {
  const figures = new Map<string, Figures>();
  let cursor = '';
  for (let page = 0; page < pagesMax; page++) {
    const { rows, next } = (await ask(`/v1/usage?by=${by}&limit=${pageRows}${cursor}`)) as UsagePage;
    for (const row of rows) figures.set(typeof row[by] === 'string' ? row[by] : '', figuresOf(row));
    if (next === null) return figures;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  throw new Error(`The view by ${by} has more than ${pageRows * pagesMax} rows.`);
}

const amountNames = ['meteredNanoUsd', 'subscriptionNanoUsd', 'unknownBillingNanoUsd'] as const;

function figuresOf(row: Readonly<Record<string, unknown>>): Figures {
  const figures = noFigures();
  for (const name of countNames) figures[name] = Number(row[name] ?? 0);
  for (const name of amountNames) figures.nanoUsd += BigInt(String(row[name] ?? '0'));
  return figures;
}
