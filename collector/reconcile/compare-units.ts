/**
 * Compares the units of sessions whose sums differ, file against log, one by one. Pure.
 *
 * Units match by identity in any session; the rest match by session and entry, then by entry alone.
 * Matched units are compared field by field; unmatched ones are missing or extra.
 */
import { aboutUnit, type Difference, difference } from './difference.ts';
import type { LogUnit } from './log-rows.ts';
import type { ReasonCode } from './reasons.ts';
import { claimKeyOf, timeText, type Unit } from './unit.ts';

export interface FileSideUnit {
  readonly unit: Unit;
  readonly path: string;
  /**
   * Older than the header of the oldest file that holds it, so copied from a file that is not here.
   */
  readonly inherited: boolean;
}

interface UnitPair {
  readonly sessionId: string;
  readonly difference: Difference;
}

export interface Comparison {
  /** Differing fields, duplicates, and units missing from the log, by the file's session. */
  readonly differences: readonly UnitPair[];
  /** Units only in the log. */
  readonly extra: readonly LogUnit[];
}

/**
 * `isAncestor` tells whether the first session was forked from the second, over any number of
 * steps.
 */
export function compareUnits(
  inFiles: readonly FileSideUnit[],
  inLog: readonly LogUnit[],
  isAncestor: (sessionId: string, candidate: string) => boolean,
): Comparison {
  const differences: UnitPair[] = [];
  let files = inFiles;
  let logs = inLog;
  for (const keyOf of matchKeys) {
    const met = match(files, logs, keyOf);
    for (const [file, log] of met.pairs) {
      for (const found of findDifferences(file, log, isAncestor))
        differences.push({ sessionId: file.unit.sessionId, difference: found });
    }
    differences.push(...met.doubles.map(twice));
    files = met.files;
    logs = met.logs;
  }
  differences.push(...files.map(missing));
  return { differences, extra: logs };
}

/** Units match by identity, then by session and entry, then by entry. */
const matchKeys: readonly ((unit: Unit) => string)[] = [
  ({ identity }) => identity,
  ({ sessionId, entryId, claimKey }) => JSON.stringify([sessionId, entryId, claimKey]),
  ({ entryId, claimKey }) => JSON.stringify([entryId, claimKey]),
];

interface Matched {
  readonly pairs: readonly (readonly [FileSideUnit, LogUnit])[];
  /** Additional units in the log that the files do not have. */
  readonly doubles: readonly LogUnit[];
  readonly files: readonly FileSideUnit[];
  readonly logs: readonly LogUnit[];
}

function match(
  inFiles: readonly FileSideUnit[],
  inLog: readonly LogUnit[],
  keyOf: (unit: Unit) => string,
): Matched {
  const logsByKey = Map.groupBy(inLog, ({ unit }) => keyOf(unit));
  const pairs: (readonly [FileSideUnit, LogUnit])[] = [];
  const files: FileSideUnit[] = [];
  const doubles: LogUnit[] = [];
  for (const [key, group] of Map.groupBy(inFiles, ({ unit }) => keyOf(unit))) {
    const logs = logsByKey.get(key) ?? [];
    const met = Math.min(group.length, logs.length);
    const sorted = logs.toSorted(
      (left, right) => strangeness(left, group) - strangeness(right, group),
    );
    group.slice(0, met).forEach((file, index) => {
      pairs.push([file, sorted[index] as LogUnit]);
    });
    files.push(...group.slice(met));
    if (met > 0) {
      doubles.push(...sorted.slice(met));
      logsByKey.delete(key);
    }
  }
  return { pairs, doubles, files, logs: [...logsByKey.values()].flat() };
}

/**
 * Sorts the unit under its own session first: that is the record, and the others are duplicates.
 */
function strangeness(log: LogUnit, group: readonly FileSideUnit[]): number {
  return group.some(({ unit }) => unit.sessionId === log.unit.sessionId) ? 0 : 1;
}

function twice(log: LogUnit): UnitPair {
  return {
    sessionId: log.unit.sessionId,
    difference: difference('twice_in_log', 1, {
      ...aboutUnit(log.unit),
      position: log.position,
      eventId: log.eventId,
    }),
  };
}

function missing({ unit, path, inherited }: FileSideUnit): UnitPair {
  const reason =
    inherited && unit.reported && unit.priceSource === 'unpriced'
      ? 'owner_unknown'
      : 'missing_in_log';
  return {
    sessionId: unit.sessionId,
    difference: difference(reason, 1, { ...aboutUnit(unit), file: path }),
  };
}

interface Field {
  readonly reason: ReasonCode;
  say(unit: Unit): string;
  /** Whether the field is compared for this unit; default: always. */
  applies?(unit: Unit): boolean;
}

const fields: readonly Field[] = [
  { reason: 'kind_differs', say: ({ kind }) => kind },
  {
    reason: 'model_differs',
    say: ({ provider, model }) => `${provider ?? '?'}/${model ?? '?'}`,
    applies: (unit) => claimKeyOf(unit) === null,
  },
  { reason: 'time_differs', say: ({ timeMs }) => timeText(timeMs) },
  { reason: 'tokens_differ', say: tokensText },
  { reason: 'reported_differs', say: ({ reported }) => (reported ? 'reported' : 'not reported') },
  { reason: 'price_source_differs', say: ({ priceSource }) => priceSource },
  {
    reason: 'cost_differs',
    say: ({ nanoUsd }) => (nanoUsd === null ? 'none' : `${nanoUsd} nano-dollars`),
  },
];

function findDifferences(
  { unit, path, inherited }: FileSideUnit,
  log: LogUnit,
  isAncestor: (sessionId: string, candidate: string) => boolean,
): readonly Difference[] {
  const where = { ...aboutUnit(unit), file: path, position: log.position, eventId: log.eventId };
  const found = fields
    .filter(({ applies = () => true, say }) => applies(unit) && say(unit) !== say(log.unit))
    .filter(({ reason }) => !isToldBySource(reason, unit, log.unit))
    .map(({ reason, say }) =>
      difference(reason, 1, { ...where, inFiles: say(unit), inLog: say(log.unit) }),
    );
  if (unit.sessionId === log.unit.sessionId) return found;
  const reason =
    inherited && isAncestor(unit.sessionId, log.unit.sessionId)
      ? 'owner_assumed'
      : 'session_differs';
  return [difference(reason, 1, { ...where, otherSessionId: log.unit.sessionId }), ...found];
}

/** A price on one side only is reported as a difference of source. */
function isToldBySource(reason: ReasonCode, file: Unit, log: Unit): boolean {
  return (
    reason === 'cost_differs' &&
    file.priceSource !== log.priceSource &&
    (file.nanoUsd === null || log.nanoUsd === null)
  );
}

function tokensText({ tokens }: Unit): string {
  const { input, output, cacheRead, cacheWrite, reasoning, cacheWrite1h } = tokens;
  return (
    `${input} in, ${output} out, ${cacheRead} read, ${cacheWrite} written ` +
    `(${reasoning} reasoning, ${cacheWrite1h} for 1 h)`
  );
}
