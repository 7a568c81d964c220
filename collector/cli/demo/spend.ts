import type { Spend } from '@pi-ledger/contract';
import type { DemoModel } from './cast.ts';

export type DemoTokens = readonly [
  input: number,
  output: number,
  cacheRead: number,
  cacheWrite: number,
];

export const noTokens: DemoTokens = [0, 0, 0, 0];

/**
 * What a model charges for these tokens, and the host's own split of it. Prices are per million
 * tokens, so tokens x price x 1,000 is nano-dollars; the total is the sum of its parts exactly.
 */
export function priceTokens(model: DemoModel, tokens: DemoTokens): Spend {
  const [input, output, cacheRead, cacheWrite] = tokens;
  const reported = input + output + cacheRead + cacheWrite > 0;
  const isPriced = reported && model.price.output > 0;
  const cost = isPriced ? priceCounts(model, tokens) : null;
  return {
    provider: model.provider,
    api: model.api,
    model: model.model,
    responseModel: null,
    responseId: null,
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    reasoningTokens: Math.floor(output / 4),
    cacheWrite1hTokens: null,
    reported,
    costNanoUsd: cost === null ? null : cost.total,
    costSource: isPriced ? 'catalog' : 'unpriced',
    rawUsage: {
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens: input + output + cacheRead + cacheWrite,
      cost: inDollars(cost ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }),
    },
  };
}

interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly total: number;
}

function priceCounts({ price }: DemoModel, counts: DemoTokens): Cost {
  const [input, output, cacheRead, cacheWrite] = counts;
  const parts = {
    input: nano(input * price.input),
    output: nano(output * price.output),
    cacheRead: nano(cacheRead * price.cacheRead),
    cacheWrite: nano(cacheWrite * price.cacheWrite),
  };
  return { ...parts, total: parts.input + parts.output + parts.cacheRead + parts.cacheWrite };
}

function nano(millionths: number): number {
  return Math.round(millionths * 1_000);
}

function inDollars(cost: Cost): Record<keyof Cost, number> {
  const { input, output, cacheRead, cacheWrite, total } = cost;
  return {
    input: input / 1e9,
    output: output / 1e9,
    cacheRead: cacheRead / 1e9,
    cacheWrite: cacheWrite / 1e9,
    total: total / 1e9,
  };
}
