/** Sums of repriced records by dimensions, billing, provider and model. Exact: integers only. */
import { LedgerError } from '../../errors.ts';
import type { SumRow } from '../../views/views.ts';

export interface Tokens {
  readonly inputTokens: number | bigint;
  readonly outputTokens: number | bigint;
  readonly cacheReadTokens: number | bigint;
  readonly cacheWriteTokens: number | bigint;
  /** Part of outputTokens. */
  readonly reasoningTokens: number | bigint | null;
}

interface RepricedRecord {
  readonly tokens: Tokens;
  readonly records: number;
  /** -1 takes the record back, because it counts elsewhere. Default: 1. */
  readonly times?: 1 | -1;
  readonly isReported: boolean;
  /** How many of the records have no price. */
  readonly unpricedRecords: number;
  readonly recordedNanoUsd: bigint;
  /** It is null when the catalogue has no price for it or it is unreported. */
  readonly repricedNanoUsd: bigint | null;
}

export const repricedMeasures = [
  'records',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  /** Recorded cost of the records that had a price. */
  'recordedNanoUsd',
  'unpricedRecords',
  'unreportedRecords',
  /** Cost of the records that the catalogue has a price for. */
  'repricedNanoUsd',
  'repricedRecords',
  /** Reported records that the catalogue has no price for. */
  'leftOutRecords',
  /** Records with both prices. */
  'comparedRecords',
  /** Repriced minus recorded cost of the compared records. */
  'differenceNanoUsd',
] as const;
type Measures = Record<(typeof repricedMeasures)[number], bigint>;

export interface Groups {
  add(dimensions: SumRow['dimensions'], record: RepricedRecord): void;
  rows(): readonly SumRow[];
}

interface Group {
  readonly dimensions: SumRow['dimensions'];
  readonly measures: Measures;
}

const groupsMaxDefault = 500_000;

export function createGroups(by: readonly string[], groupsMax = groupsMaxDefault): Groups {
  const names = [...new Set([...by, 'billing', 'provider', 'model'])];
  const groups = new Map<string, Group>();
  let last: { readonly dimensions: SumRow['dimensions']; readonly group: Group } | null = null;
  return {
    add(dimensions, record) {
      // The next record usually belongs to the same group.
      if (last?.dimensions === dimensions) return count(last.group.measures, record);
      const values = names.map((name) => dimensions[name] ?? '');
      const key = JSON.stringify(values);
      const known = groups.get(key) ?? {
        dimensions: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])),
        measures: nothing(),
      };
      if (groups.size >= groupsMax && !groups.has(key)) throw tooMany(groupsMax);
      groups.set(key, known);
      last = { dimensions, group: known };
      count(known.measures, record);
    },
    rows: () =>
      [...groups.values()].filter(({ measures }) =>
        repricedMeasures.some((name) => measures[name] !== 0n),
      ),
  };
}

function count(sums: Measures, record: RepricedRecord): void {
  if (record.times !== -1) {
    addTo(sums, record);
    return;
  }
  const back = nothing();
  addTo(back, record);
  for (const name of repricedMeasures) sums[name] -= back[name];
}

function addTo(sums: Measures, record: RepricedRecord): void {
  const { tokens, isReported, unpricedRecords, recordedNanoUsd, repricedNanoUsd } = record;
  const count = BigInt(record.records);
  sums.records += count;
  sums.inputTokens += BigInt(tokens.inputTokens);
  sums.outputTokens += BigInt(tokens.outputTokens);
  sums.cacheReadTokens += BigInt(tokens.cacheReadTokens);
  sums.cacheWriteTokens += BigInt(tokens.cacheWriteTokens);
  sums.reasoningTokens += BigInt(tokens.reasoningTokens ?? 0);
  sums.unpricedRecords += BigInt(unpricedRecords);
  sums.recordedNanoUsd += recordedNanoUsd;
  if (!isReported) {
    sums.unreportedRecords += count;
  } else if (repricedNanoUsd === null) {
    sums.leftOutRecords += count;
  } else {
    sums.repricedNanoUsd += repricedNanoUsd;
    sums.repricedRecords += count;
    if (unpricedRecords > 0) return;
    sums.comparedRecords += count;
    sums.differenceNanoUsd += repricedNanoUsd - recordedNanoUsd;
  }
}

function nothing(): Measures {
  return Object.fromEntries(repricedMeasures.map((name) => [name, 0n])) as Measures;
}

function tooMany(groupsMax: number): LedgerError {
  return new LedgerError('bad_parameter', {
    field: 'by',
    message:
      `by: there are more than ${groupsMax} rows; ` +
      'choose a shorter period or another grouping.',
  });
}
