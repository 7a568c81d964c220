/**
 * What a provider spends around an answer (omp's `usage.orchestration`): billed, and part of the
 * host's total and cost, but in none of the host's buckets. A `Spend` counts it in its buckets and
 * says how much of them it is; what an answer sent of the conversation is the rest.
 *
 * Older events have it in their raw usage only: `withOrchestration` adds it where
 * events are counted.
 */
import type { Spend } from '@pi-ledger/contract';
import { asCount, asObject, type JsonObject } from './fields.ts';

type Orchestration = NonNullable<Spend['orchestration']>;

/** The contract's limit; a larger value is no token count, and stays in the raw usage only. */
const tokensMax = 1_000_000_000_000;

export function readTokens(value: unknown): number | null {
  const count = asCount(value);
  return count === null ? null : Math.min(count, tokensMax);
}

/** Returns null where the host says nothing of it. */
export function readOrchestration(rawUsage: JsonObject): Orchestration | null {
  const said = asObject(rawUsage.orchestration);
  if (said === null) return null;
  return {
    inputTokens: readTokens(said.input) ?? 0,
    outputTokens: readTokens(said.output) ?? 0,
    cacheReadTokens: readTokens(said.cacheRead) ?? 0,
  };
}

/** The same object for a spend that counts it already, or has none. */
export function withOrchestration(spend: Spend): Spend {
  if (spend.orchestration !== undefined || spend.rawUsage.orchestration === undefined) return spend;
  const orchestration = readOrchestration(spend.rawUsage);
  return orchestration === null ? spend : addOrchestration(spend, orchestration);
}

export function addOrchestration(spend: Spend, orchestration: Orchestration): Spend {
  const sum = (name: keyof Orchestration): number =>
    Math.min(spend[name] + orchestration[name], tokensMax);
  return {
    ...spend,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    orchestration,
  };
}

type Sent = Pick<Spend, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;

/** What was sent and answered of the conversation: this fills the context. */
export function conversationTokens(spend: Spend): Sent {
  const { orchestration, cacheWriteTokens } = spend;
  const less = (name: keyof Orchestration): number =>
    Math.max(spend[name] - (orchestration?.[name] ?? 0), 0);
  return {
    inputTokens: less('inputTokens'),
    outputTokens: less('outputTokens'),
    cacheReadTokens: less('cacheReadTokens'),
    cacheWriteTokens,
  };
}
