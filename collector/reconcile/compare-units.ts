/**
 * The units of sessions whose sums differ, file against log, one by one. Pure.
 *
 * Units meet by identity wherever they stand; what is left on both sides meets by session and
 * entry, then by entry alone. Whoever has met is compared field by field; whoever has not is
 * missing or extra.
 */
import { aboutUnit, type Difference, difference } from './difference.ts';
import type { LogUnit } from './log-facts.ts';
import type { ReasonCode } from './reasons.ts';
import { timeText, type Unit } from './unit.ts';

export interface FileSideUnit {
  readonly unit: Unit;
  readonly path: string;
  /**
   * Older than the header of the oldest file that holds it: copied from a file that is not here.
   */
  readonly inherited: boolean;
}

interface UnitPair {
  readonly sessionId: string;
  readonly difference: Difference;
}

export interface Comparison {
  /** Fields that differ, doubles, and what is missing in the log; by the file's session. */
  readonly differences: readonly UnitPair[];
  /** Of the log alone. */
  readonly extra: readonly LogUnit[];
}

/**
 * `isAncestor` says whether the first session was forked, over however many steps, from the second
 * one.
 */
export function compareUnits(
  inFiles: readonly FileSideUnit[],
  inLog: readonly LogUnit[],
  isAncestor: (sessionId: string, candidate: string) => boolean,
): Comparison {
  const differences: UnitPair[] = [];
  let files = inFiles;
  let logs = inLog;
  for (const keyOf of meetings) {
    const met = meet(files, logs, keyOf);
    for (const [file, log] of met.pairs) {
      for (const found of differencesOf(file, log, isAncestor))
        differences.push({ sessionId: file.unit.sessionId, difference: found });
    }
    differences.push(...met.doubles.map(twice));
    files = met.files;
    logs = met.logs;
  }
  differences.push(...files.map(missing));
  return { differences, extra: logs };
}

/** By identity, then by session and entry, then by entry. */
const meetings: readonly ((unit: Unit) => string)[] = [
  ({ identity }) => identity,
  ({ sessionId, entryId, claimKey }) => JSON.stringify([sessionId, entryId, claimKey]),
  ({ entryId, claimKey }) => JSON.stringify([entryId, claimKey]),
];

interface Met {
  readonly pairs: readonly (readonly [FileSideUnit, LogUnit])[];
  /** Beyond the first of the log, where files have no more of them. */
  readonly doubles: readonly LogUnit[];
  readonly files: readonly FileSideUnit[];
  readonly logs: readonly LogUnit[];
}

function meet(
  inFiles: readonly FileSideUnit[],
  inLog: readonly LogUnit[],
  keyOf: (unit: Unit) => string,
): Met {
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

/** The one under its own session is the record, the others are the doubles. */
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
  /** Null: this field has nothing to say about this unit. */
  applies?(unit: Unit): boolean;
}

const fields: readonly Field[] = [
  { reason: 'kind_differs', say: ({ kind }) => kind },
  {
    reason: 'model_differs',
    say: ({ provider, model }) => `${provider ?? '?'}/${model ?? '?'}`,
    applies: ({ claimKey }) => claimKey === null,
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

function differencesOf(
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

/** A price that is there on one side only is a matter of its source. */
function isToldBySource(reason: ReasonCode, file: Unit, log: Unit): boolean {
  return (
    reason === 'cost_differs' &&
    file.priceSource !== log.priceSource &&
    (file.nanoUsd === null || log.nanoUsd === null)
  );
}

function tokensText({ tokens }: Unit): string {
  const { input, output, cacheRead, cacheWrite, reasoning, cacheWrite1h } = tokens;
  return `${input} in, ${output} out, ${cacheRead} read, ${cacheWrite} written (${reasoning} reasoning, ${cacheWrite1h} for 1 h)`;
}
