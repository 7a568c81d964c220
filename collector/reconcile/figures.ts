/** Sums of units: the content of a table row, and what two sides must agree on. Pure. */
import { claimKeyOf, fingerprintOf, type Unit } from './unit.ts';

/** Exact sums of any size: the counts of one record fit a double, but sums may not. */
export interface Figures {
  records: bigint;
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadTokens: bigint;
  cacheWriteTokens: bigint;
  /** Part of outputTokens. */
  reasoningTokens: bigint;
  /** The cost of records that have a price. */
  nanoUsd: bigint;
  unpricedRecords: bigint;
  unreportedRecords: bigint;
}

export const countNames = [
  'records',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'unpricedRecords',
  'unreportedRecords',
] as const satisfies readonly (keyof Figures)[];

/**
 * What one side says about one session: sums of direct spend by kind, and an order-independent sum
 * of the fingerprints of all units.
 */
export interface SessionSums {
  readonly byKind: Map<string, Figures>;
  units: number;
  fingerprint: bigint;
}

const fingerprintBits = 128;

export function noSums(): SessionSums {
  return { byKind: new Map(), units: 0, fingerprint: 0n };
}

export function addUnit(sums: SessionSums, unit: Unit): void {
  sums.units += 1;
  sums.fingerprint = BigInt.asUintN(fingerprintBits, sums.fingerprint + fingerprintOf(unit));
  if (claimKeyOf(unit) === null)
    addFigures(figuresOfKind(sums.byKind, unit.kind), unitFigures(unit));
}

/** The kind of what no entry tells of. */
const requestsKind = 'package_request';

/** Requests by packages are in no file: they are no units, and each is a record of unknown cost. */
export function addRequests({ byKind }: SessionSums, count: number): void {
  const figures = figuresOfKind(byKind, requestsKind);
  figures.records += BigInt(count);
  figures.unreportedRecords += BigInt(count);
}

export function requestsIn({ byKind }: SessionSums): number {
  return Number(byKind.get(requestsKind)?.records ?? 0n);
}

const streamedKind = 'streamed_answer';

/** Answers of event streams are no units either. */
export function setStreamed({ byKind }: SessionSums, count: number): void {
  const [records, unreportedRecords] = [BigInt(count), BigInt(count)];
  byKind.set(streamedKind, { ...noFigures(), records, unreportedRecords });
}

export function streamedIn({ byKind }: SessionSums): number {
  return Number(byKind.get(streamedKind)?.records ?? 0n);
}

/** Answers and attempts. */
export function turnsIn({ byKind }: SessionSums): bigint {
  return byKind.get('turn')?.records ?? 0n;
}

/** Removes a unit that was added before. */
export function removeUnit(sums: SessionSums, unit: Unit): void {
  sums.units -= 1;
  sums.fingerprint = BigInt.asUintN(fingerprintBits, sums.fingerprint - fingerprintOf(unit));
  if (claimKeyOf(unit) !== null) return;
  const [figures, by] = [figuresOfKind(sums.byKind, unit.kind), unitFigures(unit)];
  for (const name of countNames) figures[name] -= by[name];
  figures.nanoUsd -= by.nanoUsd;
}

export function sameSums(left: SessionSums, right: SessionSums): boolean {
  return left.units === right.units && left.fingerprint === right.fingerprint;
}

export function figuresOfKind(byKind: Map<string, Figures>, kind: string): Figures {
  const known = byKind.get(kind) ?? noFigures();
  byKind.set(kind, known);
  return known;
}

export function unitFigures({ tokens, reported, nanoUsd, priceSource }: Unit): Figures {
  const unpriced = reported && (priceSource === 'unpriced' || nanoUsd === null);
  return {
    records: 1n,
    inputTokens: BigInt(tokens.input),
    outputTokens: BigInt(tokens.output),
    cacheReadTokens: BigInt(tokens.cacheRead),
    cacheWriteTokens: BigInt(tokens.cacheWrite),
    reasoningTokens: BigInt(tokens.reasoning),
    nanoUsd: unpriced ? 0n : BigInt(nanoUsd ?? 0),
    unpricedRecords: unpriced ? 1n : 0n,
    unreportedRecords: reported ? 0n : 1n,
  };
}

export function noFigures(): Figures {
  return {
    records: 0n,
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    nanoUsd: 0n,
    unpricedRecords: 0n,
    unreportedRecords: 0n,
  };
}

export function addFigures(into: Figures, by: Figures): void {
  for (const name of countNames) into[name] += by[name];
  into.nanoUsd += by.nanoUsd;
}

export function sumAll(all: Iterable<Figures>): Figures {
  const sum = noFigures();
  for (const figures of all) addFigures(sum, figures);
  return sum;
}

export function sameFigures(left: Figures, right: Figures): boolean {
  return left.nanoUsd === right.nanoUsd && countNames.every((name) => left[name] === right[name]);
}
