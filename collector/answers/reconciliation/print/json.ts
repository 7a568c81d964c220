/** A reconciliation as JSON. Names are stable; money is decimal strings of 10^-9 USD. Pure. */

import { totalIn } from '../../../reconcile/counted.ts';
import type { Figures } from '../../../reconcile/figures.ts';
import { reasons } from '../../../reconcile/reasons.ts';
import type { Reconciliation } from '../../../reconcile/reconcile.ts';
import { exactCount } from '../../spend/exact-count.ts';

export function reconciliationJson(result: Reconciliation): object {
  const { isExplained, sessions, overall, problems, totals, read } = result;
  const found = new Set(
    [...overall, ...sessions.flatMap(({ differences }) => differences)].map(({ reason }) => reason),
  );
  return {
    isExplained,
    read,
    totals: {
      files: figuresJson(totals.inFiles),
      log: figuresJson(totals.inLog),
      views: figuresJson(totals.inViews),
    },
    reasons: Object.fromEntries([...found].sort().map((code) => [code, reasons[code]])),
    differences: overall,
    sessions: sessions.map(({ sessionId, files, inFiles, inLog, inViews, differences }) => ({
      session: sessionId,
      files,
      inFiles: sideJson(inFiles),
      inLog: sideJson(inLog),
      inViews: inViews === null ? null : figuresJson(inViews),
      differences,
    })),
    problems,
  };
}

function sideJson(byKind: ReadonlyMap<string, Figures> | null): object | null {
  if (byKind === null) return null;
  const kinds = [...byKind]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([kind, figures]) => [kind, figuresJson(figures)]);
  return { ...figuresJson(totalIn(byKind)), byKind: Object.fromEntries(kinds) };
}

function figuresJson({ nanoUsd, ...counts }: Figures): object {
  const numbers = Object.entries(counts).map(([name, count]) => [name, exactCount(count)]);
  return { ...Object.fromEntries(numbers), nanoUsd: nanoUsd.toString() };
}
