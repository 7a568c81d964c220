import type { Spend } from '@pi-ledger/contract';
import type { DemoModel } from './cast.ts';

type TokenCounts = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

/** Prices are per million tokens, so tokens x price x 1,000 is nano-dollars. */
export function spendOf(
  model: DemoModel,
  [input, output, cacheRead, cacheWrite]: TokenCounts,
): Spend {
  const { price } = model;
  const costNanoUsd = Math.round(
    (input * price.input +
      output * price.output +
      cacheRead * price.cacheRead +
      cacheWrite * price.cacheWrite) *
      1_000,
  );
  const reported = input + output + cacheRead + cacheWrite > 0;
  const isPriced = reported && price.output > 0;
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
    costNanoUsd: isPriced ? costNanoUsd : null,
    costSource: isPriced ? 'catalog' : 'unpriced',
    rawUsage: {
      input,
      output,
      cacheRead,
      cacheWrite,
      totalTokens: input + output + cacheRead + cacheWrite,
    },
  };
}
