/**
 * An upper estimate of what an attempt that reported nothing cost, from what the host knows of the
 * context: shown beside totals, never in them.
 *
 * Input: the host's own figure for this attempt if it left one (omp), else the context after the
 * nearest reported answer above plus what followed, at four characters per token. Output: the
 * received characters, at four per token. Both use the highest rates that this answer paid. It
 * remains an estimate: images and a grown system prompt are missing, and text with few spaces has
 * more tokens.
 */
import type { Spend } from '@pi-ledger/contract';
import { toNanoUsd } from '../spend/money.ts';
import type { EventDraft } from './draft.ts';
import { type Entry, entryMessage } from './entry.ts';
import { entryDraft, type RecordedSession } from './entry-draft.ts';
import { asCount, asObject, asString, type JsonObject } from './fields.ts';
import type { LastAnswer } from './message-state.ts';
import type { PathState } from './path-state.ts';
import { charsIn, contentSizes } from './sizes.ts';

/**
 * `spend` is that of the attempt's own record. Null if the attempt reported usage, or nothing is
 * known of the context.
 */
export function recordEstimate(
  session: RecordedSession,
  entry: Entry,
  above: PathState,
  spend: Spend,
): EventDraft<'pi.attempt.estimated.v1'> | null {
  if (spend.reported) return null;
  const message = entryMessage(entry);
  const sent = sentTokens(message, above);
  if (sent === null) return null;
  const { provider, model } = spend;
  const outputTokens = tokensIn(charsIn(contentSizes(message.content)));
  const isSameModel =
    above.answer !== null && above.answer.provider === provider && above.answer.model === model;
  const rates = isSameModel ? lastRates(above.answer) : null;
  const data = {
    entryId: entry.key,
    provider,
    model,
    tokensMax: bounded(sent.tokens + outputTokens),
    costNanoUsdMax:
      rates === null
        ? null
        : bounded(Math.ceil(sent.tokens * rates.input + outputTokens * rates.output)),
    source: sent.source,
  };
  const identity = { responseId: asString(message.responseId), usage: message.usage };
  return entryDraft('pi.attempt.estimated.v1', session, entry, data, identity);
}

function sentTokens(
  message: JsonObject,
  { answer, charsSince }: PathState,
): { tokens: number; source: 'host' | 'previous' } | null {
  const told = readTokens(asObject(message.contextSnapshot)?.promptTokens);
  if (told > 0) return { tokens: told, source: 'host' };
  if (answer === null) return null;
  const { usage } = answer;
  const left =
    readTokens(usage.input) +
    readTokens(usage.cacheRead) +
    readTokens(usage.cacheWrite) +
    readTokens(usage.output);
  return { tokens: left + tokensIn(charsSince), source: 'previous' };
}

/** Nano-dollars per token. Null if the answer has no price. */
function lastRates({ usage }: LastAnswer): { input: number; output: number } | null {
  const cost = asObject(usage.cost) ?? {};
  const input = Math.max(
    ...(['input', 'cacheRead', 'cacheWrite'] as const).map((kind) =>
      divideRate(cost[kind], usage[kind]),
    ),
  );
  const output = Math.max(input, divideRate(cost.output, usage.output));
  return output > 0 ? { input, output } : null;
}

function divideRate(cost: unknown, tokens: unknown): number {
  const count = readTokens(tokens);
  return count > 0 && typeof cost === 'number' ? (toNanoUsd(cost) ?? 0) / count : 0;
}

const charsPerToken = 4;

function tokensIn(chars: number): number {
  return Math.ceil(chars / charsPerToken);
}

function readTokens(value: unknown): number {
  return asCount(value) ?? 0;
}

function bounded(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
