/** What a record of spend says on its span. Pure. */
import type { Spend } from '@pi-ledger/contract';
import { sentTokens } from '@pi-ledger/contract/spend-shape';
import { providerName } from '@pi-ledger/contract/telemetry/providers';
import { withOrchestration } from '@pi-ledger/core/record/orchestration';
import { type Attributes, compact } from './draft.ts';

export interface SpanSpend {
  readonly spend: Spend;
  readonly kind: string;
  /** `metered`, `subscription` or `unknown`. */
  readonly billing: string;
}

/**
 * The conventions' input tokens include what the cache gave and took; the hosts' exclude it. An
 * attempt that reported nothing has no tokens and no cost, which is not the same as zero.
 */
export function spendAttributes({ spend, kind, billing }: SpanSpend): Attributes {
  return compact({
    'gen_ai.provider.name': spend.provider === null ? null : providerName(spend.provider),
    'gen_ai.request.model': spend.model,
    'gen_ai.response.model': spend.responseModel,
    'gen_ai.response.id': spend.responseId,
    ...(spend.reported ? tokens(spend) : {}),
    'pi.spend.kind': kind,
    'pi.cost.source': spend.reported ? spend.costSource : 'unreported',
    'pi.billing': billing,
  });
}

function tokens(spend: Spend): Attributes {
  const all = withOrchestration(spend);
  const { outputTokens, cacheReadTokens, cacheWriteTokens, costNanoUsd } = all;
  return {
    'gen_ai.usage.input_tokens': sentTokens(all),
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cacheReadTokens,
    'gen_ai.usage.cache_write.input_tokens': cacheWriteTokens,
    'gen_ai.usage.reasoning.output_tokens': spend.reasoningTokens ?? undefined,
    'pi.usage.cache_write_1h.input_tokens': spend.cacheWrite1hTokens ?? undefined,
    'pi.cost.usd': costNanoUsd === null ? undefined : usdOf(costNanoUsd),
  };
}

const nanoUsd = 1e9;

/** The nearest double: rounded to nano-dollars, it is the amount again. */
export function usdOf(amount: number): number {
  return amount / nanoUsd;
}
