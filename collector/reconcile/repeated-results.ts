/**
 * Tool results that say again what another one says of the same runs (`run:`) or, where no run is
 * told, of the same subagents (`same:`): the most complete one counts. Pure.
 */
import { type Figures, sumAll, unitFigures } from './figures.ts';
import type { Ties } from './ties.ts';
import { claimKeyOf, type Unit } from './unit.ts';

interface Collected {
  readonly entryId: string;
  readonly timeMs: number;
  readonly figures: Figures;
  readonly runs: ReadonlySet<string>;
}

export function findRepeated({ ties, claims }: { ties: Ties; claims: readonly Unit[] }) {
  const sums = claims.filter(
    (unit) => unit.reported && claimKeyOf(unit)?.startsWith('turn:') === true,
  );
  const collected = [...Map.groupBy(sums, ({ entryId }) => entryId)].flatMap(
    ([entryId, units]): readonly Collected[] => {
      const runs = new Set([...(ties.refs.get(entryId) ?? [])].filter(isRun));
      if (runs.size === 0) return [];
      const timeMs = Math.min(...units.map((unit) => unit.timeMs));
      return [{ entryId, timeMs, figures: sumAll(units.map(unitFigures)), runs }];
    },
  );
  const aboutRun = new Map<string, Collected[]>();
  for (const each of collected)
    for (const run of each.runs) {
      const known = aboutRun.get(run);
      if (known === undefined) aboutRun.set(run, [each]);
      else known.push(each);
    }
  const isRepeated = (own: Collected): boolean => {
    const [first = ''] = own.runs;
    return (aboutRun.get(first) ?? []).some((other) => saysMore(other, own));
  };
  return new Set(collected.filter(isRepeated).map(({ entryId }) => entryId));
}

function isRun(ref: string): boolean {
  return ref.startsWith('run:') || ref.startsWith('same:');
}

/** Or the same, and came first. */
function saysMore(other: Collected, own: Collected): boolean {
  if (other === own || ![...own.runs].every((run) => other.runs.has(run))) return false;
  const names = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  if (names.some((name) => other.figures[name] < own.figures[name])) return false;
  const isMore =
    names.some((name) => other.figures[name] > own.figures[name]) ||
    other.figures.nanoUsd > own.figures.nanoUsd;
  if (isMore) return [...own.runs].every((run) => run.startsWith('run:'));
  if (other.figures.nanoUsd < own.figures.nanoUsd) return false;
  if (other.runs.size !== own.runs.size) return other.runs.size > own.runs.size;
  if (other.timeMs !== own.timeMs) return other.timeMs < own.timeMs;
  return other.entryId < own.entryId;
}
