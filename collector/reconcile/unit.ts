/**
 * One unit of spend from a session file or an event of the log, in the same shape for both. Pure.
 *
 * Two units are the same when their identities are equal: entry id, time, response id and the
 * tokens of the usage. `fingerprintOf` covers everything that users are shown, and sums of
 * fingerprints tell two lists apart, whatever their order.
 */
import { createHash } from 'node:crypto';

export interface UnitTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Part of output. */
  readonly reasoning: number;
  /** Part of cacheWrite. */
  readonly cacheWrite1h: number;
}

export type PriceSource = 'provider' | 'catalog' | 'unpriced';

export interface Unit {
  /** The session that made it and owns it. */
  readonly sessionId: string;
  /** `turn`, `tool`, ...; `claim` for what a tool result claims that a subagent spent. */
  readonly kind: string;
  /** For a claim, the key that it shares with its account; null for direct spend. */
  readonly claimKey: string | null;
  /** The assistant entry above a tool result. */
  readonly turnEntryId: string | null;
  readonly entryId: string;
  readonly timeMs: number;
  readonly provider: string | null;
  readonly model: string | null;
  readonly tokens: UnitTokens;
  /** False when every figure is zero. */
  readonly reported: boolean;
  readonly nanoUsd: number | null;
  readonly priceSource: PriceSource;
  /** 32 hex digits. */
  readonly identity: string;
}

/** The key of a claim: spend of somebody else, who may account for it. Null for direct spend. */
export function claimKeyOf({ claimKey, kind, turnEntryId }: Unit): string | null {
  if (claimKey !== null) return claimKey;
  return kind === 'tool' && turnEntryId !== null ? `turn:${turnEntryId}` : null;
}

/**
 * `usage` is the raw object; a missing and an empty one are equal. What it says of the bill is left
 * out, because omp's `/tan` removes that from copies.
 */
export function identityOf(
  entryId: string,
  timeMs: number,
  responseId: string | null,
  usage: unknown,
  claimKey: string | null,
): string {
  const said = typeof usage === 'object' && usage !== null ? { ...usage, ...noBill } : {};
  const identity = sortedJson([entryId, timeMs, responseId, said], 0);
  return digestOf(`${identity}\n${claimKey ?? ''}`);
}

const noBill = { cost: undefined, credits: undefined, premiumRequests: undefined };

/** A 128-bit hash of everything that is compared. */
export function fingerprintOf(unit: Unit): bigint {
  const { input, output, cacheRead, cacheWrite, reasoning, cacheWrite1h } = unit.tokens;
  const figures = [
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning,
    cacheWrite1h,
    unit.nanoUsd,
    unit.priceSource,
    unit.reported,
  ];
  const names = claimKeyOf(unit) === null ? [unit.provider, unit.model] : [];
  const { kind, claimKey, entryId, timeMs } = unit;
  const compared = [kind, claimKey, entryId, timeMs, ...names, ...figures];
  return BigInt(`0x${digestOf(JSON.stringify(compared))}`);
}

/** ISO, UTC; a damaged log may have an invalid time. */
export function timeText(timeMs: number): string {
  return Number.isNaN(timeMs) ? 'no time' : new Date(timeMs).toISOString();
}

/** docs/accounting.md: usage that is nested deeper has no identity, and is not counted. */
const levelsMax = 256;

/**
 * JSON with sorted keys, so that equal objects give equal text. Throws a RangeError for a value of
 * more than 256 levels.
 */
export function sortedJson(value: unknown, level = 1): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (level > levelsMax) throw new RangeError(`more than ${levelsMax} levels`);
  if (Array.isArray(value))
    return `[${value.map((member) => sortedJson(member, level + 1)).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([left], [right]) => (left < right ? -1 : 1));
  const texts = members.map(
    ([name, member]) => `${JSON.stringify(name)}:${sortedJson(member, level + 1)}`,
  );
  return `{${texts.join()}}`;
}

/** 32 hex digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
