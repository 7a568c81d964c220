/**
 * Compactions that cost more than they saved, and what was read again after them. The formulas are
 * those of `pi-ledger compactions` (docs/context.md). Re-reads are part of the first as well: these
 * are two views of the same money.
 */
import type { Examined } from '../examined.ts';
import { byAmount, type Finding, type InsightKind } from '../finding.ts';
import { counted, dollars, shortId, shortTokens } from '../text.ts';

type Row = Examined['compactions'][number];

export const compactionsThatDidNotPay: InsightKind = {
  name: 'compactions-did-not-pay',
  async find({ examined, options }) {
    const { compactions } = await examined();
    const lost = compactions.filter(({ net }) => (net?.netNanoUsd ?? 0) < 0);
    return byBilling(lost, (billing, all) => ({
      ...about(billing, all, ({ net }) => -(net?.netNanoUsd ?? 0)),
      bound: all.some(({ net }) => (net?.leavesOut.length ?? 0) > 0) ? 'atLeast' : 'exact',
      title:
        `${counted(all.length, 'compaction')} cost more than ` +
        `${all.length === 1 ? 'it' : 'they'} saved`,
      reason: `with what was lost of the cache and read again, in ${sessionsOf(all)}`,
      command: ['compactions', '--did-not-pay', ...options],
    }));
  },
};

export const readAgain: InsightKind = {
  name: 'read-again',
  async find({ examined }) {
    const { compactions } = await examined();
    const regretted = compactions.filter(({ regret }) => regret.reads > 0);
    return byBilling(regretted, (billing, all) => {
      const found = about(billing, all, ({ net }) => net?.rereadNanoUsd ?? null);
      const reads = all.reduce((sum, { regret }) => sum + regret.reads, 0);
      const tokens = all.reduce((sum, { regret }) => sum + regret.tokens, 0);
      const [worst] = found.rows;
      return {
        ...found,
        bound: 'estimated',
        title:
          `${counted(reads, 'file')} read again after ${counted(all.length, 'compaction')} had ` +
          `dropped them: ~${shortTokens(tokens)} tokens`,
        reason: `within 10 turns, in ${sessionsOf(all)}`,
        command: ['compactions', 'show', worst?.id ?? ''],
      };
    });
  },
};

function byBilling(
  rows: readonly Row[],
  findingOf: (billing: string, rows: readonly Row[]) => Finding,
): readonly Finding[] {
  const groups = Map.groupBy(rows, ({ billing }) => billing);
  return [...groups].map(([billing, all]) => findingOf(billing, all));
}

function about(
  billing: string,
  all: readonly Row[],
  costOf: (row: Row) => number | null,
): Pick<Finding, 'subject' | 'billing' | 'nanoUsd' | 'isChange' | 'rows'> {
  const costs = all.map((row) => {
    const cost = costOf(row);
    return { row, nanoUsd: cost === null ? null : BigInt(cost) };
  });
  const isKnown = costs.some(({ nanoUsd }) => nanoUsd !== null);
  return {
    subject: [],
    billing,
    nanoUsd: isKnown ? costs.reduce((sum, { nanoUsd }) => sum + (nanoUsd ?? 0n), 0n) : null,
    isChange: false,
    rows: costs
      .map(({ row, nanoUsd }) => ({
        is: 'compaction' as const,
        id: row.id,
        nanoUsd,
        text: `${nanoUsd === null ? 'n/a' : dollars(nanoUsd)} in session ${shortId(row.session)}`,
      }))
      .toSorted(byAmount),
  };
}

function sessionsOf(all: readonly Row[]): string {
  return counted(new Set(all.map(({ session }) => session)).size, 'session');
}
