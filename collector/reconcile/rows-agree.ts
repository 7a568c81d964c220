/**
 * Rows of reports that two rollups answer differently. The quick answer to a report comes from a
 * coarse rollup; since a moment, the same report comes from one that knows hours. A row of either
 * that was put under another name leaves all totals as they are.
 */
import type { Ask } from './ask.ts';
import { countNames } from './figures.ts';
import { type Row, rowsOf, sinceEver } from './view-rows.ts';

/** A row of which two rollups say different things; null: nothing. */
export interface UnequalRow {
  /** As in a query: `by=project`. */
  readonly report: string;
  readonly name: string;
  readonly quick: string | null;
  readonly exact: string | null;
}

const groupings = ['project', 'model', 'day', 'user'];

export async function readUnequalRows(ask: Ask): Promise<readonly UnequalRow[]> {
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

async function textsBy(ask: Ask, by: string, period: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for await (const row of rowsOf(ask, `/v1/usage?by=${by}${period}`))
    texts.set(JSON.stringify(row[by] ?? null), textOf(row));
  return texts;
}

/** Amounts of each billing apart, as reports show them. */
function textOf(row: Row): string {
  const { meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd } = row;
  const amounts = [meteredNanoUsd, subscriptionNanoUsd, unknownBillingNanoUsd].join(' + ');
  return `${countNames.map((name) => `${row[name]} ${name}`).join(', ')}, ${amounts} nano-dollars`;
}
