/**
 * Converts a host's usage object to the contract's `Spend`, unifying pi's and omp's field names.
 */
import type { Spend } from '@pi-ledger/contract';
import { toNanoUsd } from '../spend/money.ts';
import { asObject, asText, type JsonObject } from './fields.ts';
import { addOrchestration, readOrchestration, readTokens } from './orchestration.ts';

/** Which model was requested and which one answered, as far as the entry says. */
export interface Answered {
  readonly provider: string | null;
  readonly api: string | null;
  readonly model: string | null;
  readonly responseModel: string | null;
  readonly responseId: string | null;
}

/** By the fields of an assistant's message. */
export function answeredIn(message: JsonObject): Answered {
  return {
    provider: asText(message.provider),
    api: asText(message.api),
    model: asText(message.model),
    responseModel: asText(message.responseModel) ?? asText(message.upstreamModel),
    responseId: asText(message.responseId),
  };
}

/** Never throws: missing usage or invalid figures count as not reported. */
export function readSpend(usage: unknown, answered: Answered): Spend {
  const raw = asObject(usage) ?? {};
  const reported = isReported(raw);
  const orchestration = readOrchestration(raw);
  const spend: Spend = {
    ...answered,
    inputTokens: readTokens(raw.input) ?? 0,
    outputTokens: readTokens(raw.output) ?? 0,
    cacheReadTokens: readTokens(raw.cacheRead) ?? 0,
    cacheWriteTokens: readTokens(raw.cacheWrite) ?? 0,
    reasoningTokens: readTokens(raw.reasoning) ?? readTokens(raw.reasoningTokens),
    cacheWrite1hTokens: readTokens(raw.cacheWrite1h) ?? readTokens(asObject(raw.cttl)?.ephemeral1h),
    reported,
    ...readPrice(raw, reported),
    rawUsage: boundedUsage(raw),
  };
  return orchestration === null ? spend : addOrchestration(spend, orchestration);
}

/** False if every figure is zero: the attempt failed or was aborted, and its real cost is lost. */
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
  return isSome(readCost(raw).total);
}

function isSome(figure: unknown): boolean {
  return Number.isFinite(figure) && Number(figure) > 0;
}

/**
 * A list price of zero means an unknown price; only a provider can say that something cost nothing.
 */
function readPrice(raw: JsonObject, reported: boolean): Pick<Spend, 'costNanoUsd' | 'costSource'> {
  const { total, totalFromProvider } = readCost(raw);
  const costNanoUsd = typeof total === 'number' ? toNanoUsd(total) : null;
  const billed = totalFromProvider === true;
  if (!reported || costNanoUsd === null || (total === 0 && !billed))
    return { costNanoUsd: null, costSource: 'unpriced' };
  return { costNanoUsd, costSource: billed ? 'provider' : 'catalog' };
}

/** pi's subagent tools give the total cost of their answers as one number. */
function readCost(raw: JsonObject): JsonObject {
  return typeof raw.cost === 'number' ? { total: raw.cost } : (asObject(raw.cost) ?? {});
}

const rawUsageCharsMax = 8 * 1024;
const rawTextCharsMax = 200;
const rawLevelsMax = 16;
const figureChars = 8;

/**
 * The usage object verbatim, unless it contains what no usage contains (long texts, thousands of
 * members, many levels): then only its figures.
 */
function boundedUsage(raw: JsonObject): Record<string, unknown> {
  return isPlain(raw) ? { ...raw } : readFigures(raw);
}

function isPlain(raw: JsonObject): boolean {
  return nestedWeight(raw, 1) <= rawUsageCharsMax;
}

/**
 * Approximate length of its JSON, cheaper than writing it; a long text or a deep value counts as
 * too large.
 */
function nestedWeight(value: unknown, level: number): number {
  if (typeof value === 'string')
    return value.length > rawTextCharsMax ? Number.POSITIVE_INFINITY : value.length;
  if (typeof value !== 'object' || value === null) return figureChars;
  if (level > rawLevelsMax) return Number.POSITIVE_INFINITY;
  let chars = 0;
  for (const key of Object.keys(value))
    chars += key.length + nestedWeight((value as JsonObject)[key], level + 1);
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

function readFigures(raw: JsonObject): Record<string, unknown> {
  return { ...readNumbers(raw, figureNames), cost: readNumbers(readCost(raw), costNames) };
}

function readNumbers(source: JsonObject, names: readonly string[]): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const name of names) {
    const value = source[name];
    if (typeof value === 'number') numbers[name] = value;
  }
  return numbers;
}
