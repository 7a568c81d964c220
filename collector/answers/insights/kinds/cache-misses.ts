/**
 * Answers that sent again what the cache had held: after a pause, with another model, or with other
 * tools. The cost is what these tokens cost beyond reading them from the cache. Misses after
 * compactions are part of what these cost.
 */
import { byAmount, type Finding, type FindingRow, type InsightKind } from '../finding.ts';
import { counted, dollars, shortId, shortTokens } from '../text.ts';

const reasons: ReadonlyMap<string, string> = new Map([
  ['idle5min', 'after a pause of more than 5 minutes'],
  ['idle1h', 'after a pause of more than an hour'],
  ['model', 'after a switch of the model'],
  ['tools', 'after a change of tools or system prompt'],
]);

export const cacheMisses: InsightKind = {
  name: 'cache-misses',
  async find({ examined }) {
    const { misses } = await examined();
    const known = misses.filter(({ reason }) => reasons.has(reason));
    const groups = Map.groupBy(known, ({ reason, billing }) => JSON.stringify([reason, billing]));
    return [...groups.values()].flatMap(findingOf);
  },
};

type Miss = Awaited<ReturnType<Parameters<InsightKind['find']>[0]['examined']>>['misses'][number];

function findingOf(misses: readonly Miss[]): readonly Finding[] {
  const [first] = misses;
  if (first === undefined) return [];
  const rows = [...Map.groupBy(misses, ({ session }) => session)].map(rowOf).toSorted(byAmount);
  const [worst] = rows;
  return [
    {
      subject: [first.reason],
      billing: first.billing,
      nanoUsd: costOf(misses),
      bound: misses.every(({ costNanoUsd }) => costNanoUsd !== null) ? 'exact' : 'atLeast',
      isChange: false,
      title:
        `the cache was lost ${reasons.get(first.reason)}: ${counted(misses.length, 'answer')}, ` +
        `${shortTokens(tokensOf(misses))} tokens sent again`,
      reason: worst === undefined ? null : `most in session ${shortId(worst.id)}: ${worst.text}`,
      command: ['context', worst?.id ?? ''],
      rows,
    },
  ];
}

function rowOf([id, misses]: readonly [string, readonly Miss[]]): FindingRow {
  const nanoUsd = costOf(misses);
  const answers = counted(misses.length, 'answer');
  return {
    is: 'session',
    id,
    nanoUsd,
    text: `${dollars(nanoUsd)}, ${answers}, ${shortTokens(tokensOf(misses))} tokens`,
  };
}

/** It is null where no miss has a cost. */
function costOf(misses: readonly Miss[]): bigint | null {
  const costs = misses.flatMap(({ costNanoUsd }) => costNanoUsd ?? []);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + BigInt(cost), 0n);
}

function tokensOf(misses: readonly Miss[]): number {
  return misses.reduce((sum, { missedTokens }) => sum + missedTokens, 0);
}
