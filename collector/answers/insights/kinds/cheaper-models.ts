/**
 * What the tokens of the models that cost most would have cost at the measured prices of another
 * model that the same people use: each kind of token at what that model's records paid for it. The
 * same tokens, which says nothing about how many the other model would need.
 */
import type { SumRow } from '../../../views/views.ts';
import { amountOf, dimension, type Finding, type InsightKind } from '../finding.ts';
import { dollars, nameOr } from '../text.ts';

const kinds = [
  { tokens: 'inputTokens', cost: 'inputNanoUsd' },
  { tokens: 'outputTokens', cost: 'outputNanoUsd' },
  { tokens: 'cacheReadTokens', cost: 'cacheReadNanoUsd' },
  { tokens: 'cacheWriteTokens', cost: 'cacheWriteNanoUsd' },
] as const;

/** A model below a tenth of all spend of its billing is no candidate to be replaced. */
const spendShareMin = 10n;
/** Enough records to know what a model charges. */
const recordsMin = 20n;
/** So many other models are named with their prices. */
const pricesMax = 5;

export const cheaperModels: InsightKind = {
  name: 'cheaper-model',
  async find({ sum, options }) {
    const rows = await sum(['provider', 'model', 'billing'], 'now');
    const groups = Map.groupBy(rows, (row) => dimension(row, 'billing'));
    return [...groups.values()].flatMap((models) => findingsOf(models, options));
  },
};

function findingsOf(models: readonly SumRow[], options: readonly string[]): readonly Finding[] {
  const all = models.reduce((sum, row) => sum + amountOf(row), 0n);
  const dear = models.filter((row) => amountOf(row) > 0n && amountOf(row) * spendShareMin >= all);
  return dear.flatMap((row) => {
    const others = models
      .filter((other) => other !== row && amountOf(other, 'records') >= recordsMin)
      .flatMap((other) => {
        const nanoUsd = costAt(row, other);
        return nanoUsd === null ? [] : [{ model: dimension(other, 'model'), nanoUsd }];
      })
      .filter(({ nanoUsd }) => nanoUsd < amountOf(row))
      .toSorted((left, right) => (left.nanoUsd < right.nanoUsd ? -1 : 1));
    const [cheapest] = others;
    if (cheapest === undefined) return [];
    const model = dimension(row, 'model');
    return [
      {
        subject: [dimension(row, 'provider'), model],
        billing: dimension(row, 'billing'),
        nanoUsd: amountOf(row) - cheapest.nanoUsd,
        bound: 'estimated' as const,
        isChange: false,
        title:
          `${nameOr(model)}'s tokens cost ${dollars(amountOf(row))}; at the prices of ` +
          `${nameOr(cheapest.model)} they would have cost ~${dollars(cheapest.nanoUsd)}`,
        reason: 'the same tokens; another model may need more of them',
        command: ['report', '--by', 'provider,model', ...options],
        rows: [
          {
            is: 'model' as const,
            id: model,
            nanoUsd: amountOf(row) - cheapest.nanoUsd,
            text: `${dollars(amountOf(row))}; at the prices of ${pricesText(others)}`,
          },
        ],
      },
    ];
  });
}

/** `demo-fast ~$34.21, demo-large ~$169.40`, the cheapest first. */
function pricesText(others: readonly { model: string; nanoUsd: bigint }[]): string {
  const named = others
    .slice(0, pricesMax)
    .map(({ model, nanoUsd }) => `${nameOr(model)} ~${dollars(nanoUsd)}`);
  const more = others.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Returns null if the other model has no price for some tokens, or either leaves records out. */
function costAt(row: SumRow, other: SumRow): bigint | null {
  if (amountOf(row, 'unpricedRecords') > 0n || amountOf(other, 'unpricedRecords') > 0n) return null;
  let sum = 0n;
  for (const { tokens, cost } of kinds) {
    const wanted = amountOf(row, tokens);
    if (wanted === 0n) continue;
    const [sold, paid] = [amountOf(other, tokens), amountOf(other, cost)];
    if (sold === 0n || paid === 0n) return null;
    sum += (wanted * paid) / sold;
  }
  return sum;
}
