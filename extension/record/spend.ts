/**
 * A host's usage object to the contract's `Spend`: pi's and omp's names for the same figures meet
 * here.
 */
import type { Spend } from '@pi-ledger/contract';
import { asCount, asObject, type JsonObject } from './fields.ts';
import { nanoUsdOf } from './money.ts';

/** Who was asked and who answered, as far as the entry says. */
export interface Answered {
  readonly provider: string | null;
  readonly api: string | null;
  readonly model: string | null;
  readonly responseModel: string | null;
  readonly responseId: string | null;
}

/** Never throws: a missing usage object, or figures that are none, count as not reported. */
export function spendOf(usage: unknown, answered: Answered): Spend {
  const raw = asObject(usage) ?? {};
  const reported = isReported(raw);
  return {
    ...answered,
    inputTokens: tokensOf(raw.input) ?? 0,
    outputTokens: tokensOf(raw.output) ?? 0,
    cacheReadTokens: tokensOf(raw.cacheRead) ?? 0,
    cacheWriteTokens: tokensOf(raw.cacheWrite) ?? 0,
    reasoningTokens: tokensOf(raw.reasoning) ?? tokensOf(raw.reasoningTokens),
    cacheWrite1hTokens: tokensOf(raw.cacheWrite1h) ?? tokensOf(asObject(raw.cttl)?.ephemeral1h),
    reported,
    ...priceOf(raw, reported),
    rawUsage: boundedUsage(raw),
  };
}

/** The contract's bound; what is above it is no count of tokens, and stays in the raw usage. */
const tokensMax = 1_000_000_000_000;

function tokensOf(value: unknown): number | null {
  const count = asCount(value);
  return count === null ? null : Math.min(count, tokensMax);
}

/**
 * False when every figure is zero: the attempt failed or was aborted, and what it really cost is
 * lost.
 */
export function isReported(raw: JsonObject): boolean {
  const { input, output, cacheRead, cacheWrite, totalTokens } = raw;
  if (
    isSome(input) ||
    isSome(output) ||
    isSome(cacheRead) ||
    isSome(cacheWrite) ||
    isSome(totalTokens)
  )
    return true;
  return isSome(costOf(raw).total);
}

function isSome(figure: unknown): boolean {
  return Number.isFinite(figure) && Number(figure) > 0;
}

/**
 * A list price of zero means that the price is unknown; only a provider can say that something cost
 * nothing.
 */
function priceOf(raw: JsonObject, reported: boolean): Pick<Spend, 'costNanoUsd' | 'costSource'> {
  const { total, totalFromProvider } = costOf(raw);
  const costNanoUsd = typeof total === 'number' ? nanoUsdOf(total) : null;
  const billed = totalFromProvider === true;
  if (!reported || costNanoUsd === null || (total === 0 && !billed))
    return { costNanoUsd: null, costSource: 'unpriced' };
  return { costNanoUsd, costSource: billed ? 'provider' : 'catalog' };
}

/** pi's subagent tools sum up what their answers cost to one number. */
function costOf(raw: JsonObject): JsonObject {
  return typeof raw.cost === 'number' ? { total: raw.cost } : (asObject(raw.cost) ?? {});
}

const rawUsageCharsMax = 8 * 1024;
const rawTextCharsMax = 200;
const figureChars = 8;

/**
 * The usage object verbatim, unless it holds what no usage holds (long texts, thousands of
 * members): then its figures alone.
 */
function boundedUsage(raw: JsonObject): Record<string, unknown> {
  return isPlain(raw) ? { ...raw } : figuresOf(raw);
}

function isPlain(raw: JsonObject): boolean {
  return weightOf(raw) <= rawUsageCharsMax;
}

/**
 * About how many characters of JSON it takes; a long text weighs too much by itself. Cheaper than
 * writing it.
 */
function weightOf(value: unknown): number {
  if (typeof value === 'string')
    return value.length > rawTextCharsMax ? Number.POSITIVE_INFINITY : value.length;
  if (typeof value !== 'object' || value === null) return figureChars;
  let chars = 0;
  for (const key of Object.keys(value)) chars += key.length + weightOf((value as JsonObject)[key]);
  return chars;
}

const figureNames = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'reasoning',
  'reasoningTokens',
  'totalTokens',
  'premiumRequests',
] as const;
const costNames = ['input', 'output', 'cacheRead', 'cacheWrite', 'total'] as const;

function figuresOf(raw: JsonObject): Record<string, unknown> {
  return { ...numbersOf(raw, figureNames), cost: numbersOf(costOf(raw), costNames) };
}

function numbersOf(source: JsonObject, names: readonly string[]): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const name of names) {
    const value = source[name];
    if (typeof value === 'number') numbers[name] = value;
  }
  return numbers;
}
