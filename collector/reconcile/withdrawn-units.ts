/** Records that an administrator took back, as the log has them. Pure. */
import { aboutUnit } from './difference.ts';
import { type Figures, unitFigures } from './figures.ts';
import type { Json } from './files/usage-figures.ts';
import { readEvent } from './log-events.ts';

export interface WithdrawnUnits {
  /** Takes what the log says of a withdrawn event. */
  add(event: Json): void;
  has(entryId: string, at: string): boolean;
  /** By the session that the event names. */
  countOf(sessionId: string): number;
  /** What the session had spent, each as it was recorded. */
  spentBy(sessionId: string): readonly WithdrawnSpend[];
}

interface WithdrawnSpend {
  readonly kind: string;
  readonly figures: Figures;
}

export function createWithdrawnUnits(): WithdrawnUnits {
  const units = new Set<string>();
  const spent = new Map<string, WithdrawnSpend[]>();
  return {
    add(event) {
      const said = readEvent(event);
      if (said.about !== 'unit') return;
      const { entryId = '', at = '' } = aboutUnit(said.unit);
      units.add(JSON.stringify([entryId, at]));
      const { sessionId } = said.unit;
      const { kind } = said.unit;
      const known = spent.get(sessionId) ?? [];
      known.push({ kind, figures: unitFigures(said.unit) });
      spent.set(sessionId, known);
    },
    has: (entryId, at) => units.has(JSON.stringify([entryId, at])),
    countOf: (sessionId) => spent.get(sessionId)?.length ?? 0,
    spentBy: (sessionId) => spent.get(sessionId) ?? [],
  };
}
