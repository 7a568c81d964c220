/** Large tool results that were sent along with every answer after them, by tool. */
import type { Examined } from '../examined.ts';
import { byAmount, type Finding, type InsightKind } from '../finding.ts';
import { counted, dollars, shortId, shortTokens } from '../text.ts';

type Result = Examined['results'][number];

export const largeResults: InsightKind = {
  name: 'large-results',
  async find({ examined }) {
    const { results } = await examined();
    const tools = Map.groupBy(results, ({ toolName, billing }) =>
      JSON.stringify([toolName, billing]),
    );
    return [...tools.values()].flatMap(findingOf);
  },
};

function findingOf(results: readonly Result[]): readonly Finding[] {
  const [first] = results;
  if (first === undefined) return [];
  const rows = results
    .map((result) => ({
      is: 'entry' as const,
      id: result.entryId,
      nanoUsd: costOf(result),
      session: result.session,
      text:
        `~${shortTokens(result.tokens)} tokens with ${counted(result.answers, 'answer')} ` +
        `in session ${shortId(result.session)}${pathText(result)}`,
    }))
    .toSorted(byAmount);
  const worst = results.reduce((most, each) =>
    (each.costNanoUsd ?? 0) > (most.costNanoUsd ?? 0) ? each : most,
  );
  const priced = rows.filter(({ nanoUsd }) => nanoUsd !== null);
  const answers = results.reduce((sum, each) => sum + each.answers, 0);
  return [
    {
      subject: [first.toolName],
      billing: first.billing,
      nanoUsd:
        priced.length === 0 ? null : priced.reduce((sum, { nanoUsd }) => sum + (nanoUsd ?? 0n), 0n),
      bound: 'estimated',
      isChange: false,
      title:
        `${counted(results.length, 'result')} of ${first.toolName} over 10,000 tokens, ` +
        `sent with ${counted(answers, 'answer')}`,
      reason:
        `the costliest: ~${shortTokens(worst.tokens)} tokens with ` +
        `${counted(worst.answers, 'answer')}, ${dollars(costOf(worst))}` +
        pathText(worst),
      command: ['context', worst.session],
      rows,
    },
  ];
}

function costOf({ costNanoUsd }: Result): bigint | null {
  return costNanoUsd === null ? null : BigInt(costNanoUsd);
}

function pathText({ paths: [path] }: Result): string {
  return path === undefined ? '' : `, ${path}`;
}
