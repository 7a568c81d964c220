import type { EventData, Spend } from '@pi-ledger/contract';

type Summary = Pick<
  EventData<'pi.compaction.completed.v1'> | EventData<'pi.branch.summarized.v1'>,
  'spend' | 'fromExtension'
>;

/**
 * What a summary spent. One that an extension made cost something that nobody says: it asked a
 * model by itself, so it counts as not reported. Null where the host made it and says nothing (pi
 * 0.73, omp).
 */
export function summarySpend({ spend, fromExtension }: Summary): Spend | null {
  return spend ?? (fromExtension ? unreported : null);
}

const unreported: Spend = {
  provider: null,
  api: null,
  model: null,
  responseModel: null,
  responseId: null,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: null,
  cacheWrite1hTokens: null,
  reported: false,
  costNanoUsd: null,
  costSource: 'unpriced',
  rawUsage: {},
};
