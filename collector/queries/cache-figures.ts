/**
 * What the prompt cache saved, and what writing it cost, by the hosts' own figures: an estimate.
 * The price of input is what the input of the same model, provider and billing cost on average;
 * reads and writes are compared with it. Pure.
 *
 * Tokens are left out, and counted, where the host does not split the cost or no input was priced.
 */
import type { CacheFigures } from '@pi-ledger/contract/answers';
import { billings } from '@pi-ledger/contract/billings';
import type { SumRow } from '../views/views.ts';
import { exactCount } from './exact-count.ts';

/** What sums must be grouped by, beside their labels. */
export const cacheDimensions = ['provider', 'model', 'kind', 'costSource', 'billing'] as const;

/** `sums`: those of a whole answer, whose prices hold for each part of it. */
export function createCacheFigures(
  sums: readonly SumRow[],
): (part: readonly SumRow[]) => CacheFigures {
  const prices = pricesIn(sums);
  return (part) => {
    const figures = billings.map((billing) => {
      const own = part.filter(({ dimensions }) => dimensions.billing === billing);
      return [billing, figuresOf(own, prices)] as const;
    });
    return Object.fromEntries(figures) as CacheFigures;
  };
}

interface Price {
  readonly nanoUsd: bigint;
  readonly tokens: bigint;
}

type Prices = ReadonlyMap<string, Price>;

function pricesIn(sums: readonly SumRow[]): Prices {
  const prices = new Map<string, Price>();
  for (const sum of sums) {
    if (!isSplit(sum)) continue;
    const known = prices.get(modelOf(sum)) ?? { nanoUsd: 0n, tokens: 0n };
    prices.set(modelOf(sum), {
      nanoUsd: known.nanoUsd + of(sum, 'inputNanoUsd'),
      tokens: known.tokens + of(sum, 'inputTokens'),
    });
  }
  return prices;
}

function figuresOf(sums: readonly SumRow[], prices: Prices): CacheFigures['metered'] {
  let [saved, extra, leftOut, isKnown] = [0n, 0n, 0n, false];
  for (const sum of sums) {
    const [read, written] = [of(sum, 'cacheReadTokens'), of(sum, 'cacheWriteTokens')];
    if (read === 0n && written === 0n) continue;
    const price = isSplit(sum) ? prices.get(modelOf(sum)) : undefined;
    if (price === undefined || price.nanoUsd <= 0n || price.tokens <= 0n) {
      leftOut += read + written;
      continue;
    }
    isKnown = true;
    saved += atPrice(read, price) - of(sum, 'cacheReadNanoUsd');
    extra += of(sum, 'cacheWriteNanoUsd') - atPrice(written, price);
  }
  const isUnknown = !isKnown && leftOut > 0n;
  return {
    readsSavedNanoUsd: isUnknown ? null : saved.toString(),
    writesExtraNanoUsd: isUnknown ? null : extra.toString(),
    leftOutTokens: exactCount(leftOut),
  };
}

/** To the nearest nano-dollar. */
function atPrice(tokens: bigint, price: Price): bigint {
  return (tokens * price.nanoUsd * 2n + price.tokens) / (2n * price.tokens);
}

function isSplit(sum: SumRow): boolean {
  const parts = ['inputNanoUsd', 'outputNanoUsd', 'cacheReadNanoUsd', 'cacheWriteNanoUsd'];
  return parts.some((name) => of(sum, name) > 0n);
}

function modelOf({ dimensions: { provider, model, billing } }: SumRow): string {
  return JSON.stringify([provider, model, billing]);
}

function of({ measures }: SumRow, name: string): bigint {
  return measures[name] ?? 0n;
}
